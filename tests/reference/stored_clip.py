"""Stored clips, decoded from docs/format/clip_stored_v1.md alone.

Slow and plain: a second opinion for the decoder in C. The clip that comes out must be the same, byte for byte.
"""

import struct

from packed_section import FormatError, need

MASK = 0xffffffff
WORD_SOURCES = [1, 1, 2, 3, 4, 5, 8, 6, 7, 10, 16, 20, 40]
DECAYS = [35079, 38746, 42126, 45194, 47947, 50391, 52543, 54423, 56056, 57467,
          58681, 59722, 60611, 61369, 62014, 62561, 63025, 63418, 63751, 64031]
FORMS = [(0, 0, 0), (32, 0, 0), (16, 0, 0), (48, -16, 0), (24, 8, 0)]


def signed(x):
    """As a signed number of 32 bits."""
    x &= MASK
    return x - (1 << 32) if x >> 31 else x


class Table:
    def __init__(self, rate, most_rate, starts=None):
        self.rate, self.most_rate = rate, most_rate
        self.left = 1 << rate
        self.starts = starts or [2048 * i for i in range(16)]

    def learn(self, token):
        for i in range(16):
            target = 8 * i + (32640 if i > token else 0)
            self.starts[i] += (target - self.starts[i]) >> self.rate
        self.left -= 1
        if self.left == 0 and self.rate < self.most_rate:
            self.rate += 1
            self.left = 1 << self.rate


class Coder:
    def __init__(self, words):
        self.words, self.next = words, 0
        self.state = self._word()
        self.state |= self._word() << 32

    def _word(self):
        word = self.words[self.next] if self.next < len(self.words) else 0
        self.next += 1
        return word

    def _fill(self):
        if self.state < 1 << 31:
            self.state = self.state << 32 | self._word()

    def token(self, table):
        place = self.state % 32768
        token = max(i for i in range(16) if table.starts[i] <= place)
        end = table.starts[token + 1] if token < 15 else 32768
        start = table.starts[token]
        self.state = (end - start) * (self.state >> 15) + place - start
        self._fill()
        table.learn(token)
        return token

    def bits(self, count):
        if count == 0:
            return 0
        bits = self.state & (1 << count) - 1
        self.state >>= count
        self._fill()
        return bits

    def is_at_end(self):
        return self.state == 1 << 31 and self.next == len(self.words)


def mix(a):
    b = a * 0x9e3779b1 & MASK
    return b ^ b >> 15


class WordModel:
    def __init__(self):
        self.after_one, self.after_two = [0] * 4096, [0] * 4096
        self.sources = [Table(2, 5) for _ in range(16)]
        self.high = [[Table(2, 5) for _ in range(32)] for _ in range(4)]
        self.low = {}
        self.source = 15

    def decode(self, coder, words):
        def back(distance):
            return words[-distance] if distance <= len(words) else 0

        two, one = mix(back(1) + mix(back(2)) & MASK) % 4096, mix(back(1)) % 4096
        self.source = coder.token(self.sources[self.source])
        if self.source == 15:
            word = self._literal(coder, back(1))
        elif self.source < 2:
            word = (self.after_one if self.source else self.after_two)[one if self.source else two]
        else:
            word = back(WORD_SOURCES[self.source - 2]) + (self.source == 3) & MASK
        self.after_two[two] = self.after_one[one] = word
        words.append(word)

    def _literal(self, coder, before):
        word, above = 0, before >> 27
        for place in (3, 2, 1, 0):
            high = coder.token(self.high[place][above])
            low = coder.token(self.low.setdefault((place, above, high), Table(2, 5)))
            word = word << 8 | high << 4 | low
            above = (high << 4 | low) >> 3
        return word


def near_table(index):
    tails = [1 << 30]
    for _ in range(160):
        tails.append(tails[-1] * DECAYS[index] >> 16)
    width = 8 if index < 16 else 16
    starts = [0]
    for i in range(1, 16):
        u = (2 * (i - 8) - 1) * width // 2 - 2
        below = tails[-u] if u < 0 else (1 << 31) - tails[u]
        starts.append(12 * i + (below * 32576 >> 31))
    return Table(5, 8, starts)


def log(a):
    e = a.bit_length() - 1
    return 16 * e + (a >> (e - 4)) % 16


class Stream:
    def __init__(self, spread):
        self.fast = self.slow = spread


