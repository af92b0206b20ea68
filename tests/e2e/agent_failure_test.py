#!/usr/bin/env python3
"""Whatever the agent cannot have, the program runs as if nothing were there, and one clear line says why."""
import os
import re
import resource
import signal
import unittest

import seccomp
from harness import BUILD, EndToEnd, Recording, app, execute, limit, main, walkabout, with_agent

class WithoutCollector(EndToEnd):
    """The agent loaded by hand, into a program it cannot profile."""

    def check(self, *messages: str, preexec_fn=None, **settings: str) -> None:
        done = execute(*app("hello"), env=with_agent(**settings), preexec_fn=preexec_fn)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stdout, "Hello, World!\n")
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done)
        for text in ("walkabout:", *messages):
            self.assertIn(text, lines[0])

    def test_output_in_no_folder(self) -> None:
        self.check("WALKABOUT_STREAM", WALKABOUT_STREAM="/no/such/folder/raw")

    def test_output_that_is_a_folder(self) -> None:
        self.check("WALKABOUT_STREAM", WALKABOUT_STREAM=str(self.folder))

    def test_full_disk(self) -> None:
        self.check("No space left", WALKABOUT_STREAM="/dev/full")

    def test_nobody_at_the_socket(self) -> None:
        self.check("collector", WALKABOUT_SOCKET="/no/such/socket")

    def test_no_place_to_write_given(self) -> None:
        self.check("WALKABOUT_")

    def test_settings_that_make_no_sense(self) -> None:
        raw = str(self.folder / "raw")
        self.check("WALKABOUT_INTERVAL", "100us to 1s", WALKABOUT_STREAM=raw, WALKABOUT_INTERVAL="now and then")
        self.check("WALKABOUT_DEPTH", WALKABOUT_STREAM=raw, WALKABOUT_DEPTH="-3")
        self.check("WALKABOUT_ENGINE", WALKABOUT_STREAM=raw, WALKABOUT_ENGINE="steam")

    def test_no_memory_for_rings(self) -> None:
        self.check("memory", WALKABOUT_STREAM=str(self.folder / "raw"), preexec_fn=seccomp.refuse(seccomp.MEMFD_CREATE))

    # The rings' mapping is hundreds of megabytes: with it the runtime found no room for its heap or its libraries, and ended.
    def test_a_limit_of_address_space(self) -> None:
        for mebibytes in (2500, 3000, 4000):
            self.check("ulimit -v", WALKABOUT_STREAM=str(self.folder / "raw"), preexec_fn=limit(resource.RLIMIT_AS, mebibytes << 20))

    def test_a_limit_of_address_space_with_room_for_both(self) -> None:
        raw = self.folder / "raw"
        done = execute(*app("hello"), env=with_agent(WALKABOUT_STREAM=str(raw)), preexec_fn=limit(resource.RLIMIT_AS, 16 << 30))
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "Hello, World!\n", ""), done)
        self.assertGreater(raw.stat().st_size, 0)

    def test_no_clock_at_all(self) -> None:
        self.check(WALKABOUT_STREAM=str(self.folder / "raw"),
                   preexec_fn=seccomp.refuse(seccomp.PERF_EVENT_OPEN, seccomp.TIMER_CREATE))


class Files(EndToEnd):
    def test_raw_stream_to_a_file(self) -> None:
        raw = self.folder / "raw"
        done = execute(*app("qsort"), "1", env=with_agent(WALKABOUT_STREAM=str(raw), WALKABOUT_INTERVAL="1ms"))
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(done.stderr, "")
        self.assertGreater(raw.stat().st_size, 1000)

    # A file that grows beyond the limit sends a signal that ends a program not prepared for it. The runtime's own
    # big file (for write-xor-execute) would be the first to meet it, so it is told to do without.
    def test_file_size_limit(self) -> None:
        done = execute(*app("qsort"), "1", preexec_fn=limit(resource.RLIMIT_FSIZE, 20_000),
                       env=with_agent(WALKABOUT_STREAM=str(self.folder / "raw"), WALKABOUT_INTERVAL="100us",
                                      DOTNET_EnableWriteXorExecute="0"))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("sorts", done.stdout)


class OtherUsersOfTheSignal(EndToEnd):
    # Ticks move to a signal that is free, and the user is warned.
    def test_a_stolen_signal_is_reported(self) -> None:
        self.assert_reported(signal.SIGURG, "--engine", "timer")

    def test_a_stolen_trap_is_reported(self) -> None:
        if self.record(app("hello")).stats()["kernel_ticks"]:
            self.assert_reported(signal.SIGTRAP)

    # Broken by a handler without SA_ONSTACK: SIGSEGV, the kernel's frame on a stack of one page.
    def test_a_library_with_small_stacks(self) -> None:
        for engine in ("timer", "auto"):
            recording = self.record(app("native") + ["smallstacks", "2"], "--interval", "1ms", "--engine", engine,
                                    env={"LD_LIBRARY_PATH": str(BUILD / "apps" / "native-library")})
            stats = recording.stats()
            self.assertGreater(stats["samples"], 50 * stats["process_cpu_seconds"])  # timers tick with the kernel

    def assert_reported(self, stolen: int, *options: str) -> None:
        recording = self.record(app("exitcode") + ["steal", str(int(stolen))], "--interval", "1ms", *options)
        self.assertIn("stolen", recording.run.stdout)
        name = f"the program has taken {signal.Signals(stolen).name}: from now on ticks come as SIG"
        self.assertIn(name, recording.run.stderr)
        stats = recording.stats()
        self.assertTrue(any(name in message for message in stats["messages"]), stats["messages"])
        self.assert_accounts(stats)
        self.assert_cpu_time_is_covered(stats)  # half of the program's work is behind the theft


class RefusedEvents(EndToEnd):
    """Threads whose perf event is refused, where others had one."""
    THREADS = 30

    def assert_sampled_by_timers(self, recording: Recording) -> None:
        message = re.search(r"(\d+) threads ticked by CPU timers", recording.run.stderr)
        self.assertIsNotNone(message, recording.run)
        self.assertGreater(int(message[1]), 10)
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_cpu_time_is_covered(stats)

    @unittest.skipUnless(os.getuid() == 0, "has no rights to give up")
    def test_rights_that_were_given_up(self) -> None:
        recording = self.record(app("exitcode") + ["giveup", str(self.THREADS)])
        if not recording.stats()["kernel_ticks"]:
            self.skipTest("no ticks inside system calls here")
        self.assert_sampled_by_timers(recording)


class LesserKernels(EndToEnd):
    """Through the CLI, where the kernel refuses the better engine."""

    def run_without(self, *calls: int, options: tuple = ()) -> tuple:
        path = self.folder / "out.walk"
        done = walkabout("run", "-o", path, *options, "--", *app("qsort"), "1", preexec_fn=seccomp.refuse(*calls))
        return done, path

    def test_timers_take_the_place_of_perf_events(self) -> None:
        done, path = self.run_without(seccomp.PERF_EVENT_OPEN, options=("--interval", "1ms"))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("timer", done.stderr, "the summary says that the kernel's tick caps the rate")
        self.assert_accounts(Recording(path, done).stats())

    def test_perf_requested_and_refused(self) -> None:
        done, _ = self.run_without(seccomp.PERF_EVENT_OPEN, options=("--engine", "perf"))
        self.assertIn("sorts", done.stdout, "the program ran all the same")
        self.assertIn("perf", done.stderr)
        self.assertNotEqual(done.returncode, 0, "but nothing was recorded")


if __name__ == "__main__":
    main()
