#!/usr/bin/env python3
"""Async stacks: who awaits whom, against what the program's names say. A wrong caller is never shown; what is not known says so."""
import collections
import re

from attaching import attach_for_work, wait_for_work
from harness import EndToEnd, Recording, app, clean_environment, main, start

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
MARKERS = ("[unknown awaiters]", "[unknown frames]")

# Who awaits each method of tests/apps/async, or calls it.
AWAITED_BY = {
    "Task4": ["Task3"], "Task3": ["Task2"], "Task2": ["Task1"], "Task1": ["TaskRed", "TaskBlue"],
    "Value3": ["Value2"], "Value2": ["Value1"], "Value1": ["ValueRed", "ValueBlue"],
    "Generic2": ["Generic1"], "Generic1": ["GenericRed", "GenericBlue"],
    "Pooled3": ["Pooled2"], "Pooled2": ["Pooled1"], "Pooled1": ["PooledRed", "PooledBlue"],
    "Iterate3": ["Iterate2"], "Iterate2": ["Iterate1"], "Iterate1": ["IteratorRed", "IteratorBlue"],
    "When3": ["When1", "Wrapped"], "Wrapped": ["When1"], "When2": ["When1"], "When1": ["WhenRed", "WhenBlue"],
    "Inside": ["Wait2"], "Wait2": ["Wait1"], "Wait1": ["WaitRed", "WaitBlue"],
    "Void2": ["Void1"], "Void1": ["VoidRed", "VoidBlue"],
    "Any3": ["Any1"], "Any2": ["Any1"], "Any1": ["AnyRed", "AnyBlue"],
    "List4": ["List1", "List2", "List3"], "List3": ["List1"], "List2": ["List1"], "List1": ["ListRed", "ListBlue"],
    "Source3": ["Source1"], "Source2": ["Source1"], "Source1": ["SourceRed", "SourceBlue"],
    "Channel3": ["Channel1"], "Channel2": ["Channel1"], "Channel1": ["ChannelRed", "ChannelBlue"],
    "Run": ["MainAsync"], "MainAsync": [],
}
for kind in ("Task", "Value", "Generic", "Pooled", "Iterator", "When", "Wait", "Void", "Any", "List", "Source", "Channel"):
    AWAITED_BY[kind + "Red"] = AWAITED_BY[kind + "Blue"] = ["Run"]


def method_of(frame: str) -> str:
    """The name in AWAITED_BY that a frame stands for; empty: none of the program's async methods."""
    if not frame.startswith(("Chains.", "Program.MainAsync")):
        return ""
    if "WaitFor" in frame or "Wait2" in frame and "lambda" in frame:
        return "Inside"
    name = frame.split("(")[0].split("<")[0].rsplit(".", 1)[-1]
    return name if name in AWAITED_BY else ""


class Judge:
    """Counts samples by what is known of their callers."""

    def __init__(self, stacks: list[tuple[list[str], int]]) -> None:
        self.whole = self.ended = self.unknown = self.delegates = 0
        self.wrong: collections.Counter = collections.Counter()
        for frames, count in stacks:
            self.judge(frames, count)

    def judge(self, root_first: list[str], count: int) -> None:
        methods = []
        for frame in reversed(root_first):
            method = method_of(frame)
            if method and (not methods or methods[-1] != method):  # a started method: its MoveNext, its own frame
                methods.append(method)
        if not methods:
            return
        colour = next((c for c in ("Red", "Blue") if any(f"Burn.{c}()" in f for f in root_first)), "")
        for method, awaiter in zip(methods, methods[1:]):
            if awaiter not in AWAITED_BY[method]:
                self.wrong[f"{awaiter} does not await {method}: " + ";".join(root_first)] += count
                return
        tops = [m for m in methods if colour and m.endswith(("Red", "Blue"))]
        if any(not top.endswith(colour) for top in tops):
            self.wrong[f"{colour} under {tops}: " + ";".join(root_first)] += count
        elif any(marker in root_first for marker in MARKERS):
            self.unknown += count
        elif root_first[0] == "[completed]":
            self.ended += count  # it has returned
        elif methods[-1] in ("When3", "Wrapped") and any("InnerInvoke" in frame for frame in root_first):
            self.delegates += count  # the part of Task.Run's task that runs before anything is awaited
        elif AWAITED_BY[methods[-1]] and method_of(root_first[0]):
            self.ended += count  # resumed by another thread before the one that started it came to await it
        elif AWAITED_BY[methods[-1]]:
            self.wrong[f"{methods[-1]} under what ran it on: " + ";".join(root_first)] += count
        else:
            self.whole += count


