#!/usr/bin/env python3
"""Started by the environment alone: the agent has a collector of its own, which the program does not notice."""
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import time
import unittest

from attaching import wait_for_work
from harness import AGENT, CLI, EndToEnd, Recording, app, execute, finish, main, start, with_agent


class Environment(EndToEnd):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "out"

    def environment(self, name: str = "%host-%pid-%n.walk", **settings: str) -> dict[str, str]:
        return with_agent(WALKABOUT_OUTPUT=str(self.out / name), WALKABOUT_INTERVAL="1ms", **settings)

    def collectors(self) -> list[int]:
        """Those that write into our folder."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if (process / "cmdline").read_bytes() == b"walkabout\0collect\0" and \
                        str(self.out).encode() in (process / "environ").read_bytes():
                    found.append(int(process.name))
            except OSError:
                pass
        return found

    def wait_for_collector(self) -> None:
        """It finishes its file behind the program's end."""
        for _ in range(600):
            if not self.collectors():
                return
            time.sleep(0.05)
        self.fail("the collector lives on")

    def recordings(self, done) -> list[Recording]:
        self.wait_for_collector()
        self.assertEqual(list(self.out.glob("*.part")), [], done)
        found = [Recording(path, done) for path in sorted(self.out.glob("*.walk"))]
        for recording in found:
            self.assert_accounts(recording.stats())
        return found


class Alone(Environment):
    def test_one_file_for_the_whole_run(self) -> None:
        done = execute(*app("qsort"), "1", env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        found = self.recordings(done)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].stats()["complete"])
        self.assert_whole(found[0].stats())
        self.assertTrue(any("qsort" in frame for frame in found[0].frames()), "native code is named, too")

    def test_rotation_keep_and_budget(self) -> None:
        environment = self.environment("%n.walk", WALKABOUT_EVERY="1s", WALKABOUT_KEEP="2", WALKABOUT_BUDGET="0.01%")
        done = execute(*app("qsort"), "4", env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        found = self.recordings(done)
        self.assertEqual(len(found), 2)
        self.assertTrue(found[-1].stats()["rates"])

    def test_a_terminated_program(self) -> None:
        process = start([*app("exitcode"), "burn", "60"], env=self.environment())
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        wait_for_work(process.pid, 0.3)
        os.killpg(process.pid, signal.SIGTERM)
        for pid in self.collectors():  # as systemd does, that ends a whole service
            os.kill(pid, signal.SIGTERM)
        found = self.recordings(finish(process, 30))
        self.assertEqual(len(found), 1)
        self.assertGreater(found[0].stats()["samples"], 50)

    def test_a_killed_collector(self) -> None:
        process = start([*app("exitcode"), "burn", "3"], env=self.environment())
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        time.sleep(0.5)
        for pid in self.collectors():
            os.kill(pid, signal.SIGKILL)
        done = finish(process, 60)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done)
        self.assertIn("walkabout: recording stopped", done.stderr)
        parts = list(self.out.glob("*.part"))
        self.assertEqual(len(parts), 1)
        self.assertEqual(execute(CLI, "stats", parts[0]).returncode, 0)

    @unittest.skipIf(subprocess.run(["unshare", "-Urpf", "--mount-proc", "true"], check=False,
                                    capture_output=True).returncode != 0, "namespaces are not allowed here")
    def test_the_first_process_of_a_container(self) -> None:
        done = execute("unshare", "-Urpf", "--mount-proc", *app("qsort"), "1", env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        found = self.recordings(done)
        self.assertEqual(len(found), 1, "the kernel ends the collector with the program, which waits for it")
        self.assertTrue(found[0].stats()["complete"])
        self.assertEqual(found[0].stats()["pid"], 1)


class Refused(Environment):
    def check(self, *messages: str, **settings: str) -> None:
        done = execute(*app("hello"), env=self.environment() | settings)
        self.assertEqual((done.returncode, done.stdout), (0, "Hello, World!\n"), done)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 1, done)
        for text in ("walkabout: not profiling this process", *messages):
            self.assertIn(text, lines[0])


class NotProfiled(Refused):
    def test_no_collector(self) -> None:
        self.check("No such file", "WALKABOUT_CLI", WALKABOUT_CLI="/no/such/walkabout")

    def test_something_else_in_its_place(self) -> None:
        self.check("collector", WALKABOUT_CLI="/bin/true")

    def test_wrong_settings(self) -> None:
        self.check("%x", "%host", WALKABOUT_OUTPUT=f"{self.out}/%x.walk")
        self.check("neither %t nor %n", WALKABOUT_OUTPUT=f"{self.out}/a.walk", WALKABOUT_EVERY="60s")
        self.check("how many files stay", WALKABOUT_KEEP="many")
        self.check("WALKABOUT_EVERY is not", WALKABOUT_EVERY="1ms")
        self.check("WALKABOUT_BUDGET is not", WALKABOUT_BUDGET="1")
        self.check("%pid", WALKABOUT_OUTPUT=f"{self.out}/%n.walk", WALKABOUT_CHILDREN="1")

    def test_a_folder_that_cannot_be(self) -> None:
        self.check("the folder that WALKABOUT_OUTPUT names", WALKABOUT_OUTPUT="/proc/nothing/a.walk")


class ReplaceableCollector(Refused):
    """What others could put in the collector's place is not executed; the program runs without it."""

    def setUp(self) -> None:
        super().setUp()
        self.place = self.folder / "installed"
        self.place.mkdir()
        for file in (CLI, AGENT):
            shutil.copy(file, self.place)
        self.cli = self.place / CLI.name

    def refused(self, **settings: str) -> None:
        self.check("others could replace it", "WALKABOUT_CLI", **settings)
        self.assertFalse(self.out.exists())

    def test_the_one_that_is_named(self) -> None:
        for place in (self.cli, self.place):
            before = place.stat().st_mode
            place.chmod(0o777)
            self.refused(WALKABOUT_CLI=str(self.cli))
            place.chmod(before)

    def test_the_one_beside_the_library(self) -> None:
        self.place.chmod(0o777)
        self.refused(CORECLR_PROFILER_PATH=str(self.place / AGENT.name))

    def test_the_same_when_nobody_else_may_write(self) -> None:
        for settings in ({"WALKABOUT_CLI": str(self.cli)}, {"CORECLR_PROFILER_PATH": str(self.place / AGENT.name)}):
            done = execute(*app("hello"), env=self.environment() | settings)
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertEqual(len(self.recordings(done)), 2)


class Children(Environment):
    def run_two(self, **settings: str) -> list[Recording]:
        done = execute(*app("life"), "start", env=self.environment(**settings))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertIn("the child ended with 4", done.stdout)
        return self.recordings(done)

    def test_only_the_first(self) -> None:
        self.assertEqual(len(self.run_two()), 1)

    def test_all_when_requested(self) -> None:
        found = self.run_two(WALKABOUT_CHILDREN="1")
        self.assertEqual(len({recording.stats()["pid"] for recording in found}), 2)

    def test_a_shell_is_no_first_process(self) -> None:
        done = execute("sh", "-c", shlex.join(app("hello")) + "; exit 3", env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (3, ""), done)
        self.assertEqual(len(self.recordings(done)), 1)


if __name__ == "__main__":
    main()
