#!/usr/bin/env python3
"""Who may read what walkabout makes, whose files it trusts, and what a redacted recording does not say.

docs/security.md has the reasons.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import unittest

from attaching import wait_until
from harness import (AGENT, CLI, Done, EndToEnd, Recording, app, clean_environment, execute, finish, main, start,
                     walkabout, with_agent)

STRANGER = 12345  # a user nobody is
# A short name may be in any text.
HOST = socket.gethostname() if len(socket.gethostname()) > 4 else "the-secret-folder"
BLOCK = struct.Struct("<4sIII")


def raw_records(path: pathlib.Path) -> bytes:
    """All that a recording holds, decompressed (recording/format.md)."""
    zstd = ctypes.CDLL("libzstd.so.1")
    zstd.ZSTD_decompress.restype = ctypes.c_size_t
    zstd.ZSTD_decompress.argtypes = [ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    data, at, out = path.read_bytes(), 16, b""
    while at < len(data):
        sync, size, raw_size, _ = BLOCK.unpack_from(data, at)
        assert sync == b"WBLK", at
        at += BLOCK.size
        raw = ctypes.create_string_buffer(raw_size)
        assert zstd.ZSTD_decompress(raw, raw_size, data[at:at + size], size) == raw_size
        out += raw.raw
        at += size
    return out


def mode(path: pathlib.Path) -> str:
    return oct(path.lstat().st_mode & 0o7777)


def opened_up() -> None:
    os.umask(0)


class AgentIsOurs(EndToEnd):
    """An agent that others could replace is not loaded."""

    def setUp(self) -> None:
        super().setUp()
        self.place = self.folder / "installed" / "bin"
        self.place.mkdir(parents=True)
        for file in (CLI, AGENT):
            shutil.copy(file, self.place)
        self.agent = self.place / AGENT.name

    def refused(self, place: pathlib.Path, cause: str, remedy: str) -> None:
        cli, mark = self.place / CLI.name, self.folder / "started"
        run = execute(cli, "run", "-o", self.folder / "x.walk", "--", "touch", mark)
        attach = execute(cli, "attach", os.getpid(), "-o", self.folder / "x.walk")
        for done in (run, attach):
            self.assertEqual(done.returncode, 2, done)
            self.assertRegex(done.stderr, rf"^walkabout: the agent is not loaded, for it could be replaced: {place} {cause}")
            self.assertIn(remedy, done.stderr)
        self.assertFalse(mark.exists(), "nothing was started")
        done = execute(cli, "check", "--json")
        results = [r for r in json.loads(done.stdout)["findings"] if r["about"] == "agent"]
        self.assertEqual([r["verdict"] for r in results], ["no"], results)
        self.assertIn(remedy, results[0]["remedy"])
        self.assertEqual(done.returncode, 1)

    def test_writable_by_all(self) -> None:
        for place in (self.agent, self.place, self.place.parent):
            before = place.stat().st_mode
            place.chmod(0o757)
            self.refused(place, "may be written by others", f"chmod go-w {place}")
            place.chmod(before)

    def test_a_group_that_is_not_the_users_own(self) -> None:
        with self.as_root():
            os.chown(self.place, -1, STRANGER)
            self.place.chmod(0o775)
            self.refused(self.place, "may be written by others", f"chmod g-w {self.place}")

    def test_another_users(self) -> None:
        with self.as_root():
            os.chown(self.agent, STRANGER, -1)
            self.refused(self.agent, "belongs to user 12345", "install walkabout as root")

    def test_a_link_to_what_is_another_users(self) -> None:
        with self.as_root():
            elsewhere = self.folder / "elsewhere.so"
            self.agent.rename(elsewhere)
            os.chown(elsewhere, STRANGER, -1)
            self.agent.symlink_to(elsewhere)
            self.refused(elsewhere, "belongs to user 12345", "install walkabout as root")

    # As files are with umask 002, and below a folder like /tmp.
    def test_the_users_own_group_and_a_sticky_folder(self) -> None:
        with self.as_root():
            self.place.chmod(0o775)
            self.agent.chmod(0o775)
            (self.folder / "installed").chmod(0o1777)
            done = execute(self.place / CLI.name, "run", "-q", "-o", self.folder / "x.walk", "--", *app("hello"))
            self.assertEqual(done.returncode, 0, done)

    @contextlib.contextmanager
    def as_root(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        yield


class WhoMayRead(EndToEnd):
    def test_modes(self) -> None:
        environment = clean_environment(XDG_RUNTIME_DIR=str(self.folder))
        walk, html = self.folder / "out.walk", self.folder / "out.html"
        process = start([CLI, "run", "-q", "-o", walk, "-o", html, "--", *app("life"), "work", "1500"], env=environment,
                        preexec_fn=opened_up)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        session, = self.folder.glob("walkabout-*")
        self.assertEqual(mode(session), "0o700")
        self.assertEqual({path.name: mode(path) for path in session.iterdir()} | {"0.walk": "0o600"},
                         {"agent": "0o600", "0.walk": "0o600"})
        self.assertEqual(finish(process).returncode, 0)
        self.assertEqual([mode(walk), mode(html)], ["0o600", "0o600"])
        self.assertFalse(session.exists())

    # What a user has opened to others stays so.
    def test_a_replaced_file_keeps_its_mode(self) -> None:
        html = self.folder / "out.html"
        html.write_text("old")
        html.chmod(0o644)
        self.assertEqual(walkabout("run", "-q", "-o", html, "--", *app("hello")).returncode, 0)
        self.assertEqual(mode(html), "0o644")


class Impostor(EndToEnd):
    """Another user's socket where the runtime's was."""

    def test_nothing_is_sent_to_it(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can be somebody else")
        folder = pathlib.Path("/tmp") / f"walkabout-impostor-{os.getpid()}"
        folder.mkdir()
        folder.chmod(0o1777)
        self.addCleanup(shutil.rmtree, folder)
        process = start([*app("life"), "work", "60000"], env=clean_environment(TMPDIR=str(folder)))
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        real, = folder.glob("dotnet-diagnostic-*-socket")
        name = str(real)
        real.unlink()
        with socket.socket(socket.AF_UNIX) as trap:
            trap.bind(name)
            trap.listen(8)
            trap.setblocking(False)
            for owner, received in ((STRANGER, False), (0, True)):
                os.chown(name, owner, owner)
                done = walkabout("attach", str(process.pid), "-d", "1s", "-o", self.folder / "x.walk")
                self.assertEqual(done.returncode, 1, done)
                self.assertIn("is not its own", done.stderr)
                if not received:
                    with self.assertRaises(BlockingIOError):
                        trap.accept()
                else:
                    with trap.accept()[0] as connection:
                        self.assertEqual(connection.recv(100), b"", "connected to, and left without a word")
        process.send_signal(signal.SIGKILL)
        process.communicate()


class Redact(EndToEnd):
    SECRETS = ("hunter2", "the-secret-folder", "value-of-a-variable", "/dotnet", "/usr/", "/lib/")

    def secret_app(self) -> list[str]:
        """The program below a folder whose name nobody is to know, with an argument likewise."""
        command = app("qsort")
        dll = pathlib.Path(command[1])
        place = self.folder / "the-secret-folder"
        shutil.copytree(dll.parent, place)
        return ["dotnet", str(place / dll.name), "1", "--password=hunter2"]

    def record_secrets(self, *options: str) -> Recording:
        recording = self.record(self.secret_app(), "-i", "1ms", *options, env={"PASSWORD": "value-of-a-variable"})
        self.assertGreater(recording.stats()["samples"], 50)
        return recording

    def assert_silent(self, recording: Recording) -> None:
        raw = raw_records(recording.path)
        for secret in (*self.SECRETS, HOST):
            self.assertNotIn(secret.encode(), raw)
        stats = recording.stats()
        self.assertEqual(stats["command_line"], "dotnet qsort.dll")
        # What a report is about is still there.
        self.assertIn("libcoreclr.so", raw.decode(errors="replace"))
        self.assertTrue(any(frame.startswith("NativeSort.Program.") for frame in recording.frames()), recording.frames())

    def test_recorded_without(self) -> None:
        self.assert_silent(self.record_secrets("--redact"))

    def test_made_without_afterwards(self) -> None:
        recording = self.record_secrets()
        raw = raw_records(recording.path)
        for secret in ("hunter2", "the-secret-folder", HOST):
            self.assertIn(secret.encode(), raw, "else this test could not fail")
        self.assertNotIn(b"value-of-a-variable", raw, "the environment is never recorded")
        shared = self.folder / "shared.walk"
        done = walkabout("convert", "--redact", recording.path, shared)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assert_silent(Recording(shared, done))
        self.assertEqual(Recording(shared, done).stacks(), recording.stacks())
        speedscope = self.folder / "out.speedscope.json"
        self.assertEqual(walkabout("convert", "--redact", recording.path, speedscope).returncode, 0)
        text = speedscope.read_text()
        for secret in (*self.SECRETS, HOST):
            self.assertNotIn(secret, text)

    def test_killed(self) -> None:
        environment = clean_environment(XDG_RUNTIME_DIR=str(self.folder))
        process = start([CLI, "run", "-q", "--redact", "-i", "1ms", "-o", self.folder / "x.walk", "--", *app("life"), "work",
                         "60000", "hunter2"], env=environment)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        walks = lambda: list(self.folder.glob("walkabout-*/0.walk"))
        wait_until(lambda: walks() and walks()[0].stat().st_size > 2000, "something is recorded")
        os.killpg(process.pid, signal.SIGKILL)
        finish(process)
        walk, = walks()
        recording = Recording(walk, Done(0, "", ""))
        self.assertGreater(recording.stats()["samples"], 10)
        raw = raw_records(walk)
        for secret in ("hunter2", "/dotnet", HOST):
            self.assertNotIn(secret.encode(), raw)


class Environment(EndToEnd):
    """No value of an environment variable is in an error."""

    def test_folders_and_servers(self) -> None:
        too_long = self.folder / ("secret" * 20)
        too_long.mkdir()
        done = walkabout("run", "-o", self.folder / "x.walk", "--", "true",
                         env=clean_environment(XDG_RUNTIME_DIR=str(too_long)))
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("set TMPDIR", done.stderr)
        self.assertNotIn("secret", done.stderr)
        done = walkabout("symbols", "x.walk", env=clean_environment(DEBUGINFOD_URLS="user:secret@host"))
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("DEBUGINFOD_URLS", done.stderr)
        self.assertNotIn("secret", done.stderr)

    def test_agents_settings(self) -> None:
        environment = with_agent(WALKABOUT_OUTPUT=str(self.folder / "%n.walk"), WALKABOUT_INTERVAL="secret")
        done = execute(*app("hello"), env=environment)
        self.assertIn("WALKABOUT_INTERVAL", done.stderr)
        self.assertNotIn("secret", done.stderr)


if __name__ == "__main__":
    main()
