"""Reads what the agent says, record by record, apart from the program's own readers (recording/format.md).

Enough of it for tests of what sources say: who, when, which values and labels, and the managed methods on a stack.
"""
import bisect
import collections
import dataclasses
import pathlib

from varints import fields, packed, varint, zigzag

THREAD, METHOD, JIT_CODE, METHOD_RANGE, NODES, SAMPLES, THREAD_END, COUNTERS, SOURCE = 2, 4, 5, 6, 7, 8, 10, 11, 16
ROOTED, GAP = 0, 6


@dataclasses.dataclass
class Sample:
    """One row of a Samples record."""
    thread: int
    source: int
    values: list[int]
    labels: list[int]
    end: int
    methods: list[str]  # "Type.Method", leaf first; "" for a frame that is none
    has_stack: bool


class Stream:
    """A whole stream of one recording."""

    def __init__(self, path: pathlib.Path) -> None:
        self.threads: dict[int, str] = {}  # the managed name, else the kernel's
        self.tids: dict[int, int] = {}
        self.sources: dict[str, int] = {}
        self.samples: list[Sample] = []
        self.agent_ns: dict[str, int] = collections.defaultdict(int)  # CPU time of the agent's threads
        self.accounts: dict[int, tuple[int, int, list[int]]] = {}  # attempts, samples, drops by source
        self._names: dict[int, str] = {}
        self._code: dict[int, int] = {}
        self._ranges: list[tuple] = []
        self._nodes: list[tuple[int, int, int]] = [(0, 0, 0)]
        data, at = path.read_bytes(), 0
        while at < len(data):
            size, at = varint(data, at)
            for kind, bodies in fields(data[at:at + size]).items():
                self._take(kind, fields(bodies[0]))
            at += size

    def of(self, source: str, thread: str | None = None) -> list[Sample]:
        return [s for s in self.samples
                if s.source == self.sources[source] and thread in (None, self.threads[s.thread])]

    def _take(self, kind: int, record: dict) -> None:
        def number(field: int, default: int = 0) -> int:
            return record[field][-1] if field in record else default

        def text(field: int) -> str:
            return record[field][-1].decode() if field in record else ""

        def column(field: int) -> list[int]:
            return packed(record[field][-1]) if field in record else []

        if kind == THREAD:
            self.threads[number(1)] = text(4) or text(3)
            self.tids[number(1)] = number(2)
        elif kind == SOURCE:
            self.sources[text(2)] = number(1)
        elif kind == METHOD:
            self._names[number(1)] = text(2).rpartition(".")[2] + "." + text(3)
        elif kind == JIT_CODE:
            self._code[number(1)] = number(2)
        elif kind == METHOD_RANGE:
            bisect.insort(self._ranges, (number(1), number(2), number(3), number(4)))
        elif kind == THREAD_END:
            name = self.threads.get(number(1), "")
            if name.startswith("walkabout"):
                self.agent_ns[name] += number(3)
        elif kind == COUNTERS:
            self.accounts[1] = (number(2), number(3), column(4))
            for body in record[13]:
                one = fields(body)
                self.accounts[one[1][0]] = (one[2][0] if one[2] else 0, one[3][0] if one[3] else 0,
                                            packed(one[4][0]) if one[4] else [])
        elif kind == NODES:
            if number(4):
                self._nodes = [(0, 0, 0)]
            for up, frame, offset in zip(column(1), column(2), column(3)):
                own = len(self._nodes)
                up = zigzag(up)
                self._nodes.append((own - up if 0 < up <= own else 0, frame, offset))
        elif kind == SAMPLES:
            self._take_samples(number(1), number(7, 1), column(2), column(3), column(8), column(4), column(5))

    def _take_samples(self, thread, source, times, values, labels, stacks, ends) -> None:
        rows, node = len(times), 0
        for row in range(rows):
            node += zigzag(stacks[row])
            methods = self._methods(node)
            only = self._nodes[node][1] if node else 0
            self.samples.append(Sample(thread, source, values[row::rows], labels[row::rows],
                                       ends[row] if ends else ROOTED, methods,
                                       not (len(methods) == 1 and only & 15 == 5)))

    def _methods(self, node: int) -> list[str]:
        methods = []
        while node:
            up, frame, offset = self._nodes[node]
            methods.append(self._method(frame & 15, frame >> 4, offset))
            node = up
        return methods

    def _method(self, kind: int, code: int, offset: int) -> str:
        if kind == 3:
            return self._names.get(self._code.get(code, 0), "")
        if kind != 2:
            return ""
        at = bisect.bisect_right(self._ranges, (code, offset, 1 << 33, 0)) - 1
        if at < 0 or self._ranges[at][0] != code or offset >= self._ranges[at][2]:
            return ""
        return self._names.get(self._ranges[at][3], "")
