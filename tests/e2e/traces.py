"""Reads the traced calls of a raw stream, record by record, apart from the program's own readers (recording/format.md)."""
import collections
import dataclasses
import itertools
import pathlib

from varints import fields, packed, varint

COUNTED_METHOD, TRACE_NODES, TRACE_TIMES, TRACED_CALL, TRACE_STATE = 25, 29, 30, 32, 33


def plain(method_type: str, method: str) -> str:
    """Without arguments of generics: of a compiled method and of its definition the same."""
    name, depth, kept = f"{method_type}.{method}".lstrip("."), 0, ""
    for at, letter in enumerate(name):
        if letter == "<" and (depth > 0 or (at > 0 and (name[at - 1].isalnum() or name[at - 1] in "_>|`"))):
            depth += 1
        elif letter == ">" and depth > 0:
            depth -= 1
        elif depth == 0:
            kept += letter
    return kept


@dataclasses.dataclass
class Figures:
    """What one thread did in one node."""
    calls: int
    wall: int
    self: int
    exceptions: int


class Trace:
    """Of one process."""

    def __init__(self, path: pathlib.Path) -> None:
        self.methods: dict[int, str] = {}  # by the names that patterns have
        self.nodes: list[tuple[int, int]] = [(0, 0)]  # parent, method; from 1
        self.times: dict[tuple[int, int], Figures] = {}  # by thread and node
        self.state: dict[int, int] = {}
        self.kept = 0
        data, at = path.read_bytes(), 0
        while at < len(data):
            size, at = varint(data, at)
            for kind, bodies in fields(data[at:at + size]).items():
                self._take(kind, fields(bodies[0]))
            at += size

    def _take(self, kind: int, record: dict) -> None:
        def number(field: int) -> int:
            return record[field][-1] if field in record else 0

        def text(field: int) -> str:
            return record[field][-1].decode() if field in record else ""

        def column(field: int, rows: int = 0) -> list[int]:
            return packed(record[field][-1]) if field in record else [0] * rows

        if kind == COUNTED_METHOD:
            self.methods[number(1)] = plain(text(3), text(4)).replace("+", ".")
        elif kind == TRACE_NODES:
            self.nodes += zip(column(1), column(2))
        elif kind == TRACE_TIMES:
            nodes = list(itertools.accumulate(column(3)))
            rows = len(nodes)
            for node, *figures in zip(nodes, column(4, rows), column(5, rows), column(6, rows), column(10, rows)):
                self.times[number(2), node] = Figures(*figures)
        elif kind == TRACED_CALL:
            self.kept += 1
        elif kind == TRACE_STATE:
            self.state = {field: values[-1] for field, values in record.items()}

    def sums(self, figure: str) -> dict[str, int]:
        """Of each method, over all threads and callers."""
        sums: collections.Counter = collections.Counter()
        for (_, node), figures in self.times.items():
            sums[self.methods[self.nodes[node][1]]] += getattr(figures, figure)
        return {name: value for name, value in sums.items() if value}

    def lost(self) -> dict[str, int]:
        """Calls that are not in it, by why."""
        return {name: self.state.get(field, 0) for field, name in ((8, "too_deep"), (9, "no_room"), (10, "unmatched"))}

    def callers(self, name: str) -> dict[str, int]:
        """Calls of a method, by the method that the tree has above it."""
        sums: collections.Counter = collections.Counter()
        for (_, node), figures in self.times.items():
            parent, method = self.nodes[node]
            if self.methods[method] == name:
                sums[self.methods[self.nodes[parent][1]] if parent else ""] += figures.calls
        return dict(sums)
