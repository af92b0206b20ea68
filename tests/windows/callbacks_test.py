#!/usr/bin/env python3
"""Under Wine: a thread walks itself inside the CLR's callbacks, while the sampler stops it and others."""
import unittest

from clr_comparison import DISPATCH
from wine_programs import CallbackRun, CallbackWalk, long_enough

TIMES = 20  # of each but the modules (Callbacks.cs)
CHAINS = [("ModuleLoadFinished", 2, ["Callbacks.Load", "Callbacks.Begin"]),
          ("GarbageCollectionStarted", TIMES, ["Callbacks.Collect", "Callbacks.Begin"]),
          ("ExceptionThrown", TIMES, ["Holder<__Canon>.Deeper<__Canon>", "Holder<__Canon>.Throw<__Canon>", "Callbacks.Catch",
                                      "Callbacks.Begin"]),
          ("ExceptionThrown", TIMES, ["Holder<int>.Deeper<__Canon>", "Holder<int>.Throw<double>", "Callbacks.CatchExact",
                                      "Callbacks.Begin"])]


def known(frames: list[str]) -> list[str]:
    return [name for name in frames if name.startswith(("Callbacks.", "Holder<"))]


def managed(frames: list[str]) -> list[str]:
    return [name for name in frames if name != "[native]"]


class Callbacks(unittest.TestCase):
    def collecting(self, seconds: int) -> list[CallbackWalk]:
        """Of the threads that collect, by themselves."""
        run = CallbackRun("winstack", "park", "gc", str(seconds))
        self.assertRegex(run.done.stdout, "^True ")
        self.assertTrue(run.stream.ended)
        return [w for w in run.walks if w.callback == "GarbageCollectionStarted" and "Parked.Collect" in w.frames]

    def test_the_callers_stack_is_whole_and_in_order(self) -> None:
        run = CallbackRun("winstack", "callbacks")
        self.assertIn(f"{2 * TIMES} caught", run.done.stdout)
        self.assertTrue(run.stream.ended)
        for callback, times, chain in CHAINS:
            for kind in ("filled", "compared"):
                with self.subTest(chain=chain, kind=kind):
                    walks = [w for w in run.walks if (w.callback, w.kind) == (callback, kind)
                             and chain[0] in w.frames]
                    self.assertGreaterEqual(len(walks), times)
                    for walk in walks:
                        self.assertEqual(walk.answer, "DoStackSnapshot with a seed: S_OK 1")
                        self.assertEqual(walk.end, 0)
                        self.assertEqual(known(walk.frames), chain)
                        self.assertNotIn("?", walk.frames)
                        self.assertEqual((walk.frames[0], walk.frames[-1]), ("[native]", "[native]"))
                        if kind == "compared":
                            # Our own walk has what the CLR's leaves out: how it dispatches exceptions.
                            ours = [name for name in managed(walk.frames) if not name.startswith(DISPATCH)]
                            self.assertEqual(ours, walk.clr_frames)

    # What value types are in an instantiation is exact without a frame. Which reference types are, the CLR of .NET 10 does not
    # say with one either: the frame's info has no argument in it. When this fails, walks have more to show.
    def test_frame_infos_have_nothing_that_the_function_does_not(self) -> None:
        infos = CallbackRun("winstack", "callbacks").frame_infos
        for whose, method in (("self", "Holder<__Canon>.Throw<System.__Canon>"), ("self", "Holder<int>.Throw<System.Double>"),
                              ("self", "Holder<int>.Deeper<System.__Canon>"),
                              ("other", "Holder<__Canon>.Wait<System.__Canon>")):
            with self.subTest(whose=whose, method=method):
                self.assertIn((whose, method, method), infos)
        self.assertEqual([info for info in infos if info[1] != info[2]], [])

    # Three threads that collect, each of which the others and the sampler may stop while it walks.
    def test_collections_of_several_threads_get_through(self) -> None:
        walks = long_enough(self.collecting, lambda walks: len(walks) > 100, 3)
        self.assertGreater(len(walks), 100)
        self.assertEqual({w.end for w in walks}, {0})


if __name__ == "__main__":
    unittest.main()
