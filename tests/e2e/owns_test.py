#!/usr/bin/env python3
"""Descriptors are the program's own: none of walkabout's is in its table, none of its own is touched by walkabout.

A program that closes, counts and reuses descriptors (tests/apps/owns) says the same alone and profiled: by `run`, by an attach, and by
the environment alone.
"""
import ctypes
import dataclasses
import os
import resource
import subprocess
import unittest
from collections.abc import Callable

import seccomp
from attaching import descriptors, threads, wait_until
from harness import CLI, Done, EndToEnd, Recording, app, clean_environment, execute, finish, limit, main, start, with_agent

CLOSE_RANGE, UNSHARE = 436, 272
PR_SET_CHILD_SUBREAPER = 36


class Owns(EndToEnd):
    owns: list[str]
    ALONE_TRIES = 5

    @classmethod
    def setUpClass(cls) -> None:
        cls.owns = app("owns")

    def run_by_cli(self, *way: str, **options) -> Done:
        environment = clean_environment(**options.pop("settings", {}))
        return execute(CLI, "run", "-q", "-o", self.folder / "out.walk", "--interval", "100us", "--", *self.owns, *way,
                       env=environment, **options)

    def run_by_environment(self, *way: str, **options) -> Done:
        environment = with_agent(WALKABOUT_OUTPUT=str(self.folder / "out.walk"), WALKABOUT_INTERVAL="100us",
                                 **options.pop("settings", {}))
        return execute(*self.owns, *way, env=environment, **options)

    def run_alone(self, *way: str, **options) -> Done:
        """Once more where the runtime closed one of its descriptors while they were listed."""
        environment = clean_environment(**options.pop("settings", {}))
        for _ in range(self.ALONE_TRIES):
            done = execute(*self.owns, *way, env=environment, **options)
            if "?" not in done.stdout.splitlines():
                break
        return done

    def run_attached(self, *way: str) -> Done:
        process = subprocess.Popen([*self.owns, "wait", *way], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=clean_environment(), start_new_session=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        before = descriptors(process.pid)
        attach = start([CLI, "attach", process.pid, "-q", "-o", self.folder / "out.walk", "--interval", "100us"])
        self.wait_for_threads(process.pid)
        wait_until(lambda: descriptors(process.pid) == before, "the attach request's connection is closed, and no other is open")
        process.stdin.write("\n")
        process.stdin.flush()
        done = finish(process, 60)
        attached = finish(attach, 60)
        self.assertEqual(attached.returncode, 0, attached)
        return done

    @staticmethod
    def wait_for_threads(pid: int) -> None:
        wait_until(lambda: "walkabout-samp" in threads(pid), "the sampler runs")

    def assert_recorded(self) -> dict:
        path = self.folder / "out.walk"
        wait_until(path.exists, "the collector writes its file behind the program's end")
        stats = Recording(path, Done(0, "", "")).stats()
        self.assert_accounts(stats)
        self.assertTrue(stats["complete"], stats)
        self.assertGreater(stats["samples"], 100, stats)
        path.unlink()
        return stats

    def assert_alike(self, profiled: Done, alone: Done) -> None:
        self.assertEqual((profiled.returncode, profiled.stdout), (alone.returncode, alone.stdout), f"{alone}\n{profiled}")
        self.assertNotEqual(alone.stdout, "")


class SameAsAlone(Owns):
    NUMBERS_TRIES = 5

    def test_run(self) -> None:
        self.assert_numbers_stay(lambda: self.run_by_cli("numbers"))
        for way in (("list",), ("fork",)):
            with self.subTest(way=way):
                self.assert_alike(self.run_by_cli(*way), self.run_alone(*way))
                self.assert_recorded()

    def test_environment(self) -> None:
        self.assert_numbers_stay(lambda: self.run_by_environment("numbers"))
        for way in (("list",), ("fork",)):
            with self.subTest(way=way):
                self.assert_alike(self.run_by_environment(*way), self.run_alone(*way))
                self.assert_recorded()

    def test_attach(self) -> None:
        self.assert_numbers_stay(lambda: self.run_attached("numbers"))
        done = self.run_attached("fork")
        self.assert_alike(dataclasses.replace(done, stdout="ready\n" + done.stdout), self.run_alone("wait", "fork"))
        self.assert_recorded()

    def assert_numbers_stay(self, run: Callable[[], Done]) -> None:
        """The runtime opens files of its own now and then, also alone, and the program's get other numbers then: that is no
        matter of every run, as it is where our descriptors are in the way."""
        for _ in range(self.NUMBERS_TRIES):
            done = run()
            self.assertEqual(done.returncode, 0, done)
            self.assert_recorded()
            if done.stdout.endswith("files with another number: 0\n"):
                return
        self.fail(f"no run of {self.NUMBERS_TRIES} in which each file got the lowest number: {done}")


class ForeignClosed(Owns):
    """What it opens then gets the numbers of what it closed: walkabout's, if there were any."""
    CALM = "64 pipes, disturbed: 0\n"

    def test_run(self) -> None:
        done = self.run_by_cli("close")
        self.assertEqual((done.returncode, done.stdout), (0, self.CALM), done)
        self.assert_recorded()

    def test_environment(self) -> None:
        done = self.run_by_environment("close")
        self.assertEqual((done.returncode, done.stdout), (0, self.CALM), done)
        self.assert_recorded()

    def test_attach(self) -> None:
        done = self.run_attached("close")
        self.assertEqual((done.returncode, done.stdout), (0, self.CALM), done)
        self.assert_recorded()

    def test_alone(self) -> None:
        done = self.run_alone("close")
        self.assertEqual((done.returncode, done.stdout), (0, self.CALM), done)

    def test_where_the_agent_can_have_no_table_of_its_own(self) -> None:
        done = self.run_by_cli("close", preexec_fn=seccomp.refuse(CLOSE_RANGE, UNSHARE))
        self.assertEqual((done.returncode, done.stdout), (0, self.CALM), done)
        stats = self.assert_recorded()  # they lie above those it looks at
        self.assertTrue(any("in the program's table" in m for m in stats["messages"]), stats)


class Limits(Owns):
    def test_a_low_limit_is_left_to_the_program(self) -> None:
        low = limit(resource.RLIMIT_NOFILE, 60)
        alone = self.run_alone("limit", "100", preexec_fn=low)
        self.assert_alike(self.run_by_environment("limit", "100", preexec_fn=low), alone)
        self.assert_recorded()


class Daemons(Owns):
    @staticmethod
    def exit_codes() -> list[int]:
        """Of all that are ours to wait for."""
        codes = []
        while True:
            try:
                codes.append(os.waitstatus_to_exitcode(os.waitpid(-1, 0)[1]))
            except ChildProcessError:
                return codes

    def test_a_child_goes_on_when_its_parent_is_gone(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.addCleanup(libc.prctl, PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
        for run in (self.run_alone, self.run_by_environment):
            with self.subTest(run=run.__name__):
                mark = self.folder / run.__name__
                process = run("daemon", str(mark))
                self.assertEqual(process.returncode, 6, process)
                self.assertIn(7, self.exit_codes(), "the child's; a collector is ours here, too")
                self.assertEqual(mark.read_bytes(), b"y")


if __name__ == "__main__":
    main()
