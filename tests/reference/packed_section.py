"""The packed section of a clip, decoded from docs/format/clip_packed_v1.md alone.

Slow, plain, and in double precision where the document does not ask for single: a second opinion for
the decoder in C. Numbers (integers) must agree exactly, values within rounding.
"""

import bisect
import math
import struct

ROTATION, TRANSLATION, SCALE, SCALAR = 'rotation', 'translation', 'scale', 'scalar'


class FormatError(Exception):
    """The bytes are not a packed section; the text says what is wrong."""


def need(condition, what):
    if not condition:
        raise FormatError(what)


def single(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


def signed_bits(data, bit, width):
    """A two's complement number of `width` bits at a place in a little-endian stream."""
    if width == 0:
        return 0
    word = int.from_bytes(data[bit // 8:(bit + width + 7) // 8], 'little') >> bit % 8
    number = word & (1 << width) - 1
    return number - (1 << width) if number >> width - 1 else number


class PackedSection:
    def __init__(self, section, joint_count, scalar_count, times=()):
        """times: of the clip the section stands in."""
        need(len(section) >= 40, 'shorter than its header')
        (self.sample_count, self.segment_log2, self.shape_count, self.rate, rotations, translations, scales, scalars,
         *exponents, data_size) = struct.unpack_from('<IHHdIIII4bI', section)
        self.counts = {ROTATION: rotations, TRANSLATION: translations, SCALE: scales, SCALAR: scalars}
        need(2 <= self.sample_count <= 1 << 24, 'sample_count')
        need(1 <= self.segment_log2 <= 4, 'segment_log2')
        need(1 <= self.shape_count <= 256, 'shape_count')
        need(0 <= self.rate < 1e30, 'samples_per_second')
        self.times = None if self.rate else list(times[:self.sample_count])
        self._check_times()
        self.exponents = dict(zip(self.counts, exponents))
        need(all(-60 <= exponent <= 40 for exponent in exponents) and exponents[0] <= -16, 'exponents')
        need(sum(self.counts.values()) > 0, 'no channels')
        self._read_parts(section, data_size)
        self._check_targets(joint_count, scalar_count)
        self._check_channels()
        self._check_segments()

    def _check_times(self):
        if self.times is not None:
            need(len(self.times) == self.sample_count, 'fewer times than samples')
            need(self.times[0] >= 0 and all(a < b for a, b in zip(self.times, self.times[1:])), 'times')

    def _read_parts(self, section, data_size):
        self.channel_count = 3 * sum(self.counts[kind] for kind in (ROTATION, TRANSLATION, SCALE)) + self.counts[SCALAR]
        self.segment_count = -(-(self.sample_count - 1) // (1 << self.segment_log2))
        at = 40

        def part(code, count):
            nonlocal at
            size = struct.calcsize('<' + code) * count
            need(at + size <= len(section), 'parts do not fit')
            values = struct.unpack_from('<%d%s' % (count, code), section, at)
            end = at + size
            at = (end + 3) // 4 * 4
            need(not any(section[end:at]), 'gap')
            return values

        rotations = self.counts[ROTATION]
        targets = part('I', sum(self.counts.values()))
        self.targets = {}
        first = 0
        for kind in (ROTATION, TRANSLATION, SCALE, SCALAR):
            self.targets[kind] = targets[first:first + self.counts[kind]]
            first += self.counts[kind]
        centres = part('b', 4 * rotations)
        self.centres = [centres[i::rotations] for i in range(rotations)]
        axes = part('b', 2 * rotations)
        self.axes = [(axes[i] / 128.0, axes[rotations + i] / 128.0) for i in range(rotations)]
        self.bases = part('f', self.channel_count - 3 * rotations)
        self.step_codes = part('B', self.channel_count)
        self.anchor_widths = part('B', self.channel_count)
        self.first_shapes = part('B', self.channel_count)
        shapes = part('B', 4 * self.shape_count)
        self.shapes = [shapes[4 * i:4 * i + 4] for i in range(self.shape_count)]
        self.segments = part('I', self.segment_count + 1)
        self.data = bytes(part('B', data_size))
        need(section[at:] == bytes(16), 'tail')

    def _check_targets(self, joint_count, scalar_count):
        for kind, targets in self.targets.items():
            limit = scalar_count if kind == SCALAR else joint_count
            need(all(a < b for a, b in zip(targets, targets[1:])), 'targets are not ascending')
            need(all(target < limit for target in targets), 'a target is out of range')

    def _check_channels(self):
        need(all(any(centre) for centre in self.centres), 'a centre is 0')
        need(all(math.isfinite(base) and abs(base) <= 1e18 for base in self.bases), 'a base')
        need(all(width <= 25 for width in self.anchor_widths), 'an anchor width')
        for shape in self.shapes:
            need(all(width <= 25 for width in shape), 'a width')
            need(not any(shape[self.segment_log2:]), 'a width of a level that segments lack')

    def _check_segments(self):
        end = 0
        for segment in range(self.segment_count):
            need(self.segments[segment] == end, 'a segment does not begin where the one before ends')
            self._need_codes(segment)
            end = self.segments[segment] + self._segment_bytes(segment)
        need(self.segments[self.segment_count] == end, 'the closing anchors')
        need(end + self._anchor_bytes() == len(self.data), 'data_size_bytes')

    def _need_codes(self, segment):
        padded = (self.channel_count + 7) // 8 * 8
        first = self.segments[segment] + self._anchor_bytes()
        need(first + padded // 2 <= len(self.data), 'a segment ends outside')
        for channel in range(self.channel_count, padded):
            need(self._code(segment, channel) == 0, 'unused codes')
        for channel in range(self.channel_count):
            need(self.first_shapes[channel] + self._code(segment, channel) < self.shape_count, 'a code without a shape')

    # --- where things stand -----------------------------------------------------------------

    def _anchor_bytes(self):
        return (sum(self.anchor_widths) + 7) // 8

    def _code(self, segment, channel):
        first = self.segments[segment] + self._anchor_bytes()
        return self.data[first + channel // 2] >> channel % 2 * 4 & 15

    def _width(self, segment, channel, level):
        return self.shapes[self.first_shapes[channel] + self._code(segment, channel)][level]

    def _level_samples(self, segment, level):
        first = segment << self.segment_log2
        samples = range(first + (1 << level), first + (1 << self.segment_log2), 2 << level)
        return [sample for sample in samples if sample < self.sample_count]

    def _segment_bytes(self, segment):
        bits = 0
        for level in range(self.segment_log2):
            row = sum(self._width(segment, channel, level) for channel in range(self.channel_count))
            bits += row * len(self._level_samples(segment, level))
        return self._anchor_bytes() + (self.channel_count + 7) // 8 * 4 + (bits + 7) // 8

    # --- numbers ----------------------------------------------------------------------------

    def _anchors(self, segment):
        bit = 8 * self.segments[segment]
        numbers = []
        for width in self.anchor_widths:
            numbers.append(signed_bits(self.data, bit, width))
            bit += width
        return numbers

    def segment_numbers(self, segment):
        """{sample: numbers of all channels} for a whole segment, both anchors included."""
        first = segment << self.segment_log2
        last = first + (1 << self.segment_log2)
        numbers = {first: self._anchors(segment)}
        numbers.update({sample: self._anchors(segment + 1) for sample in range(min(last, self.sample_count), last + 1)})
        bit = 8 * (self.segments[segment] + self._anchor_bytes() + (self.channel_count + 7) // 8 * 4)
        for level in reversed(range(self.segment_log2)):
            for sample in self._level_samples(segment, level):
                row = []
                for channel in range(self.channel_count):
                    width = self._width(segment, channel, level)
                    before, behind = (numbers[sample + side][channel] for side in (-(1 << level), 1 << level))
                    row.append((before + behind) // 2 + signed_bits(self.data, bit, width))
                    bit += width
                numbers[sample] = row
        return numbers

    def numbers(self, sample):
        segment = min(sample >> self.segment_log2, self.segment_count - 1)
        return self.segment_numbers(segment)[sample]

    # --- values -----------------------------------------------------------------------------

    def value(self, numbers, kind, index, component=0):
        channel = self._channel(kind, index, component)
        code = self.step_codes[channel]
        scaled = numbers[channel] * (1 + code % 16 / 16) * 2.0 ** (code // 16 + self.exponents[kind])
        return scaled if kind == ROTATION else self.bases[channel - 3 * self.counts[ROTATION]] + scaled

    def _channel(self, kind, index, component):
        first = 0
        for before in self.counts:
            if before == kind:
                break
            first += 3 * self.counts[before]
        if kind == SCALAR:
            return first + index
        group = index // 8 * 8
        return first + 3 * group + component * min(8, self.counts[kind] - group) + index - group

    def _vector(self, numbers, kind, index):
        return [self.value(numbers, kind, index, component) for component in range(3)]

    def chart(self, numbers, index):
        """The unit quaternion X of a rotation."""
        a, b, c = self._vector(numbers, ROTATION, index)
        m, k = a * a + b * b, c * c
        divisor = (1 + m) * (1 + k)
        return [(2 * a * (1 - k) + 4 * b * c) / divisor, (2 * b * (1 - k) - 4 * a * c) / divisor,
                (1 - m) * 2 * c / divisor, (1 - m) * (1 - k) / divisor]

    def rotation(self, chart, index):
        u, v = self.axes[index]
        return normalize(multiply(multiply(self.centres[index], chart), (-u, -v, 0.0, 1.0)))

    def position(self, time_s):
        """(sample, fraction) of a time."""
        if self.times is not None:
            return self._position_among_times(time_s)
        place = time_s * self.rate
        if place >= self.sample_count - 1:
            return self.sample_count - 1, 0.0
        sample = math.floor(place)
        return sample, single(place - sample)

    def _position_among_times(self, time_s):
        if time_s <= self.times[0]:
            return 0, 0.0
        sample = bisect.bisect_right(self.times, time_s) - 1
        if sample == self.sample_count - 1:
            return sample, 0.0
        before, behind = self.times[sample:sample + 2]
        return sample, single((time_s - before) / (behind - before))

    def at(self, time_s):
        """{(kind, target): value} at a time."""
        sample, fraction = self.position(time_s)
        before = self.numbers(sample)
        behind = self.numbers(sample + 1) if fraction > 0 else before
        pose = {}
        for index, target in enumerate(self.targets[ROTATION]):
            pose[ROTATION, target] = self.rotation(slerp(self.chart(before, index), self.chart(behind, index), fraction), index)
        for kind in (TRANSLATION, SCALE):
            for index, target in enumerate(self.targets[kind]):
                a, b = self._vector(before, kind, index), self._vector(behind, kind, index)
                pose[kind, target] = [x + (y - x) * fraction for x, y in zip(a, b)]
        for index, target in enumerate(self.targets[SCALAR]):
            a, b = self.value(before, SCALAR, index), self.value(behind, SCALAR, index)
            pose[SCALAR, target] = a + (b - a) * fraction
        return pose


def multiply(p, q):
    px, py, pz, pw = p
    qx, qy, qz, qw = q
    return [pw * qx + px * qw + py * qz - pz * qy, pw * qy - px * qz + py * qw + pz * qx,
            pw * qz + px * qy - py * qx + pz * qw, pw * qw - px * qx - py * qy - pz * qz]


def normalize(q):
    length = math.sqrt(sum(x * x for x in q))
    return [x / length for x in q]


def slerp(a, b, t):
    if t == 0:
        return a
    cosine = sum(x * y for x, y in zip(a, b))
    if cosine < 0:
        b, cosine = [-x for x in b], -cosine
    angle = math.atan2(math.sqrt(max(0.0, sum((x - y * cosine) ** 2 for x, y in zip(a, b)))), cosine)
    if angle < 1e-12:
        return a
    return [(x * math.sin((1 - t) * angle) + y * math.sin(t * angle)) / math.sin(angle) for x, y in zip(a, b)]
