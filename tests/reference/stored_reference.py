"""Stored clips of the library, decoded from the document alone (stored_clip.py).

usage: stored_reference.py STORED_DUMP
"""

import subprocess
import sys

from packed_section import FormatError
from stored_clip import decode


def main():
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    clips, sizes, refused = 0, [0, 0], 0
    for name, stored, clip in zip(lines[0::3], lines[1::3], lines[2::3]):
        stored, clip = bytes.fromhex(stored), bytes.fromhex(clip)
        if decode(stored) != clip:
            sys.exit('%s: another clip comes out' % name)
        damaged = bytearray(stored)
        damaged[88 + clips % 50] ^= 1 << clips % 8
        try:
            decode(bytes(damaged))
        except FormatError:
            refused += 1
        clips += 1
        sizes = [sizes[0] + len(clip), sizes[1] + len(stored)]
    print('%d clips, %d bytes, stored in %d' % (clips, *sizes))
    if clips < 20 or refused != clips:
        sys.exit('too few, or a damaged one was not refused')


if __name__ == '__main__':
    main()
