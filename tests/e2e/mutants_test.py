#!/usr/bin/env python3
"""Recordings that are wrong behind their checksums: the checksums are right, what they vouch for is not.

Each mutant goes through the verbs that read recordings. Whatever they say, none dies of a signal, hangs, or takes more memory than
a recording of that size may; and no name from a mutant reaches the terminal with control characters in it.

WALKABOUT_MUTANTS is how many are made, WALKABOUT_SEED which: the same number makes the same mutants of the same recording.
"""
import ctypes
import os
import pathlib
import random
import re
import resource
import struct
import unittest
import zlib

from harness import CLI, EndToEnd, app, finish, limit, main, start

MUTANTS = int(os.environ.get("WALKABOUT_MUTANTS", "60"))
SEED = int(os.environ.get("WALKABOUT_SEED", "1"))
MEMORY = 1 << 30  # of addresses, so more than is ever in use
MANY_BYTES = 10_000_000  # of records that are all the same
HANGS_S = 120  # Not a bound on its speed: a mutant takes milliseconds
HEADER = b"\x89WALK\r\n\x1a" + struct.pack("<II", 1, 0)
SESSION, THREAD, MODULE, METHOD, NODES, SAMPLES, TYPES = 1, 2, 3, 4, 7, 8, 17
# Around the limits of recording/format.md, and where integers of other widths end
NUMBERS = [0, 1, 2, 15, 16, 127, 128, 2**16, 2**27 - 1, 2**27, 2**28 - 1, 2**28, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**52, 2**52 + 1,
           2**53, 2**62, 2**63 - 1, 2**63, 2**64 - 1]
TEXTS = [b"", b"\0", b"\x1b[2J\x1b]0;title\x07", b"a\nb\rc\td", b";;; 12", b"\xff\xfe\x80", b"../../../../etc/passwd", b"`1<>[](),&*" * 40, b"<" * 3000,
         b"x" * 70_000, b"</script><script>alert(1)</script>", "‮ naïve \U0001f600".encode(), b"/dev/zero", b"%s%n%n%n", b"A`99999999999999999999"]
VERBS = [("report",), ("report", "--tree", "--unfold", "--json"), ("stats",), ("verify",), ("convert", ".collapsed"), ("convert", ".html"),
         ("convert", ".pb.gz"), ("convert", ".speedscope.json"), ("convert", ".walk")]
ALWAYS = 5  # so many of them for each mutant, of the others one
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]")


