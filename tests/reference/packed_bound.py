"""The bound on the error of packed clips, with the decoder that was written from the document alone:
model space and distances of shells are worked out here, in double precision.

usage: packed_bound.py BOUND_DUMP
"""

import math
import subprocess
import sys

from packed_section import PackedSection, ROTATION, SCALAR, SCALE, TRANSLATION

SCALAR_TOLERANCE = 0.001


class Clip:
    def __init__(self, words):
        self.name = words[0]
        self.joint_count, self.scalar_count = int(words[1]), int(words[2])
        self.tolerance, self.shell = float(words[3]), float(words[4])
        self.parents, self.units = [], []
        self.worst = self.worst_scalar = 0.0
        self.section = None
        self.times = []

    def add_joint(self, parent, scale):
        self.parents.append(parent)
        self.units.append((self.units[parent] if parent >= 0 else 1.0) * (scale if scale >= 1 / 2000 else 1.0))

    def add_section(self, text):
        self.section = PackedSection(bytes.fromhex(text), self.joint_count, self.scalar_count, self.times)


def axes_of(rotation, scale):
    """Where the axes of a joint go in its parent."""
    x, y, z, w = rotation
    s = 2 / (x * x + y * y + z * z + w * w)
    columns = [(1 - s * (y * y + z * z), s * (x * y + w * z), s * (x * z - w * y)),
               (s * (x * y - w * z), 1 - s * (x * x + z * z), s * (y * z + w * x)),
               (s * (x * z + w * y), s * (y * z - w * x), 1 - s * (x * x + y * y))]
    return [[scale[i] * part for part in columns[i]] for i in range(3)]


def turned(axes, vector):
    return [sum(axes[k][i] * vector[k] for k in range(3)) for i in range(3)]


def places(parents, pose):
    """(origin, axes) of each joint in model space."""
    found = []
    for parent, (translation, rotation, scale) in zip(parents, pose):
        axes, origin = axes_of(rotation, scale), translation
        if parent >= 0:
            above_origin, above_axes = found[parent]
            origin = [a + b for a, b in zip(above_origin, turned(above_axes, origin))]
            axes = [turned(above_axes, axis) for axis in axes]
        found.append((origin, axes))
    return found


def shell_distance(a, b, shell):
    return max(math.dist([o + shell * p for o, p in zip(a[0], a[1][axis])],
                         [o + shell * p for o, p in zip(b[0], b[1][axis])]) for axis in range(3))


def judge(clip, time_s, source, kept, scalars):
    """The pose of the section in the place of what the library made of it, against the source."""
    packed = clip.section.at(time_s)
    for (kind, target), value in packed.items():
        if kind == SCALAR:
            scalars[target][1] = value
        else:
            kept[target][(TRANSLATION, ROTATION, SCALE).index(kind)] = value
    for joint, (a, b) in enumerate(zip(places(clip.parents, source), places(clip.parents, kept))):
        error = shell_distance(a, b, clip.shell / clip.units[joint])
        clip.worst = max(clip.worst, error / clip.tolerance)
    for before, after in scalars:
        clip.worst_scalar = max(clip.worst_scalar, abs(before - after) / SCALAR_TOLERANCE)


def numbers(words):
    values = [float(word) for word in words]
    return [values[0:3], values[3:7], values[7:10]]


def main():
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    clips, at = [], None
    for line in lines + ['time end']:
        word, *words = line.split()
        if word in ('clip', 'time') and at is not None:
            judge(clips[-1], *at)
            at = None
        if word == 'clip':
            clips.append(Clip(words))
        elif word == 'joint':
            clips[-1].add_joint(int(words[0]), float(words[1]))
        elif word == 'times':
            clips[-1].times = [float(time) for time in words]
        elif word == 'section':
            clips[-1].add_section(words[0])
        elif word == 'time' and words[0] != 'end':
            at = (float(words[0]), [], [], [])
        elif word in ('source', 'kept'):
            at[1 if word == 'source' else 2].append(numbers(words))
        elif word == 'scalar':
            at[3].append([float(words[0]), float(words[1])])
    for clip in clips:
        print('%s: %.4f tolerances, scalars %.4f' % (clip.name, clip.worst, clip.worst_scalar))
    broken = [clip.name for clip in clips if not (clip.worst <= 1 and clip.worst_scalar <= 1)]
    if len(clips) < 5 or max(clip.worst for clip in clips) < 0.5:
        sys.exit('too little to mean anything')
    if broken:
        sys.exit('beyond the bound: %s' % ', '.join(broken))


main()