class Async(EndToEnd):
    def judge(self, runtime: tuple, **environment: str) -> Judge:
        return Judge(self.record([*app("async", *runtime), "3"], "--async", "-i", "1ms", env=environment).stacks("--async"))

    def test_awaiters_are_callers(self) -> None:
        for runtime in RUNTIMES:
            for environment in ({}, {"DOTNET_GCgen0size": "0x100000"}, {"DOTNET_gcServer": "1"}, {"DOTNET_TieredCompilation": "0"}):
                if environment and "gen0size" not in str(environment) and runtime != RUNTIMES[0]:
                    continue
                with self.subTest(runtime=runtime, environment=environment):
                    judge = self.judge(runtime, **environment)
                    self.assertEqual(judge.wrong, {})
                    self.assertGreater(judge.whole, 2 * judge.unknown)
                    self.assertGreater(judge.whole, 5 * judge.ended)  # most are of the first second

    def test_awaiters_of_collectible_methods(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record([*app("async", *runtime), "1", "collectible", "5"], "--async", "-i", "1ms",
                                        env={"DOTNET_GCgen0size": "0x100000"})
                self.assertEqual(recording.run.stdout, "0 of 5 left\n")
                judge = Judge(recording.stacks("--async"))
                self.assertEqual(judge.wrong, {})
                self.assertGreater(judge.whole, 2 * judge.unknown)

    def test_awaiters_of_runtime_async_are_unknown(self) -> None:
        recording = self.record([*app("runtimeasync"), "2"], "--async", "-i", "1ms", env={"DOTNET_RuntimeAsync": "1"})
        resumed = 0
        for frames, weight in recording.stacks("--async"):
            if any("Burn(" in frame for frame in frames) and any("[AsyncResume" in frame for frame in frames):
                self.assertEqual(frames[0], "[unknown awaiters]", frames)
                self.assertFalse(any("ThreadPool" in frame for frame in frames), frames)
                resumed += weight
        self.assertGreater(resumed, 100_000)

    def test_attached_wrong_callers_are_not_shown(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                path = self.folder / "out.walk"
                process = start([*app("async", *runtime), "3600"], env=clean_environment(DOTNET_GCgen0size="0x100000"))
                try:
                    wait_for_work(process.pid, 1)
                    done = attach_for_work(process.pid, path, 3, "--async", "-i", "1ms")
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertIsNone(process.poll())
                finally:
                    process.kill()
                    process.communicate()
                judge = Judge(Recording(path, done).stacks("--async"))
                self.assertEqual(judge.wrong, {})
                self.assertGreater(judge.whole, judge.unknown + judge.ended)

    def test_blocked_threads_have_awaiters(self) -> None:
        recording = self.record([*app("async", *RUNTIMES[0]), "3", "sleep"], "--async", "--events", "wall", "-i", "5ms")
        stacks = recording.stacks("--async", "--event", "wall")
        asleep, known = self.with_chain(stacks, "Thread.Sleep", "RunSleep", "Sleep1", "Sleep2")
        self.assertGreater(asleep, 1_500_000)
        self.assertGreater(known, 0.6 * asleep, stacks)  # on a busy machine classes are learnt late

    def test_owners_of_locks_have_awaiters(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record([*app("async", *runtime), "3", "hold"], "--async", "--events", "cpu,locks")
                stacks = recording.stacks("--async", "--event", "locks", "--value", "held up")
                held, known = self.with_chain(stacks, "Chains.Hold2", "RunHold", "Hold1", "Hold2")
                self.assertGreater(held, 0, stacks)
                self.assertGreater(known, 0.6 * held, stacks)

    def with_chain(self, stacks: list, within: str, *chain: str) -> tuple[int, int]:
        """The weight of the stacks with `within`, and of those of them that have the chain's methods in this order."""
        total = known = 0
        for frames, weight in stacks:
            stack = ";".join(frames)
            if within in stack:
                total += weight
                known += weight * bool(re.search(r"\(.*\.".join(rf"{name}\b" for name in chain), stack))
        return total, known


if __name__ == "__main__":
    main()
