"""Shadow stacks of traced calls against the walker's managed frames, sample by sample (WALKABOUT_ORACLE=shadow)."""
import collections
import pathlib

from stream import METHOD, Stream
from traces import COUNTED_METHOD, plain
from varints import packed

MODULE, ORACLE = 3, 9
SHADOW_STACK = 0xA0040004
NATIVE, JITTED = 1, 3


def without_funclets(walked: list[tuple[int, str]], shadow: list[str]) -> list[str]:
    """A finally body is a frame of its own above its method's, of the same code: those are left out that the shadow stack does not have."""
    kept: list[str] = []
    for at, (code, name) in enumerate(walked):
        same_below = at + 1 < len(walked) and walked[at + 1][0] == code
        if same_below and len(walked) - at > len(shadow) - len(kept):
            continue
        kept.append(name)
    return kept


def is_part(some: list[str], walked: list[str]) -> bool:
    """Whether they are all there, in this order."""
    rest = iter(walked)
    return all(name in rest for name in some)


class ShadowStacks(Stream):
    """Of each sample of CPU time, what the two say.

    equal; at its edge: the hooks have been called for the topmost method a moment before its frame is gone, or are called a moment after it was made;
    without what an exception leaves: the frames of methods that have ended by one stay on the stack until its handler is through; not compared: the walk
    did not reach the root, or met code that the runtime had not reported.
    """

    def __init__(self, path: pathlib.Path) -> None:
        self._hooked: dict[int, str] = {}
        self._plain: dict[int, str] = {}
        self._agent: set[int] = set()
        self._shadows: list[tuple[int, int, list[int]]] = []
        self._stacks: dict[int, list[list[tuple[int, int, int]]]] = collections.defaultdict(list)
        self.refused = self.in_hooks = self.in_hooks_rooted = 0
        super().__init__(path)

    def _take(self, kind: int, record: dict) -> None:
        super()._take(kind, record)

        def number(field: int) -> int:
            return record[field][-1] if field in record else 0

        def text(field: int) -> str:
            return record[field][-1].decode() if field in record else ""

        if kind == METHOD:
            self._plain[number(1)] = plain(text(2), text(3))
        elif kind == COUNTED_METHOD:
            self._hooked[number(1)] = plain(text(3), text(4))
        elif kind == MODULE:
            if any(isinstance(value, bytes) and value.endswith(b"/libwalkabout.so") for values in record.values() for value in values):
                self._agent.add(number(1))
        elif kind == ORACLE:
            if number(3) == SHADOW_STACK:
                self._shadows.append((number(1), number(2), [frame >> 4 for frame in packed(record[4][-1])] if 4 in record else []))
            elif number(8):
                self.refused += 1

    def _take_samples(self, thread, source, times, values, labels, stacks, ends) -> None:
        if source != 1:
            return
        for row, stack in enumerate(self._frames_of(stacks)):
            rooted = not ends or ends[row] == 0
            self._stacks[thread].append(stack if rooted else [])
            if stack and stack[0][0] == NATIVE and stack[0][1] in self._agent:
                self.in_hooks += 1
                self.in_hooks_rooted += rooted

    def _frames_of(self, stacks: list[int]):
        node = 0
        for difference in stacks:
            node += difference >> 1 ^ -(difference & 1)
            frames, at = [], node
            while at:
                up, frame, offset = self._nodes[at]
                frames.append((frame & 15, frame >> 4, offset))
                at = up
            yield frames

    def compare(self) -> tuple[collections.Counter, list[tuple[list[str], list[str]]]]:
        """How many, and the first that differ."""
        hooked = set(self._hooked.values())
        found: collections.Counter = collections.Counter()
        different = []
        for thread, index, methods in self._shadows:
            frames = self._stacks[thread][index] if index < len(self._stacks[thread]) else []
            if not frames or any(kind == JITTED and code not in self._code for kind, code, _ in frames):
                found["not compared"] += 1
                continue
            shadow = [self._hooked[method] for method in methods]
            walked, codes, above = [], [], []  # above: the frames between the leaf and the first that is hooked
            for kind, code, _ in frames:
                name = self._plain.get(self._code.get(code, 0), "") if kind == JITTED else ""
                if name in hooked:
                    walked.append(name)
                    codes.append((code, name))
                elif not walked:
                    above.append((kind, code))
            if walked == shadow:
                found["equal"] += 1
            elif without_funclets(codes, shadow) == shadow:
                found["equal"] += 1
                found["with funclets"] += 1
            elif without_funclets(codes[1:], shadow) == shadow and all(kind == NATIVE and code in self._agent for kind, code in above):
                found["at its edge"] += 1
            elif is_part(shadow, walked):
                found["without what an exception leaves"] += 1
            else:
                found["different"] += 1
                if len(different) < 10:
                    different.append((walked, shadow))
        return found, different
