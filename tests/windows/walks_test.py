#!/usr/bin/env python3
"""Under Wine: the walks of programs that know their own stacks are right, as Wine is and as Windows would be."""
import unittest

from harness import Run, wrong_stacks
from stream import OWN_WALK

RIGHT = 0.995   # of the samples
WHOLE = 0.99
SECONDS = "3"
S_OK = 0


def share(count: int, of: int) -> float:
    return count / of if of else 0


class Walks(unittest.TestCase):
    def check(self, run: Run) -> None:
        stream = run.stream
        self.assertTrue(stream.ended)
        checked, wrong = wrong_stacks(run)
        self.assertGreater(checked, 30)
        self.assertGreaterEqual(share(checked - len(wrong), checked), RIGHT, wrong[:5])
        known = [s for t in stream.threads_named("known") for s in stream.by_thread[t]]
        whole = [s for s in known if s.end == 0]
        self.assertGreaterEqual(share(len(whole), len(known)), WHOLE)
        unnamed = [name for s in known for name in stream.names(s) if name.startswith("?") or name == "[?]"]
        self.assertLessEqual(len(unnamed), len(known) * 0.01, unnamed[:5])

    def test_as_wine_is(self) -> None:
        for what in ("managed", "alloc", "exceptions", "native"):
            with self.subTest(what):
                run = Run("winstack", what, SECONDS)
                self.check(run)
                own = [s for s in run.stream.samples if s.flags & OWN_WALK]
                if what == "managed":
                    self.assertGreater(len(own), 30, "the CLR refuses threads in managed code, and no sample is lost")
                    self.assertIn("UNSAFE", "\n".join(run.stream.messages))

    def test_as_windows_is(self) -> None:
        for what in ("managed", "alloc", "exceptions", "native"):
            with self.subTest(what):
                self.check(Run("winstack", what, SECONDS, shim=True))

    def test_callbacks_through_native_code_are_whole(self) -> None:
        run = Run("winstack", "native", SECONDS, shim=True)
        stacks = [run.stream.names(s) for t in run.stream.threads_named("known") for s in run.stream.by_thread[t]]
        through = [names for names in stacks if "Known.Compare" in names]
        self.assertGreater(len(through), 10)
        for names in through:
            at = names.index("Known.Compare")
            self.assertIn("[msvcrt.dll]", names[names.index("Known.Sort"):at])

    def test_the_clrs_walk_with_a_seed_equals_our_own(self) -> None:
        run = Run("winstack", "all", "4", shim=True, oracle="1")
        seeded = [o for o in run.stream.oracles if o.seeded]
        answered = [o for o in seeded if o.hresult == S_OK]
        self.assertGreater(len(answered), 100)
        self.assertGreaterEqual(share(len(answered), len(seeded)), 0.99, run.stream.messages)
        different = []
        for oracle in answered:
            sample = run.stream.by_thread[oracle.thread][oracle.sample]
            ours = [f for f in reversed(sample.frames) if f[0] in (2, 3)]
            if ours != oracle.frames:
                different.append((run.stream.names(sample), [run.stream.name(f) for f in oracle.frames]))
        self.assertGreaterEqual(share(len(answered) - len(different), len(answered)), 0.999, different[:3])

    def test_native_frames_as_wished(self) -> None:
        for native, blocks, dlls in (("holes", True, False), ("none", False, False), ("full", False, True)):
            with self.subTest(native):
                run = Run("winstack", "native", "2", native=native)
                names = [name for t in run.stream.threads_named("known") for s in run.stream.by_thread[t]
                         for name in run.stream.names(s)]
                self.assertIn("Known.Compare", names)
                self.assertEqual("[native]" in names, blocks)
                self.assertEqual("[msvcrt.dll]" in names, dlls)

    def test_every_tick_has_its_outcome(self) -> None:
        run = Run("winstack", "all", "1")
        counters = run.stream.counters
        self.assertEqual(counters[2], counters[3] + sum(counters[4]))
        self.assertEqual(counters[3], len(run.stream.samples))


if __name__ == "__main__":
    unittest.main()
