#!/usr/bin/env python3
"""error_picture.py PATH/TO/marrow

The picture of `marrow compare` shows what is known: of two clips of a small arm one moves its shoulder by 3 m at 1 of
2 s and the other does not, so with a shell of 0 the rows of shoulder and elbow have the colour of nothing in the first half and that
of the largest error in the second, or of too much where --limit says so. Rows are in the order of the tree, each with
a name before and a number behind it.

Prints what is wrong; exits with 1 if anything is.
"""
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "conformance"))
import files  # noqa: E402
from gpu_pictures import fail, read_png  # noqa: E402

NOTHING, LARGEST, OVER = (241, 243, 246), (104, 22, 92), (210, 58, 30)
LEFT, RIGHT, TOP, ROW = 252, 1284, 208, 17  # of the rows, in pixels


def draw(marrow, folder, *options):
    path = os.path.join(folder, "error.png")
    command = [marrow, "compare", "arm.gltf", "arm.gltf", "--clip", "bend", "--with", "0", "--shell", "0",
               "--picture", path, *options]
    subprocess.run(command, cwd=os.path.join(folder, "files"), capture_output=True, check=False)
    return read_png(path)


def pixel(rows, x, y):
    return tuple(rows[y][4 * x:4 * x + 3])


def has_ink(rows, left, right, top):
    paper = pixel(rows, 5, 5)
    return any(pixel(rows, x, y) != paper for y in range(top, top + ROW) for x in range(left, right))


def expect(rows, joint, x, colour):
    for y in (TOP + joint * ROW, TOP + joint * ROW + ROW - 2):
        if pixel(rows, x, y) != colour:
            fail("row %d, column %d is %s and not %s" % (joint, x, pixel(rows, x, y), colour))


def check(rows, largest):
    middle = (LEFT + RIGHT) // 2
    for joint, moves in enumerate((False, True, True, False)):  # Armature, Upper, Fore, Sleeve
        for x in (LEFT, LEFT + 100, middle - 140):
            expect(rows, joint, x, NOTHING)
        for x in (middle + 2, RIGHT - 100, RIGHT - 1):
            expect(rows, joint, x, largest if moves else NOTHING)
        if not has_ink(rows, 20, LEFT, TOP + joint * ROW) or not has_ink(rows, RIGHT, 1390, TOP + joint * ROW):
            fail("row %d has no name or number" % joint)
    if has_ink(rows, 20, LEFT - 10, TOP + 4 * ROW):
        fail("there is a fifth row")


def main():
    marrow = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        files.write_all(os.path.join(folder, "files"))
        width, height, rows = draw(marrow, folder)
        if (width, height) != (1400, TOP + 4 * ROW + 64):
            fail("it is %d x %d pixels" % (width, height))
        check(rows, LARGEST)
        check(draw(marrow, folder, "--limit", "2.5")[2], OVER)
        check(draw(marrow, folder, "--limit", "3")[2], LARGEST)
    print("the picture shows the errors")


if __name__ == "__main__":
    main()
