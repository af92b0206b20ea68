"""The CLR's walk and our own, of the same stopped thread: where they differ, and by which rule that is no error of either.

A frame is (kind, code, offset); stacks are leaf first. What a rule explains is counted under its name, the rest is kept
as it was. docs/windows.md says of each rule why it is one.
"""
import collections
import dataclasses
import difflib

from stream import JITTED, NATIVE, READY_TO_RUN, Oracle, Sample, Stream

S_OK = 0
MANAGED = (READY_TO_RUN, JITTED)
# Begin the names of what dispatches an exception. Which of them stand on a stack is a matter of inlining, so of the tier.
DISPATCH = ("System.Runtime.EH.", "System.Runtime.StackFrameIterator.", "System.Runtime.ExceptionServices.InternalCalls.",
            "System.Runtime.EHEnum", "System.Runtime.DispatchEx")


@dataclasses.dataclass
class Comparison:
    seeded: int = 0
    in_managed_code: int = 0  # of these, the seed is the leaf
    answered: int = 0
    frames: int = 0        # of ours, in walks with an answer
    frames_equal: int = 0  # in address too, without any rule
    methods_equal: int = 0  # frames, whatever the address in the method
    equal: int = 0         # walks, without any rule
    by_rule: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    # The answer; whether the thread was in managed code; our stack.
    refused: list[tuple[int, bool, list[str]]] = dataclasses.field(default_factory=list)
    # Ours root first, theirs leaf first, where the thread stood.
    different: list[tuple[list[str], list[str], str]] = dataclasses.field(default_factory=list)
    frames_different: int = 0  # in these

    def summary(self) -> str:
        lines = [f"{self.seeded} with a seed, of which {self.in_managed_code} in managed code; {self.answered} answered, "
                 f"{self.equal} of them equal in all, {len(self.different)} different; {self.frames_equal} of {self.frames} frames "
                 f"equal, {self.methods_equal} in their method, {self.frames_different} different; by rule {dict(self.by_rule)}"]
        lines += [f"at {leaf}: ours {' > '.join(ours)}; the CLR's, leaf first: {' < '.join(theirs)}"
                  for ours, theirs, leaf in self.different]
        lines += [f"{hresult:#x}: {' > '.join(names)}" for hresult, _, names in self.refused]
        return "\n".join(lines)

    def __iadd__(self, other: "Comparison") -> "Comparison":
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self


def callers_of_native(sample: Sample) -> set[tuple[int, int, int]]:
    """Managed frames with a native one above them."""
    return {frame for frame, above in zip(sample.frames, sample.frames[1:]) if frame[0] in MANAGED and above[0] == NATIVE}


def is_thunk(stream: Stream, frame: tuple[int, int, int]) -> bool:
    """A leaf in a ready-to-run image that is in none of its methods: what they call through, no frame to the CLR."""
    return stream.name(frame, True).startswith("?[")


def is_being_entered(sample: Sample) -> bool:
    """The topmost method was called by native code. At its begin and end, and in the runtime's helpers there, where it may wait for
    a collection to end, the thread is not yet or no longer in managed code to the CLR."""
    at = max((i for i, frame in enumerate(sample.frames) if frame[0] in MANAGED), default=0)
    return at > 0 and sample.frames[at - 1][0] == NATIVE


def is_dispatch(stream: Stream, frame: tuple[int, int, int]) -> bool:
    """The runtime's managed code that dispatches an exception."""
    return stream.name(frame, True).startswith(DISPATCH) or stream.name(frame).startswith(DISPATCH)


def is_tail_call(code: bytes) -> bool:
    """jmp through a register or what it points to, as an epilog ends."""
    return code[:2] in (b"\x48\xff", b"\x49\xff") and code[2] >> 3 & 7 == 4


def without_unwound(ours: list, sample: Sample, method_of) -> list:
    """Without the frames that an exception leaves: a handler is a part of its method that the runtime calls while they still stand,
    and the CLR reports the method's own frame, once, and none of its callees."""
    called_by_native = {frame for below, frame in zip(sample.frames, sample.frames[1:]) if below[0] == NATIVE and frame[0] in MANAGED}
    kept, at = [], 0
    while at < len(ours):
        method = next((i for i in range(at + 1, len(ours)) if method_of(ours[i]) == method_of(ours[at])), None)
        if ours[at] in called_by_native and method is not None:
            at = method
        kept.append(ours[at])
        at += 1
    return kept