class Zstd:
    """As much of libzstd as the test needs: Python has none of its own before 3.14."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL("libzstd.so.1")
        for name in ("ZSTD_compress", "ZSTD_decompress", "ZSTD_compressBound"):
            getattr(self._library, name).restype = ctypes.c_size_t
        self._library.ZSTD_isError.argtypes = [ctypes.c_size_t]

    def _made(self, room: int, call: str, data: bytes, *more) -> bytes:
        buffer = ctypes.create_string_buffer(max(room, 1))
        size = getattr(self._library, call)(buffer, ctypes.c_size_t(room), data, ctypes.c_size_t(len(data)), *more)
        if self._library.ZSTD_isError(size):
            raise ValueError(call)
        return buffer.raw[:size]

    def compress(self, data: bytes) -> bytes:
        return self._made(self._library.ZSTD_compressBound(ctypes.c_size_t(len(data))), "ZSTD_compress", data, ctypes.c_int(1))

    def decompress(self, data: bytes, size: int) -> bytes:
        return self._made(size, "ZSTD_decompress", data)


def varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes(made) + bytes([number])


def read_varint(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        number |= (data[at] & 127) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 128:
            return number, at


def fields_of(message: bytes) -> list[tuple[int, int | bytes]]:
    """(number, value) of every field; whole numbers and bytes are all that recordings have."""
    fields, at = [], 0
    while at < len(message):
        key, at = read_varint(message, at)
        value, at = read_varint(message, at)
        if key & 7 == 2:
            value, at = message[at:at + value], at + value
        fields.append((key >> 3, value))
    return fields


def message_of(fields: list[tuple[int, int | bytes]]) -> bytes:
    made = []
    for number, value in fields:
        if isinstance(value, bytes):
            made += [varint(number << 3 | 2), varint(len(value)), value]
        else:
            made += [varint(number << 3), varint(value & 2**64 - 1)]
    return b"".join(made)


def record_of(kind: int, fields: list[tuple[int, int | bytes]]) -> bytes:
    return message_of([(kind, message_of(fields))])


def column_of(data: bytes) -> list[int]:
    numbers, at = [], 0
    while at < len(data):
        number, at = read_varint(data, at)
        numbers.append(number)
    return numbers


class Mutator:
    def __init__(self, recording: bytes, chance: random.Random) -> None:
        self.zstd, self.chance = Zstd(), chance
        self.records: list[bytes] = []
        at = len(HEADER)
        while at < len(recording):
            _, compressed, raw, _ = struct.unpack_from("<IIII", recording, at)
            at += 16
            data, here = self.zstd.decompress(recording[at:at + compressed], raw), 0
            at += compressed
            while here < len(data):
                size, here = read_varint(data, here)
                self.records.append(data[here:here + size])
                here += size
        self.kinds = [
            (8, self.numbers), (6, self.column), (4, self.column_length), (4, self.text), (4, self.bytes_of_records), (3, self.field_dropped),
            (3, self.field_twice), (2, self.other_type), (3, self.record_moved), (3, self.record_dropped), (3, self.record_twice),
            (2, self.length_of_record), (2, self.compressed_bytes), (2, self.sizes), (1, self.blocks_shuffled), (1, self.records_shuffled),
            (1, self.deep), (1, self.many_records)]

    def mutant(self) -> tuple[str, bytes]:
        """Its name and bytes."""
        weights, made = zip(*self.kinds)
        make = self.chance.choices(made, weights)[0]
        return make.__name__, make()

    def whole(self, records: list[bytes]) -> bytes:
        blocks, block, size = [], [], 0
        for record in records:
            block.append(varint(len(record)) + record)
            size += len(block[-1])
            if size > 100_000:
                blocks.append(b"".join(block))
                block, size = [], 0
        return HEADER + b"".join(map(self.block, [*blocks, b"".join(block)] if block else blocks))

    def block(self, raw: bytes) -> bytes:
        return self.sealed(self.zstd.compress(raw), len(raw))

    @staticmethod
    def sealed(payload: bytes, raw: int) -> bytes:
        sizes = struct.pack("<II", len(payload) & 2**32 - 1, raw & 2**32 - 1)
        return b"WBLK" + sizes + struct.pack("<I", zlib.crc32(payload, zlib.crc32(sizes))) + payload

    def any_record(self) -> int:
        """Each type as likely as any other, as Nodes and Samples are few and JitCode and MethodRange thousands."""
        types: dict[int, list[int]] = {}
        for place, record in enumerate(self.records):
            types.setdefault(record[0] >> 3, []).append(place)
        return self.chance.choice(types[self.chance.choice(sorted(types))])

    def changed(self, place: int, change) -> bytes:
        (kind, body), = fields_of(self.records[place])
        fields = fields_of(body)
        change(fields)
        return self.whole([*self.records[:place], record_of(kind, fields), *self.records[place + 1:]])

    def numbers(self) -> bytes:
        def change(fields: list) -> None:
            places = [i for i, (_, value) in enumerate(fields) if isinstance(value, int)]
            number = self.chance.choice(NUMBERS)
            if places and self.chance.random() < 0.9:
                place = self.chance.choice(places)
                fields[place] = (fields[place][0], number)
            else:  # One that was 0, or one that nobody knows
                fields.append((self.chance.randint(1, 20), number))
        return self.changed(self.any_record(), change)

    def changed_column(self, change) -> bytes:
        def choose(fields: list) -> None:
            places = [i for i, (_, value) in enumerate(fields) if isinstance(value, bytes) and value and value[-1] < 128]
            if places:
                place = self.chance.choice(places)
                numbers = column_of(fields[place][1])
                change(numbers)
                fields[place] = (fields[place][0], b"".join(varint(number & 2**64 - 1) for number in numbers))
        columns = [i for i, record in enumerate(self.records) if record[0] >> 3 in (NODES, SAMPLES, 9, 11)]
        return self.changed(self.chance.choice(columns), choose)

    def column(self) -> bytes:
        def change(numbers: list[int]) -> None:
            for _ in range(self.chance.choice([1, 1, 3, 30])):
                numbers[self.chance.randrange(len(numbers))] = self.chance.choice(NUMBERS + list(range(1, 200, 7)))
        return self.changed_column(change)

    def column_length(self) -> bytes:
        def change(numbers: list[int]) -> None:
            place = self.chance.randrange(len(numbers))
            numbers[place:place + self.chance.randint(0, 2)] = [self.chance.choice(NUMBERS)] * self.chance.randint(0, 3)
        return self.changed_column(change)

    def text(self) -> bytes:
        def change(fields: list) -> None:
            places = [i for i, (_, value) in enumerate(fields) if isinstance(value, bytes)]
            if places:
                place = self.chance.choice(places)
                fields[place] = (fields[place][0], self.chance.choice(TEXTS))
        return self.changed(self.any_record(), change)

    def bytes_of_records(self) -> bytes:
        records = list(self.records)
        for _ in range(self.chance.choice([1, 4, 50])):
            place = self.any_record()
            record = bytearray(records[place])
            for _ in range(self.chance.choice([1, 2, 8])):
                record[self.chance.randrange(len(record))] = self.chance.choice([0, 1, 127, 128, 255, self.chance.randrange(256)])
            records[place] = bytes(record)
        return self.whole(records)

    def field_dropped(self) -> bytes:
        return self.changed(self.any_record(), lambda fields: fields and fields.pop(self.chance.randrange(len(fields))))

    def field_twice(self) -> bytes:
        """Later ones count; as another wire type none does."""
        def change(fields: list) -> None:
            number, value = self.chance.choice(fields) if fields else (1, 0)
            fields.append((number, self.chance.choice([value, b"\1\2\3", self.chance.choice(NUMBERS)])))
        return self.changed(self.any_record(), change)

    def other_type(self) -> bytes:
        place = self.any_record()
        (_, body), = fields_of(self.records[place])
        records = [*self.records[:place], message_of([(self.chance.randint(1, TYPES), body)]), *self.records[place + 1:]]
        return self.whole(records)

    def record_moved(self) -> bytes:
        records = list(self.records)
        records.insert(self.chance.randrange(len(records)), records.pop(self.any_record()))
        return self.whole(records)

    def record_dropped(self) -> bytes:
        place = self.any_record()
        return self.whole([*self.records[:place], *self.records[place + self.chance.choice([1, 1, 10]):]])

    def record_twice(self) -> bytes:
        records = list(self.records)
        records.insert(self.chance.randrange(len(records)), records[self.any_record()])
        return self.whole(records)

    def length_of_record(self) -> bytes:
        place = self.any_record()
        before, record = self.whole(self.records[:place]), self.records[place]
        lie = self.chance.choice([0, 1, len(record) - 1, len(record) + 1, 16_777_216, 16_777_217, 2**63, 2**64 - 1])
        return before + self.block(varint(lie) + record + b"".join(varint(len(r)) + r for r in self.records[place + 1:]))

    def compressed_bytes(self) -> bytes:
        raw = b"".join(varint(len(record)) + record for record in self.records)[:60_000]
        payload = bytearray(self.zstd.compress(raw))
        for _ in range(self.chance.choice([1, 3, 20])):
            payload[self.chance.randrange(len(payload))] = self.chance.randrange(256)
        return HEADER + self.sealed(bytes(payload), len(raw))

    def sizes(self) -> bytes:
        raw = b"".join(varint(len(record)) + record for record in self.records)[:60_000]
        lie = self.chance.choice([0, 1, len(raw) - 1, len(raw) + 1, 67_108_864, 67_108_865, 2**32 - 1])
        return HEADER + self.sealed(self.zstd.compress(raw), lie) + self.block(raw)

    def blocks_shuffled(self) -> bytes:
        blocks = [self.whole(self.records[i::7])[len(HEADER):] for i in range(7)]
        self.chance.shuffle(blocks)
        return HEADER + b"".join(blocks)

    def records_shuffled(self) -> bytes:
        records = list(self.records)
        self.chance.shuffle(records)
        return self.whole(records)

    def deep(self) -> bytes:
        """A stack of 300,000 frames, which are few bytes when compressed, and a sample at its end."""
        depth = 300_000
        kind = self.chance.choice([4, 5, 1 << 4 | 3, 0, 15])
        nodes = record_of(NODES, [(1, b"\0" + b"\2" * (depth - 1)), (2, varint(kind) * depth), (3, b"\0" * depth), (4, 1)])
        samples = record_of(SAMPLES, [(1, 1), (2, b"\1"), (3, b"\1"), (4, varint(depth * 2))])
        return self.whole([*self.records, nodes, samples])

    def many_records(self) -> bytes:
        place = self.any_record()
        times = min(20_000, MANY_BYTES // len(self.records[place]))
        return self.whole([*self.records[:place], *[self.records[place]] * times, *self.records[place + 1:]])


class Mutants(EndToEnd):
    def assert_stands(self, *command) -> None:
        done = finish(start([CLI, *command], errors="surrogateescape", preexec_fn=limit(resource.RLIMIT_AS, MEMORY)), HANGS_S)
        self.assertIn(done.returncode, (0, 1, 3), done)
        for text in ("out of memory", "bad_alloc"):
            self.assertNotIn(text, done.stderr, done)
        control = CONTROL.search(done.stdout + done.stderr)
        self.assertIsNone(control, f"{control}\n{done}")

    def assert_all_stand(self, path: pathlib.Path, verbs: list) -> None:
        for verb, *options in verbs:
            if verb == "convert":
                out = self.folder / f"out{options[0]}"
                self.assert_stands(verb, path, out)
                out.unlink(missing_ok=True)
            else:
                self.assert_stands(verb, path, *options)

    def test_wrong_behind_their_checksums(self) -> None:
        original = self.record([*app("knownstack"), "150"], "-q", "--interval", "1ms", "--oracle").path.read_bytes()
        chance = random.Random(SEED)
        mutator = Mutator(original, chance)
        path = self.folder / "mutant.walk"
        path.write_bytes(mutator.whole(mutator.records))
        self.assert_all_stand(path, VERBS)
        for number in range(MUTANTS):
            name, mutant = mutator.mutant()
            path.write_bytes(mutant)
            with self.subTest(mutant=f"{SEED}:{number} {name}"):
                self.assert_all_stand(path, [*VERBS[:ALWAYS], chance.choice(VERBS[ALWAYS:])])

    def test_too_little_memory_is_reported(self) -> None:
        original = self.record([*app("knownstack"), "150"], "-q", "--interval", "1ms").path.read_bytes()
        mutator = Mutator(original, random.Random(SEED))
        path = self.folder / "long.walk"
        depth = 1_000  # and so many times as takes far more memory than the limit
        stack = record_of(NODES, [(1, b"\2" * depth), (2, varint(1 << 4 | 3) * depth), (3, b"\0" * depth)])
        records = mutator.records[:-1] + [stack] * 20_000
        path.write_bytes(mutator.whole(records))
        done = finish(start([CLI, "report", path], preexec_fn=limit(resource.RLIMIT_AS, 200 << 20)), HANGS_S)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("out of memory", done.stderr, done)
        self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    main()
