#!/usr/bin/env python3
"""Under Wine: the walks of programs that know their own stacks are right, as Wine is and as Windows would be."""
import re
import unittest

from clr_comparison import Comparison, compare
from stream import OWN_WALK, Stream
from walk_figures import share, walks_of
from wine_programs import Run, long_enough, wrong_stacks

RIGHT = 0.995   # of the samples
WHOLE = 0.99
SECONDS = 3
ENOUGH = 25  # samples of a program
ENOUGH_CPU_NS = 1_000_000_000  # what weights are missing of, at a thread's begin and end, is little of it


def callbacks_of(run: Run) -> list[list[str]]:
    """The stacks that native code called back."""
    stacks = [run.stream.names(s) for t in run.stream.threads_named("known") for s in run.stream.by_thread[t]]
    return [names for names in stacks if "Known.Compare" in names]


def sorts(stream: Stream) -> list[tuple[list[str], str]]:
    """The demo's stacks whose comparison was called back, and what it compares."""
    stacks = [stream.names(s) for t in stream.threads_named("native-sort") for s in stream.by_thread[t]]
    return [(names, what) for names in stacks for what in ("Price", "Weight") if f"Demo.NativeSort.Compare{what}s" in names]


def compared(program: str, *what: str) -> Comparison:
    """Our own walks and the CLR's of a program."""
    return long_enough(lambda seconds: compare(Run(program, *what, str(seconds), shim=True, oracle="1").stream),
                       lambda found: found.answered > ENOUGH, SECONDS)


class Walks(unittest.TestCase):
    def check(self, run: Run) -> int:
        stream = run.stream
        self.assertTrue(stream.ended)
        checked, wrong = wrong_stacks(run)
        print(f"{run.done.args[2:]}: {checked} checked, {len(wrong)} wrong; " + stream.messages[-1])
        self.assertGreater(checked, 0)
        self.assertGreaterEqual(share(checked - len(wrong), checked), RIGHT, wrong[:5])
        known = walks_of(stream, stream.threads_named("known"))
        self.assertGreaterEqual(share(known.whole, known.samples), WHOLE)
        self.assertLessEqual(len(known.unnamed), known.frames * 0.001, known.unnamed[:5])
        return checked

    def check_all(self, shim: bool) -> dict[str, Run]:
        runs = {what: long_enough(lambda seconds, what=what: Run("winstack", what, str(seconds), shim=shim),
                                  lambda run: wrong_stacks(run)[0] >= ENOUGH, SECONDS)
                for what in ("managed", "alloc", "exceptions", "native")}
        self.assertGreater(sum(self.check(run) for run in runs.values()), 50)
        return runs

    def test_as_wine_is(self) -> None:
        run = self.check_all(shim=False)["managed"]
        self.assertGreater(walks_of(run.stream, list(run.stream.by_thread)).own, 0,
                           "the CLR refuses threads in managed code, and no sample is lost")
        self.assertIn("UNSAFE", "\n".join(run.stream.messages))

    def test_as_windows_is(self) -> None:
        self.check_all(shim=True)

    def test_callbacks_through_native_code_are_whole(self) -> None:
        through = long_enough(lambda seconds: callbacks_of(Run("winstack", "native", str(seconds), shim=True)),
                              lambda through: len(through) > 10, SECONDS)
        self.assertGreater(len(through), 10)
        for names in through:
            at = names.index("Known.Compare")
            self.assertIn("[msvcrt.dll]", names[names.index("Known.Sort"):at])

    def test_the_clrs_walk_with_a_seed_equals_our_own(self) -> None:
        found = Comparison()
        for program, *what in (("winstack", "managed"), ("winstack", "alloc"), ("winstack", "native"), ("demo",)):
            found += compared(program, *what)
        self.assertLess(share(found.by_rule["left_by_an_exception"], found.answered), 0.001, "none was thrown")
        found += compared("winstack", "exceptions")
        self.assertGreater(found.answered, 100)
        print(found.summary())
        refused = [refusal for refusal in found.refused if refusal[1]]
        self.assertGreaterEqual(1 - share(len(refused), found.in_managed_code), 0.99, refused[:3])
        self.assertGreaterEqual(1 - share(found.frames_different, found.frames), 0.999, found.different[:3])

    # A stack deeper than what is kept: the callback has enough, and our own walk takes the place of the CLR's.
    def test_the_callback_that_has_enough_is_seen_as_aborted(self) -> None:
        aborted = re.compile(r"with a seed: CORPROF_E_STACKSNAPSHOT_ABORTED \d+")
        run = long_enough(lambda seconds: Run("winstack", "managed", str(seconds), shim=True, depth="16"),
                          lambda run: aborted.search("\n".join(run.stream.messages)), SECONDS)
        self.assertRegex("\n".join(run.stream.messages), aborted)
        known = [s for t in run.stream.threads_named("known") for s in run.stream.by_thread[t] if s.flags & OWN_WALK]
        self.assertTrue(known)
        self.assertTrue(all(len(s.frames) <= 17 for s in known))

    def test_the_demo(self) -> None:
        for shim in (False, True):
            with self.subTest(shim=shim):
                stream = long_enough(lambda seconds: Run("demo", str(seconds), shim=shim).stream,
                                     lambda stream: len(stream.samples) > 10 and sorts(stream), SECONDS)
                walks = walks_of(stream, list(stream.by_thread))
                self.assertGreater(walks.samples, 10)
                self.assertGreaterEqual(share(walks.whole, walks.samples), WHOLE)
                sorting = sorts(stream)
                self.assertTrue(sorting)
                for names, what in sorting:
                    at = names.index(f"Demo.NativeSort.Compare{what}s")
                    self.assertIn("[msvcrt.dll]", names[names.index(f"Demo.NativeSort.SortBy{what}"):at])

    def test_native_frames_as_requested(self) -> None:
        for native, blocks, dlls in (("holes", True, False), ("none", False, False), ("full", False, True)):
            with self.subTest(native):
                through = long_enough(lambda seconds: callbacks_of(Run("winstack", "native", str(seconds), native=native)),
                                      lambda through: len(through) > 10, 2)
                names = {name for stack in through for name in stack}
                self.assertIn("Known.Compare", names)
                self.assertEqual("[native]" in names, blocks)
                self.assertEqual("[msvcrt.dll]" in names, dlls)

    def test_weights_are_cycles_where_the_system_counts_them(self) -> None:
        tick = 10_000_000  # of Wine's GetThreadTimes
        for shim in (False, True):
            with self.subTest(shim=shim):
                stream = long_enough(lambda seconds: Run("winstack", "managed", str(seconds), shim=shim).stream,
                                     lambda stream: stream.counters[7] > ENOUGH_CPU_NS, 2)
                weights = [sample.weight_ns for sample in stream.samples if sample.weight_ns]
                self.assertEqual(any(weight % tick for weight in weights), shim)
                process_ns = stream.counters[7]
                self.assertLess(sum(weights), process_ns * 1.1)
                self.assertGreater(sum(weights), process_ns * 0.5)

    def test_every_tick_has_its_outcome(self) -> None:
        run = Run("winstack", "all", "1")
        counters = run.stream.counters
        self.assertEqual(counters[2], counters[3] + sum(counters[4]))
        self.assertEqual(counters[3], len(run.stream.samples))


if __name__ == "__main__":
    unittest.main()