def is_being_unwound(ours: list, theirs: list, sample: Sample, method_of) -> bool:
    """The runtime is about to call the handler of an exception, or to go on behind it: its own frames are above those that are
    left already and that the CLR reports no more."""
    return (sample.frames[-1][0] == NATIVE and 0 < len(theirs) < len(ours)
            and same_methods(ours[-len(theirs):], theirs, method_of))


def same_methods(ours: list, theirs: list, method_of) -> bool:
    return [method_of(frame) for frame in ours] == [method_of(frame) for frame in theirs]


def differences(stream: Stream, sample: Sample, theirs: list[tuple[int, int, int]]) -> list[str] | None:
    """The rules that explain why the two are not the same; none when they are; None when no rule does."""
    ours = [frame for frame in reversed(sample.frames) if frame[0] in MANAGED]
    if ours == theirs:
        return []
    rules = []
    method_of = lambda frame: stream.method_of(frame, frame == sample.frames[-1])
    for stack in (ours, theirs):
        if any(stream.without_metadata(frame) for frame in stack):
            rules.append("without_metadata")
            stack[:] = [frame for frame in stack if not stream.without_metadata(frame)]
    if len(ours) > 1 and theirs == [sample.frames[-1]] and is_tail_call(stream.code_at(sample.frames[-1])):
        return ["tail_call_at_the_leaf"]
    if any(is_dispatch(stream, frame) for frame in ours):
        rules.append("dispatch_of_an_exception")
        ours = [frame for frame in ours if not is_dispatch(stream, frame)]
    if len(ours) > len(theirs) and (kept := without_unwound(ours, sample, method_of)) != ours:
        rules.append("left_by_an_exception")
        ours = kept
    if ours and ours[0] == sample.frames[-1] and ours[:1] != theirs[:1] and is_thunk(stream, ours[0]):
        rules.append("thunk_at_the_leaf")
        del ours[0]
    if len(ours) == len(theirs) + 1 and is_being_entered(sample):
        rules.append("entered_from_native_code")
        del ours[0]
    if is_being_unwound(ours, theirs, sample, method_of):
        rules.append("left_by_an_exception")
        ours = ours[-len(theirs):]
    if ours != theirs:
        rules.append("address_of_a_call_to_native_code")
        native = callers_of_native(sample)
        if not same_methods(ours, theirs, method_of) or any(mine != their and mine not in native
                                                            for mine, their in zip(ours, theirs)):
            return None
    return sorted(set(rules))


def frames_in_both(ours: list, theirs: list) -> int:
    return sum(block.size for block in difflib.SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks())


def compare(stream: Stream) -> Comparison:
    """Of a run with WALKABOUT_ORACLE."""
    found = Comparison()
    for oracle in (o for o in stream.oracles if o.seeded):
        found.seeded += 1
        sample = stream.by_thread[oracle.thread][oracle.sample]
        managed = sample.frames[-1][0] in MANAGED
        found.in_managed_code += managed
        if oracle.hresult != S_OK:
            found.refused.append((oracle.hresult, managed, stream.names(sample)))
            continue
        found.answered += 1
        _compare_one(stream, sample, oracle, found)
    return found


def _compare_one(stream: Stream, sample: Sample, oracle: Oracle, found: Comparison) -> None:
    ours = [frame for frame in reversed(sample.frames) if frame[0] in MANAGED]
    same = frames_in_both(ours, oracle.frames)
    found.frames += len(ours)
    found.frames_equal += same
    methods = [[stream.method_of(frame, frame == sample.frames[-1]) for frame in stack] for stack in (ours, oracle.frames)]
    found.methods_equal += frames_in_both(*methods)
    rules = differences(stream, sample, list(oracle.frames))
    if rules is None:
        found.frames_different += max(len(ours), len(oracle.frames)) - same
        kind, code, offset = leaf = sample.frames[-1]
        found.different.append((stream.names(sample), [stream.name(frame) for frame in oracle.frames],
                                f"{kind} {code}+{offset:#x} ({stream.code_at(leaf).hex()})"))
        return
    found.equal += not rules
    found.by_rule.update(rules)
