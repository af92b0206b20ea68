#!/usr/bin/env python3
"""Under Wine: the walks of programs that know their own stacks are right, as Wine is and as Windows would be."""
import unittest

from harness import Run, wrong_stacks
from stream import JITTED, NATIVE, OWN_WALK, READY_TO_RUN

RIGHT = 0.995   # of the samples
WHOLE = 0.99
SECONDS = "3"
S_OK = 0


def share(count: int, of: int) -> float:
    return count / of if of else 0


def managed_frames(stream, sample) -> list[tuple[tuple[int, int, int], bool]]:
    """Leaf first, those with metadata; whether each called native code. Without a leaf in a ready-to-run image that is in none of
    its methods: a thunk through which they call, no frame to the CLR."""
    found = []
    for at in reversed(range(len(sample.frames))):
        frame = sample.frames[at]
        thunk = at == len(sample.frames) - 1 and stream.name(frame, True).startswith("?[")
        if frame[0] in (READY_TO_RUN, JITTED) and not stream.without_metadata(frame) and not thunk:
            found.append((frame, at + 1 < len(sample.frames) and sample.frames[at + 1][0] == NATIVE))
    return found


def equal(ours, theirs) -> bool:
    return len(ours) == len(theirs) and all(
        mine[:2] == their[:2] and (mine == their or called_native) for (mine, called_native), their in zip(ours, theirs))


def is_being_entered(sample) -> bool:
    """A method that native code calls, in the runtime's helper at its begin or end: not yet or no longer on the CLR's chain."""
    kinds = [frame[0] for frame in sample.frames[-3:]]
    return len(kinds) == 3 and kinds[0] == NATIVE and kinds[1] in (READY_TO_RUN, JITTED) and kinds[2] == NATIVE


class Walks(unittest.TestCase):
    def check(self, run: Run) -> None:
        stream = run.stream
        self.assertTrue(stream.ended)
        checked, wrong = wrong_stacks(run)
        print(f"{run.done.args[2:]}: {checked} checked, {len(wrong)} wrong; " + stream.messages[-1])
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

    # Not compared: methods without metadata, which the CLR leaves out; and where in the method that called native code the
    # thread is, which the CLR knows from its own chain of frames. Exceptions have their own frames (docs/truth.md).
    def test_the_clrs_walk_with_a_seed_equals_our_own(self) -> None:
        seeded, answered, different = 0, 0, []
        for what in ("managed", "alloc", "native"):
            run = Run("winstack", what, SECONDS, shim=True, oracle="1")
            stream = run.stream
            for oracle in (o for o in stream.oracles if o.seeded):
                seeded += 1
                if oracle.hresult != S_OK:
                    continue
                answered += 1
                sample = stream.by_thread[oracle.thread][oracle.sample]
                theirs = [f for f in oracle.frames if not stream.without_metadata(f)]
                ours = managed_frames(stream, sample)
                if not equal(ours, theirs) and not (is_being_entered(sample) and equal(ours[1:], theirs)):
                    different.append((stream.names(sample), [stream.name(f) for f in theirs]))
        self.assertGreater(answered, 100)
        print(f"{seeded} with a seed, {answered} answered, {len(different)} different")
        for ours, theirs in different:
            print(f"ours {' > '.join(ours)}; the CLR's, leaf first: {' < '.join(theirs)}")
        self.assertGreaterEqual(share(answered, seeded), 0.99)
        self.assertGreaterEqual(share(answered - len(different), answered), 0.999, different[:3])

    # A stack deeper than what is kept: the callback has enough, and our own walk takes the place of the CLR's.
    def test_the_callback_that_says_enough_is_seen_as_aborted(self) -> None:
        run = Run("winstack", "managed", "1", shim=True, depth="16")
        self.assertRegex("\n".join(run.stream.messages), r"with a seed: CORPROF_E_STACKSNAPSHOT_ABORTED \d+")
        known = [s for t in run.stream.threads_named("known") for s in run.stream.by_thread[t] if s.flags & OWN_WALK]
        self.assertTrue(known)
        self.assertTrue(all(len(s.frames) <= 17 for s in known))

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
