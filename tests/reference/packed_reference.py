"""The decoder in C against the one that was written from the document alone (packed_section.py).

usage: packed_reference.py PACKED_DUMP
"""

import subprocess
import sys

from packed_section import FormatError, PackedSection, ROTATION


def distance(kind, value, expected):
    """Of a rotation the angle to either sign, in rad; else the error relative to the size."""
    if kind == ROTATION:
        signs = [sum((a - sign * b) ** 2 for a, b in zip(value, expected)) ** 0.5 for sign in (1, -1)]
        return 2 * min(signs)
    expected = expected if isinstance(expected, list) else [expected]
    return max(abs(a - b) / (abs(b) + 100) for a, b in zip(value, expected))


def check_damage(section, joints, scalars, times, byte, mask, accepted):
    damaged = bytearray(section)
    damaged[byte] ^= mask
    try:
        PackedSection(bytes(damaged), joints, scalars, times)
        verdict = True
    except FormatError:
        verdict = False
    if verdict != accepted:
        sys.exit('byte %d changed by %d: the library %s it, the reference does not agree'
                 % (byte, mask, 'accepts' if accepted else 'refuses'))


def main():
    lines = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    worst, values, refused = {}, 0, 0
    for line in lines:
        words = line.split()
        if words[0] == 'case':
            joints, scalars, times = int(words[1]), int(words[2]), []
        elif words[0] == 'times':
            times = [float(word) for word in words[1:]]
        elif words[0] == 'section':
            section = bytes.fromhex(words[1])
            clip = PackedSection(section, joints, scalars, times)
        elif words[0] == 'time':
            pose = clip.at(float(words[1]))
        elif words[0] == 'damaged':
            check_damage(section, joints, scalars, times, int(words[1]), int(words[2]), words[3] == '1')
            refused += words[3] == '0'
        else:
            kind = words[0]
            error = distance(kind, [float(word) for word in words[2:]], pose[kind, int(words[1])])
            worst[kind] = max(worst.get(kind, 0), error)
            values += 1
    print('%d values, %d damaged sections refused by both; largest differences %s'
          % (values, refused, ', '.join('%s %.2g' % item for item in sorted(worst.items()))))
    if values < 1000 or refused < 100:
        sys.exit('too few to mean anything')
    if worst[ROTATION] > 1.5e-6 or any(worst[kind] > 4e-7 for kind in worst if kind != ROTATION):
        sys.exit('the library and the reference differ')


main()
