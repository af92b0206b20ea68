"""Reads a raw stream (recording/format.md) as the agent wrote it: every sample with its frames and names."""
import collections
import dataclasses
import pathlib
import struct
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "e2e"))

from varints import packed, varint, zigzag  # noqa: E402

NATIVE, READY_TO_RUN, JITTED, STUB, UNKNOWN, LEFT_OUT = range(1, 7)
OWN_WALK = 8


def fields(data: bytes) -> dict[int, int | bytes]:
    found, at = {}, 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            found[key >> 3], at = varint(data, at)
        else:
            assert key & 7 == 2, key
            size, at = varint(data, at)
            found[key >> 3], at = data[at:at + size], at + size
    return found


@dataclasses.dataclass
class Sample:
    thread: int
    weight_ns: int
    frames: list[tuple[int, int, int]]  # root first: kind, code or address, offset
    end: int
    flags: int


@dataclasses.dataclass
class Oracle:
    thread: int
    sample: int
    hresult: int
    seeded: bool
    frames: list[tuple[int, int, int]]  # leaf first


class Stream:
    def __init__(self, path: pathlib.Path):
        self.threads: dict[int, dict] = {}
        self.samples: list[Sample] = []
        self.by_thread: dict[int, list[Sample]] = collections.defaultdict(list)
        self.oracles: list[Oracle] = []
        self.messages: list[str] = []
        self.counters: dict[int, int | bytes | list[int]] = {}
        self.ended = False
        self._nodes: list[list] = [[]]
        self._modules: dict[int, str] = {}
        self._files: dict[int, pathlib.Path] = {}
        self._methods: dict[int, str] = {}
        self._made: set[int] = set()  # methods without metadata
        self._jitted: dict[int, int] = {}
        self._ranges: dict[int, list[tuple[int, int, int]]] = collections.defaultdict(list)
        data = path.read_bytes()
        at = 0
        while at < len(data):
            size, at = varint(data, at)
            (kind, body), = fields(data[at:at + size]).items()
            self._record(kind, fields(body))
            at += size

    def _record(self, kind: int, f: dict) -> None:
        text = lambda number: f.get(number, b"").decode()
        if kind == 1:
            self.session = f
        elif kind == 2:
            self.threads[f[1]] = {"tid": f.get(2, 0), "name": text(4) or text(3), "kind": f.get(5, 0)}
        elif kind == 3:
            path = text(3).replace("\\", "/")
            self._modules[f[1]] = path.rpartition("/")[2]
            self._files[f[1]] = pathlib.Path(path.removeprefix("Z:"))
        elif kind == 4:
            self._methods[f[1]] = f"{text(2)}.{text(3)}" if text(2) else text(3)
            if f.get(6, 0) & 3:
                self._made.add(f[1])
        elif kind == 5:
            self._jitted[f[1]] = f.get(2, 0)
        elif kind == 6:
            self._ranges[f[1]].append((f.get(2, 0), f[3], f[4]))
        elif kind == 7:
            first = len(self._nodes)
            for i, (parent, frame) in enumerate(zip(packed(f[1]), self._frames(f[2], f.get(3, b"")))):
                parent = first + i - zigzag(parent)
                self._nodes.append(self._nodes[parent] + [frame] if parent else [frame])
        elif kind == 8:
            self._take_samples(f)
        elif kind == 9:
            self.oracles.append(Oracle(f[1], f.get(2, 0), f.get(3, 0), bool(f.get(8, 1)),
                                       list(self._frames(f.get(4, b""), f.get(5, b"")))))
        elif kind == 11:
            self.counters = f | {4: packed(f.get(4, b""))}
        elif kind == 12:
            self.messages.append(text(3))
        elif kind == 13:
            self.ended = True

    @staticmethod
    def _frames(codes: bytes, offsets: bytes):
        codes = packed(codes)
        return ((c & 15, c >> 4, o) for c, o in zip(codes, packed(offsets) or [0] * len(codes)))

    def _take_samples(self, f: dict) -> None:
        stacks, node = [], 0
        for delta in packed(f[4]):
            node += zigzag(delta)
            stacks.append(node)
        ends = packed(f.get(5, b"")) or [0] * len(stacks)
        flags = packed(f.get(6, b"")) or [0] * len(stacks)
        for weight, stack, end, flag in zip(packed(f[3]), stacks, ends, flags):
            sample = Sample(f[1], weight, self._nodes[stack], end, flag)
            self.samples.append(sample)
            self.by_thread[f[1]].append(sample)

    def name(self, frame: tuple[int, int, int], leaf: bool = False) -> str:
        kind, code, offset = frame
        if kind == NATIVE:
            return f"[{self._modules.get(code, '?')}]"
        if kind == JITTED:
            return self._methods.get(self._jitted.get(code, 0), f"?jitted {code}")
        if kind == READY_TO_RUN:
            method = self._method_at(code, offset if leaf else offset - 1)
            return f"?[{self._modules.get(code, '?')}]" if method is None else self._methods.get(method, "?")
        return {STUB: "[stub]", UNKNOWN: "[native]", LEFT_OUT: "[left out]"}[kind]

    def _method_at(self, code: int, offset: int) -> int | None:
        return next((method for begin, end, method in self._ranges[code] if begin <= offset < end), None)

    def method_of(self, frame: tuple[int, int, int], leaf: bool = False) -> tuple:
        """What the frame is in, whatever the address in it."""
        kind, code, offset = frame
        return (kind, code, self._method_at(code, offset if leaf else offset - 1) if kind == READY_TO_RUN else None)

    def code_at(self, frame: tuple[int, int, int], size: int = 16) -> bytes:
        """Of a frame in an image: what its file has there."""
        kind, code, offset = frame
        if kind not in (NATIVE, READY_TO_RUN) or not self._files[code].exists():
            return b""
        data = self._files[code].read_bytes()
        at = int.from_bytes(data[60:64], "little")
        sections = at + 24 + int.from_bytes(data[at + 20:at + 22], "little")
        for section in range(sections, sections + 40 * int.from_bytes(data[at + 6:at + 8], "little"), 40):
            _, begin, stored, file = struct.unpack_from("<4I", data, section + 8)
            if begin <= offset < begin + stored:
                return data[file + offset - begin:][:size]
        return b""

    def without_metadata(self, frame: tuple[int, int, int]) -> bool:
        return frame[0] == JITTED and self._jitted.get(frame[1]) in self._made

    def names(self, sample: Sample) -> list[str]:
        last = len(sample.frames) - 1
        return [self.name(frame, i == last) for i, frame in enumerate(sample.frames)]

    def managed(self, sample: Sample) -> list[str]:
        last = len(sample.frames) - 1
        return [self.name(frame, i == last) for i, frame in enumerate(sample.frames)
                if frame[0] in (READY_TO_RUN, JITTED)]

    def threads_named(self, name: str) -> list[int]:
        return [thread for thread, about in self.threads.items() if about["name"] == name]
