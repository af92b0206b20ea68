#!/usr/bin/env python3
"""`walkabout attach` from outside of a container: its process has other ids, other files and a read-only root; as root and
as an ordinary user."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import container
from attaching import cpu_seconds, wait_until
from harness import APPS, CLI, EndToEnd, Recording, app, finish, main, start, walkabout

NOBODY = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
PROGRAM = "demo"


def children(pid: int) -> list[int]:
    listed = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout
    return [int(line) for line in listed.split()]


class Containers(EndToEnd):
    def setUp(self) -> None:
        super().setUp()
        # Where an ordinary user may go and write.
        self.open = pathlib.Path(tempfile.mkdtemp(prefix="walkabout-e2e-"))
        self.addCleanup(shutil.rmtree, self.open, ignore_errors=True)
        self.open.chmod(0o1777)
        self.program = self.open / "program"
        app(PROGRAM)
        shutil.copytree(APPS / f"{PROGRAM}-net10.0-framework", self.program)

    def begin(self, argv: list, prefix: list, user: bool) -> int:
        """Starts argv in a container; its program's id here."""
        command = [*prefix, *container.command(self.open / "root", self.program, argv, user=user)]
        process = start(command)

        self.addCleanup(lambda: (process.kill(), process.communicate()))  # unshare takes the others with it
        wait_until(lambda: process.poll() is not None or children(process.pid), "the container begins")
        if process.poll() is not None:
            raise unittest.SkipTest(f"no namespaces to be had here: {finish(process)}")
        pid = children(process.pid)[0]
        wait_until(lambda: process.poll() is not None or cpu_seconds(pid) > 1.5, "the program works")
        self.assertIsNone(process.poll(), "the container ended")
        return pid

    def attach(self, pid: int, prefix: list, cli: pathlib.Path = CLI) -> Recording:
        path = self.open / "out.walk"
        done = finish(start([*prefix, cli, "attach", pid, "-q", "-d", "2s", "-i", "1ms", "-o", path]), 60)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return Recording(path, done)

    def assert_profiled(self, recording: Recording) -> None:
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        self.assertTrue(stats["complete"])
        self.assertEqual(stats["pid"], 1, "as it sees itself")
        frames = recording.frames()
        self.assertTrue(any(frame.startswith("Demo.") for frame in frames), sorted(frames)[:50])
        # Named from the container's own files.
        self.assertIn("start_thread", frames)

    def left_behind(self, pid: int) -> list[str]:
        return [name for name in os.listdir(f"/proc/{pid}/root/tmp") if "walkabout" in name]

    def test_as_root(self) -> None:
        pid = self.begin(["dotnet", f"/app/{PROGRAM}.dll", "120"], [], user=False)
        self.assert_profiled(self.attach(pid, []))
        copies = self.left_behind(pid)
        self.assertEqual(len(copies), 1, "the agent, which the next attach finds there")
        inode = os.stat(f"/proc/{pid}/root/tmp/{copies[0]}").st_ino
        self.assert_profiled(self.attach(pid, []))
        self.assertEqual(os.stat(f"/proc/{pid}/root/tmp/{copies[0]}").st_ino, inode)
        maps = pathlib.Path(f"/proc/{pid}/maps").read_text()
        self.assertEqual(sum(copies[0] in line and " r-xp " in line for line in maps.splitlines()), 1)

    def test_as_an_ordinary_user(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can become an ordinary user")
        # Where that user can run it.
        shutil.copytree(CLI.parent, self.open / "bin", ignore=lambda _, names: [n for n in names if n not in (
            "walkabout", "libwalkabout.so")])
        pid = self.begin(["dotnet", f"/app/{PROGRAM}.dll", "120"], NOBODY, user=True)
        self.assert_profiled(self.attach(pid, NOBODY, self.open / "bin" / "walkabout"))

    def test_root_and_a_process_of_another_user(self) -> None:
        process = start([*NOBODY, "dotnet", self.program / f"{PROGRAM}.dll", "120"])
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        wait_until(lambda: cpu_seconds(process.pid) > 1.5, "the program works")
        path = self.open / "out.walk"
        done = walkabout("attach", process.pid, "-q", "-d", "1s", "-o", path)
        if "CAP_SYS_PTRACE" in done.stderr:
            self.skipTest("this root may not look into the processes of others")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertGreater(Recording(path, done).stats()["samples"], 0)

    def test_no_place_for_the_agent(self) -> None:
        pid = self.begin(["dotnet", f"/app/{PROGRAM}.dll", "120"], [], user=False)
        # No code may be run from its one writable folder.
        remount = ["nsenter", "-t", str(pid), "-m", "mount", "-o", "remount,noexec", self.open / "root" / "tmp"]
        subprocess.run(remount, check=True)
        done = walkabout("attach", pid, "-q", "-d", "1s", "-o", self.open / "out.walk")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("cannot read the agent", done.stderr)
        self.assertIn("noexec", done.stderr)
        self.assertEqual(self.left_behind(pid), [])


if __name__ == "__main__":
    main()
