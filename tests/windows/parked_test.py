#!/usr/bin/env python3
"""Under Wine: threads stopped where it is dangerous get through, and so does the program."""
import re
import unittest

from wine_programs import Run, long_enough

THREADS = 2_000
SAMPLED = 10  # of THREADS; a walk under Wine on a machine with much to do takes longer than they live
# Who holds the lock, in the system's library.
INSIDE = {"heap": "Parked.Heap", "loader": "Parked.Loader"}


def stopped_inside(run: Run, where: str) -> bool:
    stacks = [run.stream.names(sample) for sample in run.stream.samples]
    return where not in INSIDE or any(INSIDE[where] in names and names[-1] == "[ntdll.dll]" for names in stacks)


class Parked(unittest.TestCase):
    def parked(self, where: str, seconds: int, shim: bool) -> Run:
        run = Run("winstack", "park", where, str(seconds), shim=shim, interval="1ms")
        self.assertRegex(run.done.stdout, "^True ")
        self.assertTrue(run.stream.ended)
        return run

    def come_and_go(self, threads: int) -> Run:
        run = Run("winstack", "threads", str(threads), interval="1ms")
        self.assertIn(f"{threads} threads", run.done.stdout)
        self.assertTrue(run.stream.ended)
        counters = run.stream.counters
        self.assertEqual(counters[2], counters[3] + sum(counters[4]))
        return run

    def test_in_a_lock_or_a_collection_or_at_its_end(self) -> None:
        for where in ("heap", "loader", "gc", "exit"):
            for shim in (False, True):
                with self.subTest(where=where, shim=shim):
                    run = long_enough(lambda seconds: self.parked(where, seconds, shim),
                                      lambda run: len(run.stream.samples) > 10 and stopped_inside(run, where), 3)
                    self.assertGreater(len(run.stream.samples), 10)
                    self.assertTrue(stopped_inside(run, where), "none was stopped there")

    def test_threads_that_come_and_go(self) -> None:
        run = long_enough(self.come_and_go, lambda run: len(run.stream.by_thread) > SAMPLED, THREADS)
        self.assertGreater(len(run.stream.by_thread), SAMPLED)

    # What is reported at the end is what docs/windows.md has.
    def test_the_figures_are_reported(self) -> None:
        run = Run("winstack", "all", "1", shim=True)
        self.assertTrue(any(system for _, system in run.stood), "the CLR asks the system while it walks")
        text = "\n".join(run.stream.messages)
        self.assertRegex(text, r"DoStackSnapshot with a seed: \w+ \d+")
        self.assertTrue(re.search(r"the system's calls p50 [\d.]+ us, p99 [\d.]+ us; walkabout with the CLR p50", text))


if __name__ == "__main__":
    unittest.main()
