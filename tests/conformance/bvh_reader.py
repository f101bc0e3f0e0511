#!/usr/bin/env python3
"""bvh_reader.py BVH_FRAMES [FILE...]

A second reader of BVH, written from the format's description and without regard for speed: words, numbers,
and a matrix for every turn. Compares where every joint is in every frame with what BVH_FRAMES prints, on FILEs, by
default the real files of the shared folder, and on made files with any channels in any order, several roots, and
positions in joints that have an OFFSET. They must agree within TOLERANCE of the model's size.

Exit status: 0 they do, 1 not.
"""
import glob
import math
import os
import random
import struct
import subprocess
import sys
import tempfile

TOLERANCE = 1e-4
FRAME_STEP = 7  # every 7th frame of real files; of made ones all
MADE_COUNT = 40
ROTATIONS = ["Xrotation", "Yrotation", "Zrotation"]
POSITIONS = ["Xposition", "Yposition", "Zposition"]


class Joint:
    def __init__(self, parent):
        self.parent = parent  # index or None
        self.offset = [0.0, 0.0, 0.0]
        self.channels = []


def read_bvh(text):
    """-> (joints in the file's order, frames: lists of numbers). Names play no role."""
    head, motion = text.split("MOTION")
    joints, stack = [], []
    lines = head.replace("{", "\n{\n").replace("}", "\n}\n").splitlines()
    for words in filter(None, (line.split() for line in lines)):
        if words[0] in ("ROOT", "JOINT", "End"):
            stack.append(len(joints))
            joints.append(Joint(stack[-2] if len(stack) > 1 else None))
        elif words[0] == "OFFSET":
            joints[stack[-1]].offset = [float(word) for word in words[1:4]]
        elif words[0] == "CHANNELS":
            joints[stack[-1]].channels = words[2:]
        elif words[0] == "}":
            stack.pop()
    words = motion.split()
    frame_count = int(words[words.index("Frames:") + 1])
    numbers = [float(word) for word in words[words.index("Time:") + 2:]]
    width = sum(len(joint.channels) for joint in joints)
    return joints, [numbers[i * width:(i + 1) * width] for i in range(frame_count)]


def times(a, b):
    return [[sum(a[r][k] * b[k][c] for k in range(3)) for c in range(3)] for r in range(3)]


def turn(axis, degrees):
    """Counterclockwise about a coordinate axis, seen from its tip."""
    sine, cosine = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    u, v = (axis + 1) % 3, (axis + 2) % 3
    matrix = [[float(r == c) for c in range(3)] for r in range(3)]
    matrix[u][u] = matrix[v][v] = cosine
    matrix[u][v], matrix[v][u] = -sine, sine
    return matrix


def places(joints, numbers):
    """Where the joints are in a frame: column vectors, parent times child, the first channel outermost."""
    result, turns, at = [], [], 0
    for joint in joints:
        place, rotation = list(joint.offset), [[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]
        for channel in joint.channels:
            if channel in POSITIONS:
                place[POSITIONS.index(channel)] = numbers[at]
            else:
                rotation = times(rotation, turn(ROTATIONS.index(channel), numbers[at]))
            at += 1
        if joint.parent is not None:
            matrix, origin = turns[joint.parent], result[joint.parent]
            place = [origin[r] + sum(matrix[r][k] * place[k] for k in range(3)) for r in range(3)]
            rotation = times(matrix, rotation)
        result.append(place)
        turns.append(rotation)
    return result


def marrow_places(program, path):
    """-> (joints, frames, function from frame and joint to a place)"""
    data = subprocess.run([program, path], stdout=subprocess.PIPE, check=True).stdout
    joint_count, frame_count = struct.unpack_from("=2I", data)
    return joint_count, frame_count, lambda frame, joint: struct.unpack_from(
        "=3f", data, 8 + 12 * (2 * frame * joint_count + joint))  # the odd moments lie between frames


def compare(program, path, step):
    """-> the largest difference over the model's size, and how many frames"""
    with open(path, encoding="utf-8") as file:
        joints, frames = read_bvh(file.read())
    joint_count, frame_count, marrow = marrow_places(program, path)
    if (joint_count, frame_count) != (len(joints), len(frames)):
        return math.inf, len(frames)
    largest, size = 0.0, 0.0
    for frame in range(0, len(frames), step):
        expected = places(joints, frames[frame])
        if frame == 0:
            size = math.dist([min(axis) for axis in zip(*expected)], [max(axis) for axis in zip(*expected)])
        for joint, place in enumerate(expected):
            off = math.dist(place, marrow(frame, joint))
            largest = off if not off <= largest else largest
    return largest / (size or 1.0), len(range(0, len(frames), step))


def made_file(rng):
    """A file with 2 to 30 joints, 1 to 3 of them roots, each with 0 to 6 channels in any order."""
    lines, counts, width = ["HIERARCHY"], {"left": rng.randint(2, 30)}, 0

    def put_joint(keyword, depth):
        nonlocal width
        counts["left"] -= 1
        channels = rng.sample(POSITIONS, rng.choice([0, 0, 0, 1, 2, 3]))
        channels += rng.choices(ROTATIONS, k=rng.choice([0, 1, 2, 3, 3, 3]))
        rng.shuffle(channels)
        width += len(channels)
        lines.append(f"{keyword} j{counts['left']}")
        lines.append("{")
        lines.append("OFFSET " + " ".join(f"{rng.uniform(-5, 5):.6f}" for _ in range(3)))
        if channels or rng.random() < 0.5:
            lines.append(" ".join(["CHANNELS", str(len(channels))] + channels))
        while counts["left"] > 0 and depth < 9 and rng.random() < 0.6:
            put_joint("JOINT", depth + 1)
        if rng.random() < 0.4:
            lines.extend(["End Site", "{", "OFFSET 0 1.5 -2e-1", "}"])
        lines.append("}")

    for _ in range(rng.randint(1, 3)):
        put_joint("ROOT", 0)
    if width == 0:
        return made_file(rng)
    frame_count = rng.randint(1, 6)
    lines.extend(["MOTION", f"Frames: {frame_count}", "Frame Time: 0.05"])
    for _ in range(frame_count):
        lines.append(" ".join(f"{rng.uniform(-400, 400):.{rng.randint(0, 9)}f}" for _ in range(width)))
    return "\n".join(lines) + "\n"


def report(name, off, frame_count):
    good = off <= TOLERANCE
    print(f"{'ok    ' if good else 'FAILED'} {name}: {frame_count} frames; largest difference {off:.1e} of the model's size")
    return good


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program, paths = sys.argv[1], sys.argv[2:]
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../shared")
    shared = os.environ.get("MARROW_SHARED", beside)
    paths = paths or sorted(glob.glob(os.path.join(shared, "assets", "bvh", "*.bvh")))
    good = all([report(os.path.basename(path), *compare(program, path, FRAME_STEP)) for path in paths])
    rng, largest, frame_count = random.Random(28), 0.0, 0
    with tempfile.TemporaryDirectory() as folder:
        for i in range(MADE_COUNT):
            path = os.path.join(folder, f"made_{i}.bvh")
            with open(path, "w", encoding="utf-8") as file:
                file.write(made_file(rng))
            off, frames = compare(program, path, 1)
            largest, frame_count = max(largest, off), frame_count + frames
    good = report(f"{MADE_COUNT} made files", largest, frame_count) and good
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
