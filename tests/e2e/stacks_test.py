#!/usr/bin/env python3
"""Stacks that are hard to walk: deep recursion, on-stack-replaced methods, callbacks out of libc."""
import re

from harness import EndToEnd, app, main, share


def left_out(stack: list[str]) -> int:
    marks = [re.fullmatch(r"\[left out (\d+) frames?\]", frame) for frame in stack]
    return sum(int(mark[1]) for mark in marks if mark)


class Deep(EndToEnd):
    def bottoms(self, recording) -> list[list[str]]:
        return [stack for stack, _ in recording.stacks() if share([(stack, 1)], ["Recursion.Bottom"])]

    def test_all_frames_within_the_limit(self) -> None:
        recording = self.record(app("deep") + ["1000", "2"], "--interval", "1ms")
        self.assert_whole(recording.stats())
        stacks = self.bottoms(recording)
        self.assertTrue(stacks)
        for stack in stacks:
            self.assertEqual(sum(frame.startswith("Recursion.Down(") for frame in stack), 1001)

    def test_deeper_than_the_limit_keeps_both_ends(self) -> None:
        recording = self.record(app("deep") + ["5000", "2"], "--interval", "1ms")
        self.assert_whole(recording.stats())
        for stack in self.bottoms(recording):
            downs = sum(frame.startswith("Recursion.Down(") for frame in stack)
            self.assertEqual(downs + left_out(stack), 5001, stack[:10])
            self.assertTrue(any(frame.startswith("Recursion.Top(") for frame in stack), "the root end is there")

    def test_depth_is_an_option(self) -> None:
        recording = self.record(app("deep") + ["500", "2"], "--interval", "1ms", "--depth", "64")
        for stack in self.bottoms(recording):
            self.assertLessEqual(len(stack), 66)
            self.assertGreater(left_out(stack), 400)


class OnStackReplacement(EndToEnd):
    def test_caller_of_a_replaced_method_is_there(self) -> None:
        recording = self.record(app("osr"), "--interval", "1ms")
        self.assert_whole(recording.stats())
        stacks = recording.stacks()
        for name in ["Loops.LongLoop", "Loops.LoopWithCalls"]:
            alone = share(stacks, [name])
            self.assertGreater(alone, 0.1, name)
            self.assertEqual(share(stacks, ["Loops.CallerOfLongLoop", name]), alone, name)
        for stack, _ in stacks:
            self.assertLessEqual(sum(frame.startswith("Loops.LongLoop(") for frame in stack), 1, stack)


class Callbacks(EndToEnd):
    def test_whole_stacks_in_comparers_called_by_libc(self) -> None:
        recording = self.record(app("qsort") + ["3"], "--interval", "1ms")
        self.assert_whole(recording.stats())
        stacks = recording.stacks()
        for caller, comparer in [("SortByPointer", "ComparePointers"), ("SortByDelegate", "CompareByDelegate")]:
            comparer = f"NativeSort.Program.{comparer}"
            inside = share(stacks, [comparer])
            self.assertGreater(inside, 0.2)
            whole = share(stacks, ["NativeSort.Program.Run", f"NativeSort.Program.{caller}", comparer])
            self.assertGreaterEqual(whole / inside, 0.999)


if __name__ == "__main__":
    main()
