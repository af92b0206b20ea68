#!/usr/bin/env python3
"""Each rule by which the CLR's walk may differ from ours, and that none of them says yes to something else. Without Wine."""
import unittest

from clr_comparison import MANAGED, compare, differences
from stream import JITTED, NATIVE, READY_TO_RUN, Oracle, Sample

NAMES = {1: "Run", 2: "Call", 3: "Compare", 4: "stub", 5: "System.Runtime.EH.DispatchEx", 6: "Throw"}
RUN, CALL, COMPARE, STUB, DISPATCH, THROW = ((JITTED, code, 8) for code in NAMES)
SORT, RUNTIME = (NATIVE, 1, 8), (NATIVE, 2, 8)
JUMP = b"\x49\xff\x23"  # jmp [r11]
JUMPING = (READY_TO_RUN, 1, 64)
THUNK = (READY_TO_RUN, 9, 8)


class FakeStream:
    def __init__(self, frames: list, theirs: list, hresult: int = 0):
        self.sample = Sample(1, 0, frames, 0, 0)  # root first
        self.by_thread = {1: [self.sample]}
        self.oracles = [Oracle(1, 0, hresult, True, theirs)]

    def name(self, frame, leaf: bool = False) -> str:
        return "?[a.dll]" if frame == THUNK else NAMES.get(frame[1], "[dll]") if frame[0] in MANAGED else "[dll]"

    def names(self, sample) -> list[str]:
        return [self.name(frame) for frame in sample.frames]

    @staticmethod
    def method_of(frame, _leaf: bool) -> tuple:
        return frame[:2] + (frame[2] // 100 if frame[0] == READY_TO_RUN else None,)

    @staticmethod
    def code_at(frame) -> bytes:
        return JUMP if frame in (JUMPING, THUNK) else b""

    @staticmethod
    def without_metadata(frame) -> bool:
        return frame == STUB


def rules(frames: list, theirs: list) -> list[str] | None:
    stream = FakeStream(frames, theirs)
    return differences(stream, stream.sample, theirs)


def elsewhere(frame) -> tuple[int, int, int]:
    return frame[:2] + (99,)


class Rules(unittest.TestCase):
    def test_the_same_needs_none(self) -> None:
        self.assertEqual(rules([RUN, CALL, SORT], [CALL, RUN]), [])

    def test_another_method_is_explained_by_none(self) -> None:
        self.assertIsNone(rules([RUN, CALL], [THROW, RUN]))
        self.assertIsNone(rules([RUN, CALL, SORT], [THROW, RUN]))

    def test_a_missing_root_is_explained_by_none(self) -> None:
        self.assertIsNone(rules([RUN, CALL], [CALL]))
        self.assertIsNone(rules([RUN, CALL, SORT], [CALL]))
        self.assertIsNone(rules([CALL], [CALL, RUN]))

    def test_a_missing_leaf_that_managed_code_calls_is_explained_by_none(self) -> None:
        self.assertIsNone(rules([RUN, CALL], [RUN]))

    def test_without_metadata(self) -> None:
        self.assertEqual(rules([RUN, STUB, CALL], [CALL, RUN]), ["without_metadata"])

    def test_a_thunk_at_the_leaf(self) -> None:
        self.assertEqual(rules([RUN, THUNK], [RUN]), ["thunk_at_the_leaf"])
        self.assertIsNone(rules([RUN, THUNK, CALL], [CALL, RUN]))

    def test_the_address_of_a_call_to_native_code(self) -> None:
        self.assertEqual(rules([RUN, CALL, SORT], [elsewhere(CALL), RUN]), ["address_of_a_call_to_native_code"])
        self.assertIsNone(rules([RUN, CALL, SORT], [CALL, elsewhere(RUN)]))
        self.assertIsNone(rules([RUN, CALL], [elsewhere(CALL), RUN]))

    def test_entered_from_native_code(self) -> None:
        for above in ([], [RUNTIME], [RUNTIME, RUNTIME, SORT]):
            self.assertEqual(rules([RUN, SORT, COMPARE, *above], [RUN]), ["entered_from_native_code"], above)
        self.assertIsNone(rules([RUN, SORT, COMPARE, CALL], [COMPARE, RUN]))

    def test_dispatch_of_an_exception(self) -> None:
        self.assertEqual(rules([RUN, THROW, RUNTIME, DISPATCH, RUNTIME], [THROW, RUN]), ["dispatch_of_an_exception"])

    def test_left_by_an_exception(self) -> None:
        handler = elsewhere(RUN)  # a part of the method, which the runtime calls
        self.assertEqual(rules([RUN, CALL, THROW, RUNTIME, handler, COMPARE], [COMPARE, RUN]), ["left_by_an_exception"])
        self.assertEqual(rules([RUN, CALL, THROW, RUNTIME], [CALL, RUN]), ["left_by_an_exception"])
        self.assertIsNone(rules([RUN, CALL, THROW, RUNTIME, handler, COMPARE], [COMPARE, CALL, RUN]))

    def test_methods_of_one_image_are_not_one(self) -> None:
        one, other = (READY_TO_RUN, 1, 50), (READY_TO_RUN, 1, 150)
        self.assertIsNone(rules([RUN, one, SORT], [other, RUN]))
        self.assertEqual(rules([RUN, one, SORT], [(READY_TO_RUN, 1, 60), RUN]), ["address_of_a_call_to_native_code"])
        self.assertEqual(rules([one, RUNTIME, other, THUNK], [other, one]), ["thunk_at_the_leaf"])

    def test_a_tail_call_at_the_leaf(self) -> None:
        self.assertEqual(rules([RUN, CALL, JUMPING], [JUMPING]), ["tail_call_at_the_leaf"])
        self.assertIsNone(rules([RUN, CALL, JUMPING], [JUMPING, RUN]))
        self.assertIsNone(rules([RUN, JUMPING, CALL], [CALL]))
        self.assertIsNone(rules([RUN, JUMPING, SORT], [JUMPING]))

    def test_what_is_counted(self) -> None:
        found = compare(FakeStream([RUN, CALL], [CALL, RUN]))
        found += compare(FakeStream([RUN, CALL, SORT], [elsewhere(CALL), RUN]))
        found += compare(FakeStream([RUN, CALL], [CALL]))
        found += compare(FakeStream([RUN, CALL, SORT], [], 1))
        self.assertEqual((found.seeded, found.answered, found.equal, len(found.different)), (4, 3, 1, 1))
        self.assertEqual((found.frames, found.frames_equal, found.frames_different), (6, 4, 1))
        self.assertEqual(found.methods_equal, 5)
        self.assertEqual(found.refused, [(1, False, ["Run", "Call", "[dll]"])])


if __name__ == "__main__":
    unittest.main()
