#!/usr/bin/env python3
"""No tick changes what a system call returns: at the highest rate, over many kinds of call."""
import signal

from harness import EndToEnd, app, main


class Calls(EndToEnd):
    def assert_undisturbed(self, *options: str, **run) -> None:
        recording = self.record(app("syscalls") + ["8"], "--interval", "100us", *options, **run)
        lines = [line.split() for line in recording.run.stdout.splitlines()]
        kinds = [line for line in lines if len(line) == 13 and line[1] == "calls"]
        self.assertGreater(len(kinds), 30, recording.run)
        for name, _, calls, _, short, _, interrupted, _, wrong, *_ in kinds:
            with self.subTest(call=name):
                self.assertGreater(int(calls), 0)
                self.assertEqual((int(short), int(interrupted), int(wrong)), (0, 0, 0), recording.run)
        stats = recording.stats()
        self.assertGreater(stats["samples"], 20 * stats["process_cpu_seconds"])

    def test_by_perf_events(self) -> None:
        self.assert_undisturbed()

    def test_by_timers(self) -> None:
        self.assert_undisturbed("--engine", "timer")


class Names(EndToEnd):
    """Where ticks fall inside calls, a sample stands in the call it fell into."""

    def test_the_call_is_named(self) -> None:
        recording = self.record(app("syscalls") + ["4cpu", "read_zero"], "--interval", "1ms")
        if not recording.stats()["kernel_ticks"]:
            self.skipTest("no ticks inside system calls here")
        calling = [(stack, weight) for stack, weight in recording.stacks() if any("Syscalls.Kind.Run" in f for f in stack)]
        read = sum(weight for stack, weight in calling if stack[-1] in ("read", "__read"))
        spent = sum(weight for _, weight in calling)
        self.assertGreater(read / spent, 0.2, recording.run)  # the rest reads clocks, which some machines do slowly
        inside = float(recording.run.stdout.split()[-1]) * 1000  # as the program measured it
        self.assertAlmostEqual(read / inside, 1, delta=0.15, msg=recording.run)
        self.assert_rooted(recording.stats())


# A thread that compiles and waits for a processor, with a tick to come, is ended by SIGTRAP's default action (docs/life.md).
NOTHING_COMPILES = {"DOTNET_TieredCompilation": "0"}


class Traps(EndToEnd):
    """Ticks inside calls come as SIGTRAP, which ends a program that has no handler."""

    # Broken by the filter without execve: SIGTRAP, each time.
    def test_a_program_that_is_replaced(self) -> None:
        for _ in range(3):
            self.record(app("exitcode") + ["exec"], "--interval", "100us")

    # Broken by the filter without the handler: SIGTRAP.
    def test_a_program_that_sets_the_default_action(self) -> None:
        recording = self.record(app("exitcode") + ["steal", str(int(signal.SIGTRAP)), "default"], "--interval", "100us",
                                env=NOTHING_COMPILES)
        self.assertIn("stolen", recording.run.stdout)

    # Broken by a handler that does not come back: SIGTRAP.
    def test_a_tick_that_waits_in_a_call_since_before(self) -> None:
        recording = self.record(app("exitcode") + ["late", str(int(signal.SIGTRAP))], "--interval", "100us", env=NOTHING_COMPILES)
        self.assertIn("written", recording.run.stdout)
        stats = recording.stats()
        if not stats["kernel_ticks"]:
            self.skipTest("no ticks inside system calls here")
        self.assertIn("the program has taken SIGTRAP", " ".join(stats["messages"]))


if __name__ == "__main__":
    main()