class NumberModel:
    def __init__(self):
        self.near = [near_table(i) for i in range(20)]
        self.far = [Table(4, 6) for _ in range(20)]
        self.mood = self.mood_before = 0

    def decode(self, coder, stream, shift, predicted):
        level = log((2 * stream.fast + stream.slow) // 3 + 128)
        kind = min(max((level + (3 * self.mood_before >> 6) + 2 >> 2) - 26, 0), 95)
        coarse, index = (0, kind) if kind < 16 else (1 + (kind - 16) // 4, 16 + kind % 4)
        nearest = signed(predicted + 16) >> 5
        token = coder.token(self.near[index])
        step = token - 8
        if token in (0, 15):
            length = coder.token(self.far[index])
            beyond = coder.bits(28) if length == 15 else (1 << length) + coder.bits(length)
            step = -8 - (beyond - 1) if token == 0 else 7 + (beyond - 1)
        off = (step << coarse) + coder.bits(coarse) - (1 << coarse >> 1)
        if signed(predicted - 32 * nearest) < 0:
            off = -off
        number = signed(nearest + off)
        size = min(abs(signed(32 * number - predicted)), 1 << 26)
        self.mood_before = self.mood
        self.mood += 16 * (log(16 * size + 128) - level) - self.mood >> 4
        stream.fast += 16 * size - stream.fast >> 2
        stream.slow += 16 * size - stream.slow >> shift
        return number


class Motion:
    """The numbers of a packed section, by its header and parts."""

    def __init__(self, coder, section):
        self.coder, self.section = coder, section
        self.forms, self.others, self.closings = Table(2, 5), Table(2, 5), Table(2, 5)
        self.numbers = NumberModel()
        self._read_predictors()
        self._read_samples()

    def _read_predictors(self):
        model = NumberModel()
        own = [Stream(8192) for _ in range(3)]
        distances, weights = Stream(8192), Stream(8192)
        self.predictors = []
        for channel in range(self.section.channels):
            form = self.coder.token(self.forms)
            need(form <= 5, 'a form')
            mine = FORMS[form] if form < 5 else tuple(model.decode(self.coder, stream, 4, 0) for stream in own)
            count = self.coder.token(self.others)
            need(count <= 4, 'others')
            others = []
            for _ in range(count):
                distance = model.decode(self.coder, distances, 4, 0)
                others.append((channel - distance, model.decode(self.coder, weights, 4, 0)))
                need(1 <= distance <= channel, 'a distance')
            need(all(abs(weight) <= 127 for weight in mine + tuple(weight for _, weight in others)), 'a weight')
            self.predictors.append((mine, others))

    def _read_samples(self):
        self.streams = [Stream(1 << min(width, 23) + 7 if width else 0) for width in self.section.anchor_widths]
        self.rows = []
        for sample in range(self.section.sample_count):
            self.rows.append(self._row(sample))
            if sample == 0:
                for stream, number in zip(self.streams, self.rows[0]):
                    stream.fast = stream.slow = 64 * min(abs(number), 1 << 24)

    def _row(self, sample):
        shift = 2 if sample < 4 else 3 if sample < 8 else 4
        row, surprises = [], []
        past = [self.rows[max(sample - k, 0)] for k in (1, 2, 3, 4)] if sample else None
        for channel, (own, others) in enumerate(self.predictors):
            own_past = 0
            if sample:
                v = [before[channel] for before in past]
                own_past = 32 * v[0] + sum(weight * (v[k] - v[k + 1]) for k, weight in enumerate(own))
            predicted = own_past
            if sample:
                predicted += signed(sum(weight * surprises[other] for other, weight in others)) >> 5
            number = self.numbers.decode(self.coder, self.streams[channel], shift, signed(predicted))
            need(-1 << 25 <= number < 1 << 25, 'a number')
            row.append(number)
            surprises.append(signed(32 * number - own_past))
        return row

    def read_closing(self, left, place, size):
        """The right anchors of a segment of `size` samples whose place `place` is the last sample."""
        row = []
        for channel, last in enumerate(self.rows[-1]):
            token = self.coder.token(self.closings)
            need(token <= 2, 'a closing anchor')
            if token == 2:
                row.append(self.numbers.decode(self.coder, self.streams[channel], 4, signed(32 * last)))
                continue
            product = (last - left[channel]) * (size - place)
            line = last + (abs(product) // place) * (1 if product > 0 else -1)
            row.append(min(max(line, -1 << 24), (1 << 24) - 1) if token else last)
        return row


class Section:
    """What stands in front of the segments of a packed section, and the writing of what follows from the numbers."""

    def __init__(self, words, first):
        data = struct.pack('<%dI' % (len(words) - first), *words[first:])
        (self.sample_count, self.log2, shape_count, _, rotations, translations, scales, scalars, _,
         self.data_bytes) = struct.unpack_from('<IHHdIIII4sI', data)
        self.channels = 3 * (rotations + translations + scales) + scalars
        sizes = [(40, 0), (4, rotations + translations + scales + scalars), (4, rotations), (2, rotations),
                 (4, self.channels - 3 * rotations), (1, self.channels), (1, self.channels), (1, self.channels),
                 (4, shape_count)]
        starts, end = [], 0
        for size, count in sizes:
            starts.append(end)
            end = (end + (size if count == 0 and size == 40 else size * count) + 3) // 4 * 4
        self.segments_at = end
        self.segment_count = -(-(self.sample_count - 1) // (1 << self.log2))
        if len(data) < end:
            return
        self.anchor_widths = data[starts[6]:starts[6] + self.channels]
        self.first_shapes = data[starts[7]:starts[7] + self.channels]
        shapes = data[starts[8]:starts[8] + 4 * shape_count]
        self.shapes = [shapes[4 * i:4 * i + 4] for i in range(shape_count)]

    def size(self):
        return (self.segments_at + 4 * (self.segment_count + 1) + self.data_bytes + 3) // 4 * 4 + 16

    def _levels(self, first):
        for level in reversed(range(self.log2)):
            samples = range(first + (1 << level), first + (1 << self.log2), 2 << level)
            yield level, [sample for sample in samples if sample < self.sample_count]

    def _residual(self, at, sample, level, channel):
        before, behind = at(sample - (1 << level))[channel], at(sample + (1 << level))[channel]
        return at(sample)[channel] - (before + behind) // 2

    def _code(self, at, first, channel):
        need_widths = [0] * 4
        for level, samples in self._levels(first):
            for sample in samples:
                residual = self._residual(at, sample, level, channel)
                width = 0 if residual == 0 else (residual if residual > 0 else ~residual).bit_length() + 1
                need_widths[level] = max(need_widths[level], width)
        for code in range(16):
            shape = self.first_shapes[channel] + code
            if shape < len(self.shapes) and all(a >= b for a, b in zip(self.shapes[shape], need_widths)):
                return code
        raise FormatError('no shape is wide enough')

    def write(self, motion):
        """Segments, data and tail."""
        size, count = 1 << self.log2, self.sample_count
        rows, closing = motion.rows, None
        if (count - 1) % size:
            closing = motion.read_closing(rows[(count - 1) // size * size], (count - 1) % size, size)

        def at(sample):
            return rows[sample] if sample < count else closing

        offsets, data = [], bytearray()
        for segment in range(self.segment_count + 1):
            first = segment * size
            offsets.append(len(data))
            data += pack_bits((number, width) for number, width in zip(at(first), self.anchor_widths))
            if segment == self.segment_count:
                break
            codes = [self._code(at, first, channel) for channel in range(self.channels)]
            data += pack_bits((code, 4) for code in codes).ljust((self.channels + 7) // 8 * 4, b'\0')
            shapes = [self.shapes[self.first_shapes[channel] + code] for channel, code in enumerate(codes)]
            data += pack_bits((self._residual(at, sample, level, channel), shapes[channel][level])
                              for level, samples in self._levels(first)
                              for sample in samples for channel in range(self.channels))
        need(len(data) == self.data_bytes, 'the segments do not fill the data')
        return struct.pack('<%dI' % len(offsets), *offsets) + bytes(data)


def pack_bits(numbers):
    bits, count = 0, 0
    for number, width in numbers:
        need(number == 0 if width == 0 else -1 << width - 1 <= number < 1 << width, 'a number that is too wide')
        bits |= (number & (1 << width) - 1) << count
        count += width
    return bits.to_bytes((count + 7) // 8, 'little')


def checksum(content):
    def step(state, word):
        mixed = (state ^ word) * 0x9e3779b97f4a7c15 & (1 << 64) - 1
        return mixed ^ mixed >> 32

    state = step(0, len(content))
    for at in range(0, len(content), 8):
        state = step(state, int.from_bytes(content[at:at + 8], 'little'))
    return state


def decode(stored):
    """The bytes of the clip."""
    magic, kind, version, size, check, skeleton = struct.unpack_from('<IHHQQQ', stored)
    encoding, channels, log2, word_count, clip_bytes = struct.unpack_from('<IIIIQ', stored, 64)
    need((magic, kind, version, encoding) == (0x4157524d, 2, 1, 3), 'not a stored clip')
    need(size == len(stored) and check == checksum(stored[64:]), 'damaged')
    need(size == (88 + 4 * word_count + 63) // 64 * 64, 'word_count')
    need(clip_bytes % 64 == 0 and clip_bytes <= 1024 * size + 65536, 'clip_size_bytes')
    coder = Coder(struct.unpack_from('<%dI' % word_count, stored, 88))
    model, words = WordModel(), []

    def read_words(end):
        need(end <= clip_bytes, 'words outside the clip')
        while 4 * len(words) < end - 64:
            model.decode(coder, words)

    rest = b''
    if channels == 0:
        read_words(clip_bytes)
    else:
        read_words(184)
        packed_offset, = struct.unpack('<Q', struct.pack('<2I', *words[(PACKED_OFFSET - 64) // 4:][:2]))
        read_words(packed_offset + 40)
        first = (packed_offset - 64) // 4
        read_words(packed_offset + Section(words, first).segments_at)
        section = Section(words, first)
        need((section.channels, section.log2) == (channels, log2), 'the motion')
        need((packed_offset + section.size() + 63) // 64 * 64 == clip_bytes, 'the section is not the last')
        rest = section.write(Motion(coder, section))
    need(coder.is_at_end(), 'the coder is not at its end')
    content = (struct.pack('<%dI' % len(words), *words) + rest).ljust(clip_bytes - 64, b'\0')
    return struct.pack('<IHHQQQ32x', magic, 2, 1, clip_bytes, checksum(content), skeleton) + content


PACKED_OFFSET = 176
