#!/usr/bin/env python3
"""gpu_pictures.py PATH/TO/marrow TENTACLE.glb BIPED.glb

What `marrow render` writes can be read again and shows something: the PNG decodes to the size
asked for, a character stands in the middle of it and not at its edges, another moment gives
another picture, the skeleton overlay adds its colours, and the WebP has its frames.

Prints what is wrong; exits with 1 if anything is, with 77 if there is no OpenGL.
"""
import os
import struct
import subprocess
import sys
import tempfile
import zlib


def fail(text):
    print("FAIL " + text)
    sys.exit(1)


def read_png(path):
    """-> (width, height, rows), a row being bytes of RGBA."""
    with open(path, "rb") as f:
        data = f.read()
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        fail("%s is no PNG" % path)
    at, packed, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if zlib.crc32(kind + body) != struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]:
            fail("%s: the checksum of %s is wrong" % (path, kind))
        if kind == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    width, height = header[0], header[1]
    if header[2:] != (8, 6, 0, 0, 0):
        fail("%s: expected 8-bit RGBA, got %s" % (path, header[2:]))
    flat, stride, rows, above = zlib.decompress(packed), width * 4, [], bytes(width * 4)
    for y in range(height):
        line = bytearray(flat[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        undo_filter(flat[y * (stride + 1)], line, above)
        above = bytes(line)
        rows.append(above)
    return width, height, rows


def undo_filter(kind, line, above):
    """The five filters of the PNG specification, section 9.2."""
    for i in range(len(line)):
        left = line[i - 4] if i >= 4 else 0
        up, corner = above[i], above[i - 4] if i >= 4 else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up
        elif kind == 3:
            add = (left + up) // 2
        elif kind == 4:
            guess = left + up - corner
            add = min((abs(guess - left), 0, left), (abs(guess - up), 1, up),
                      (abs(guess - corner), 2, corner))[2]
        else:
            add = 0
        line[i] = (line[i] + add) & 255


def webp_frames(path):
    """-> (width, height, [duration in ms of each frame])"""
    with open(path, "rb") as f:
        data = f.read()
    if data[:4] != b"RIFF" or data[8:12] != b"WEBP":
        fail("%s is no WebP" % path)
    at, size, frames = 12, None, []
    while at + 8 <= len(data):
        kind, length = struct.unpack("<4sI", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"VP8X":
            size = (1 + int.from_bytes(body[4:7], "little"), 1 + int.from_bytes(body[7:10], "little"))
        elif kind == b"ANMF":
            frames.append(int.from_bytes(body[12:15], "little"))
        at += 8 + length + (length & 1)
    return size[0], size[1], frames


def render(marrow, *arguments):
    done = subprocess.run([marrow, "render"] + list(arguments), capture_output=True, text=True)
    if done.returncode != 0:
        if "OpenGL" in done.stderr or "EGL" in done.stderr:
            print("skipped: " + done.stderr.strip())
            sys.exit(77)
        fail("marrow render %s: exit %d: %s" % (" ".join(arguments), done.returncode, done.stderr))


def coverage(rows):
    """-> (share of the pixels that are covered, whether an edge is touched)"""
    covered, edge = 0, False
    for y, row in enumerate(rows):
        alphas = row[3::4]
        here = sum(1 for a in alphas if a > 127)
        covered += here
        if here and (y in (0, len(rows) - 1) or alphas[0] > 127 or alphas[-1] > 127):
            edge = True
    return covered / (len(rows) * (len(rows[0]) // 4)), edge


def edge_brightness(rows):
    """-> mean brightness of partly covered pixels as a share of the covered ones'. Colours
    multiplied by alpha, dark fringes, would make it about a half."""
    sums = {True: [0, 0], False: [0, 0]}
    for row in rows:
        for i in range(0, len(row), 4):
            if row[i + 3] > 0:
                kind = sums[row[i + 3] < 255]
                kind[0] += sum(row[i:i + 3])
                kind[1] += 1
    return (sums[True][0] / sums[True][1]) / (sums[False][0] / sums[False][1])


def check_still(marrow, model, folder):
    path = os.path.join(folder, "a.png")
    render(marrow, model, "--clip", "0", "--size", "160x120", "--transparent", "-o", path)
    width, height, rows = read_png(path)
    if (width, height) != (160, 120):
        fail("%s: the picture is %dx%d" % (model, width, height))
    share, edge = coverage(rows)
    if not 0.02 < share < 0.6 or edge:
        fail("%s: covers %.3f of the picture, touches the edge: %s" % (model, share, edge))
    brightness = edge_brightness(rows)
    if brightness < 0.75:
        fail("%s: its edges have %.2f of the brightness inside" % (model, brightness))
    return rows


def main():
    marrow, tentacle, biped = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        check_still(marrow, tentacle, folder)
        still = check_still(marrow, biped, folder)
        other = os.path.join(folder, "b.png")
        common = [biped, "--size", "160x120", "--transparent", "-o", other]
        render(marrow, "--clip", "walk", "--time", "0.3", *common)
        if read_png(other)[2] == still:
            fail("another clip gives the same picture")
        render(marrow, "--clip", "0", "--skeleton", *common)
        bones = sum(1 for row in read_png(other)[2] for i in range(0, len(row), 4)
                    if row[i] > 150 and 60 < row[i + 1] < 200 and row[i + 2] < 90)
        if bones < 20:
            fail("the skeleton overlay shows %d pixels of its colours" % bones)
        moving = os.path.join(folder, "walk.webp")
        render(marrow, biped, "--clip", "walk", "--frames", "6", "--size", "160x120", "-o", moving)
        width, height, frames = webp_frames(moving)
        if (width, height, len(frames)) != (160, 120, 6) or min(frames) <= 0:
            fail("the moving picture is %dx%d with frames of %s ms" % (width, height, frames))
    print("the pictures are as they should be")


if __name__ == "__main__":
    main()
