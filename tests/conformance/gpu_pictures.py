#!/usr/bin/env python3
"""gpu_pictures.py PATH/TO/marrow TENTACLE.glb BIPED.glb

What `marrow render` writes can be read again and shows something: the PNG decodes to the size
asked for, a character stands in the middle of it and not at its edges, another moment gives
another picture, the skeleton overlay, heat and bounds add their colours, a crowd stands in as many
places as it has characters, vertices of the CPU and the GPU give one picture, a blend of both
methods lies between them, and the WebP has its frames.

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
    if kind == 2:
        line[:] = bytes((here + up) & 255 for here, up in zip(line, above))
    if kind in (0, 2):
        return
    for i, up in enumerate(above):
        left = line[i - 4] if i >= 4 else 0
        if kind == 1:
            add = left
        elif kind == 3:
            add = (left + up) // 2
        else:
            corner = above[i - 4] if i >= 4 else 0
            from_left, from_up, from_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            add = corner
            if from_left <= from_up and from_left <= from_corner:
                add = left
            elif from_up <= from_corner:
                add = up
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
        if "no OpenGL 3.3 context" in done.stderr or "EGL finds no display" in done.stderr:
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


def pixels(rows):
    for row in rows:
        for i in range(0, len(row), 4):
            yield row[i:i + 4]


def count(rows, wanted):
    return sum(1 for pixel in pixels(rows) if pixel[3] > 127 and wanted(*pixel[:3]))


def difference(rows, others):
    """-> how many pixels differ by more than 8 of 255 somewhere"""
    return sum(1 for a, b in zip(pixels(rows), pixels(others))
               if max(abs(x - y) for x, y in zip(a, b)) > 8)


def blobs(rows):
    """-> how many connected groups of at least 12 covered pixels there are"""
    width, height = len(rows[0]) // 4, len(rows)
    left = {(x, y) for y in range(height) for x in range(width) if rows[y][x * 4 + 3] > 127}
    found = 0
    while left:
        group = [left.pop()]
        for x, y in group:
            for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if near in left:
                    left.remove(near)
                    group.append(near)
        found += len(group) >= 12
    return found


def check_overlays(draw):
    bones = count(draw("--skeleton"), lambda r, g, b: r > 150 and 60 < g < 200 and b < 110)
    if bones < 20:
        fail("the skeleton overlay shows %d pixels of its colours" % bones)
    box = count(draw("--box"), lambda r, g, b: r < 60 and g < 100 and 100 < b < 180)
    if box < 60:
        fail("the bounds show %d pixels of their colour" % box)
    heat = draw("--heat", "0")
    for name, wanted in (("grey", lambda r, g, b: max(r, g, b) - min(r, g, b) < 40),
                         ("blue", lambda r, g, b: b > r + 80),
                         ("red", lambda r, g, b: r > g + 80)):
        if count(heat, wanted) < 20:
            fail("heat shows %d pixels of %s" % (count(heat, wanted), name))


def check_methods(draw):
    gpu, dual = draw("--method", "lbs"), draw("--method", "dqs")
    if difference(gpu, dual) < 100:
        fail("both methods give one picture")
    for name, here in (("lbs", gpu), ("dqs", dual)):
        apart = difference(here, draw("--method", name, "--cpu"))
        if apart > 4:
            fail("%s: CPU and GPU differ at %d pixels" % (name, apart))
    ends = [draw("--method", "blended", "--blend", w) for w in ("0", "1")]
    if ends != [gpu, dual]:
        fail("a blend of 0 or 1 is not the method itself")
    half = draw("--method", "blended")
    if difference(half, gpu) < 40 or difference(half, dual) < 40:
        fail("a blend of a half looks like one of its ends")
    apart = difference(half, draw("--method", "blended", "--cpu"))
    if apart > 4:
        fail("blended: CPU and GPU differ at %d pixels" % apart)


def main():
    marrow, tentacle, biped = sys.argv[1:4]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "b.png")

        def drawer(model, *always):
            def draw(*options):
                render(marrow, model, "--size", "160x120", "--transparent", "-o", path,
                       *always, *options)
                return read_png(path)[2]
            return draw

        check_still(marrow, tentacle, folder)
        still = check_still(marrow, biped, folder)
        if drawer(biped)("--clip", "walk", "--time", "0.3") == still:
            fail("another clip gives the same picture")
        check_overlays(drawer(biped, "--clip", "0"))
        check_methods(drawer(biped, "--clip", "run", "--time", "0.1", "--size", "320x240"))
        groups = blobs(drawer(tentacle, "--pitch", "80", "--crowd", "9")("--clip", "bend"))
        if groups != 9:
            fail("a crowd of 9 stands in %d places" % groups)
        moving = os.path.join(folder, "walk.webp")
        render(marrow, biped, "--clip", "walk", "--frames", "6", "--size", "160x120", "-o", moving)
        width, height, frames = webp_frames(moving)
        if (width, height, len(frames)) != (160, 120, 6) or min(frames) <= 0:
            fail("the moving picture is %dx%d with frames of %s ms" % (width, height, frames))
    print("the pictures are as they should be")


if __name__ == "__main__":
    main()
