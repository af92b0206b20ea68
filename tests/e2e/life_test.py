#!/usr/bin/env python3
"""Life and death: however a program ends, it ends as it would without us, and the recording says what it lacks.

Each case runs once alone and once under `walkabout run`; docs/life.md has the table.
"""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from harness import CLI, Done, EndToEnd, Recording, SOURCES, app, clean_environment, execute, finish, main, start, walkabout
from rings import Rings, child_of

OURS = re.compile(r"^walkabout: .*\n", re.MULTILINE)
PTRACE_CONT, PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 7, 17, 0x4206, 0x4207
WAIT_ALL = 0x40000000  # __WALL


def as_a_shell_says(code: int) -> int:
    return 128 - code if code < 0 else code


def comparable(text: str) -> str:
    """Without our own lines; addresses, PIDs and how often a frame repeats differ from run to run."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", OURS.sub("", text))


class Life(EndToEnd):
    life: list[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.life = app("life")

    def run_command(self, *command: str, options: tuple = ("--interval", "1ms")) -> list:
        return [CLI, "run", "-q", "-o", self.folder / "out.walk", *options, "--", *command]

    def recording(self, done: Done) -> Recording:
        return Recording(self.folder / "out.walk", done)

    def both(self, *way: str, complete: bool, options: tuple = ("--interval", "1ms"), **env: str) -> dict:
        """The program alone and profiled: code and output are the same. Returns the recording's figures."""
        environment = clean_environment(**env)
        alone = execute(*self.life, *way, env=environment)
        profiled = execute(*self.run_command(*self.life, *way, options=options), env=environment)
        self.assertEqual(profiled.returncode, as_a_shell_says(alone.returncode), f"{alone}\n{profiled}")
        self.assertEqual(profiled.stdout, alone.stdout)
        self.assertEqual(comparable(profiled.stderr), comparable(alone.stderr))
        stats = self.recording(profiled).stats()
        self.check(stats, complete)
        return stats

    def check(self, stats: dict, complete: bool) -> None:
        self.assert_accounts(stats)
        self.assertEqual(stats["damage"], "")
        self.assertEqual(stats["lost"], 0)
        self.assertEqual(stats["complete"], complete, stats)
        self.assertGreater(stats["samples"], 10)
        # One at most for each thread: the tick it was in.
        self.assertLessEqual(stats["drops"]["killed"], stats["threads"], stats)

    def begin(self, *way: str, **options) -> tuple[subprocess.Popen, int]:
        """A profiled program that has begun to work, and its PID."""
        process = start(self.run_command(*self.life, *way), **options)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process, child_of(process.pid)


class EndsByItself(Life):
    def test_fail_fast(self) -> None:
        self.both("failfast", complete=False)

    def test_unhandled_exception(self) -> None:
        self.both("throw", complete=False)

    def test_abort(self) -> None:
        self.both("abort", complete=False)

    def test_stack_overflow(self) -> None:
        self.both("overflow", complete=False)

    def test_out_of_memory(self) -> None:
        self.both("memory", complete=False, DOTNET_GCHeapHardLimit="0x4000000")

    # From .NET 10 on, a program without a handler of its own just dies of it.
    def test_terminate(self) -> None:
        self.both("signal", str(int(signal.SIGTERM)), complete=False)

    def test_kill(self) -> None:
        self.both("signal", str(int(signal.SIGKILL)), complete=False)

    def test_exit_while_others_walk(self) -> None:
        self.both("exit", "3", complete=True, options=("--interval", "100us"))


class Processes(Life):
    def test_start_a_process(self) -> None:
        self.both("start", complete=True)
        self.assertEqual(len(list(self.folder.glob("*.walk"))), 1)

    def test_start_a_process_with_children(self) -> None:
        self.both("start", complete=True, options=("--children", "--interval", "1ms"))
        self.assertEqual(len(list(self.folder.glob("*.walk"))), 2)

    def test_shell(self) -> None:
        self.both("system", complete=True)

    def test_shell_with_children(self) -> None:
        self.both("system", complete=True, options=("--children", "--interval", "1ms"))

    def library(self) -> str:
        made = self.folder / "liblife.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", made, SOURCES / "life" / "life.c"], check=True)
        return str(made)

    def test_fork_without_exec(self) -> None:
        self.both("fork", complete=True, LIFE_LIBRARY=self.library())

    def test_fork_without_exec_with_children(self) -> None:
        self.both("fork", complete=True, options=("--children", "--interval", "1ms"), LIFE_LIBRARY=self.library())

    def test_clock_that_jumps(self) -> None:
        stats = self.both("clock", complete=True, LD_PRELOAD=self.library())
        self.assertLess(stats["duration"], 60)

    # The command ends, its .NET process goes on: it is recorded for a moment, then left alone.
    def test_daemon(self) -> None:
        out = self.folder / "out"
        daemon = f"{' '.join(self.life)} work 4000 >{out} 2>{self.folder}/err & exit 9"
        done = execute(*self.run_command("sh", "-c", daemon))
        self.assertEqual(done.returncode, 9, done)
        self.check(self.recording(done).stats(), complete=False)
        self.assertEqual(out.read_text(), "ready\n")
        for _ in range(300):
            if out.read_text() == "ready\ndone\n":
                self.assertEqual(comparable((self.folder / "err").read_text()), "")
                return
            time.sleep(0.1)
        self.fail("the daemon did not go on")


class EndedFromOutside(Life):
    def test_kill_the_target(self) -> None:
        process, target = self.begin("work", "60000")
        rings = Rings(target)
        self.addCleanup(rings.close)
        while rings.taken()[0] < 300:
            time.sleep(0.01)
        os.kill(target, signal.SIGSTOP)
        while rings.taken()[1] == 0:  # until something is in a ring
            os.kill(target, signal.SIGCONT)
            time.sleep(0.02)
            os.kill(target, signal.SIGSTOP)
        os.kill(target, signal.SIGKILL)
        done = finish(process, 30)
        self.assertEqual(done.returncode, 128 + signal.SIGKILL, done)
        stats = self.recording(done).stats()
        self.check(stats, complete=False)
        # All that was in its memory is in the recording, by its own count.
        self.assertEqual(stats["samples"] + stats["drops"]["killed"], rings.taken()[0])
        self.assertIn("came from the program's memory", " ".join(stats["messages"]))

    def session_recording(self) -> dict:
        sessions = list(self.folder.glob("walkabout-*/0.walk"))
        self.assertEqual(len(sessions), 1, list(self.folder.iterdir()))
        stats = Recording(sessions[0], Done(0, "", "")).stats()
        self.assert_accounts(stats)
        self.assertFalse(stats["complete"])
        self.assertGreater(stats["samples"], 10)
        return stats

    def session_environment(self) -> dict[str, str]:
        environment = clean_environment(TMPDIR=str(self.folder))
        environment.pop("XDG_RUNTIME_DIR", None)
        return environment

    def work_a_while(self, target: int) -> None:
        rings = Rings(target)
        while rings.taken()[0] < 1500:
            time.sleep(0.02)
        rings.close()

    # The target does not notice, but for one line of ours.
    def test_kill_the_cli(self) -> None:
        process, target = self.begin("work", "4000", env=self.session_environment())
        self.work_a_while(target)
        process.kill()
        done = finish(process)  # its output ends when the target ends
        self.assertEqual(done.stdout, "done\n")
        self.assertRegex(done.stderr, r"^walkabout: recording stopped: .*\n$")
        self.session_recording()

    def test_kill_both(self) -> None:
        process, target = self.begin("work", "60000", env=self.session_environment())
        self.work_a_while(target)
        os.killpg(process.pid, signal.SIGKILL)
        finish(process, 30)
        self.assertFalse(pathlib.Path(f"/proc/{target}/maps").exists() and
                         pathlib.Path(f"/proc/{target}/maps").read_text())
        self.session_recording()


class Outside(Life):
    def on_small_disk(self, *command) -> list:
        """The command in a namespace where TMPDIR is a disk of a few pages."""
        (self.folder / "small").mkdir()
        mounted = f"mount -t tmpfs -o size=16k none {self.folder}/small && exec \"$@\""
        return ["unshare", "-Urm", "sh", "-c", mounted, "sh", *command]

    @unittest.skipIf(subprocess.run(["unshare", "-Urm", "true"], check=False, capture_output=True).returncode != 0,
                     "namespaces are not allowed here")
    def test_full_disk(self) -> None:
        environment = clean_environment(TMPDIR=str(self.folder / "small"))
        environment.pop("XDG_RUNTIME_DIR", None)
        command = self.on_small_disk(*self.run_command(*self.life, "exit", "7", options=("--interval", "100us")))
        done = execute(*command, env=environment)
        self.assertEqual(done.returncode, 7, done)
        self.assertEqual(done.stdout, "")
        self.assertIn("No space left on device", done.stderr)

    def test_closed_pipe(self) -> None:
        codes = []
        for command in ([*self.life, "print", "20000"], self.run_command(*self.life, "print", "20000")):
            process = start(command)
            self.assertEqual(process.stdout.readline(), "ready\n")
            process.stdout.close()
            process.stderr.close()
            codes.append(process.wait(60))
        self.assertEqual(codes[0], codes[1])
        self.check(self.recording(Done(codes[1], "", "")).stats(), complete=True)

    def check_went_on(self, process: subprocess.Popen) -> None:
        done = finish(process, 60)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "done\n", ""))
        self.check(self.recording(done).stats(), complete=True)

    def test_stop_and_continue(self) -> None:
        process, target = self.begin("work", "1000")
        for _ in range(5):
            os.kill(target, signal.SIGSTOP)
            time.sleep(0.1)
            os.kill(target, signal.SIGCONT)
            time.sleep(0.05)
        self.check_went_on(process)

    def test_stop_and_continue_everything(self) -> None:
        process, _ = self.begin("work", "1000")
        os.killpg(process.pid, signal.SIGSTOP)
        time.sleep(0.3)
        os.killpg(process.pid, signal.SIGCONT)
        self.check_went_on(process)

    # A debugger stops the busy thread, sees its ticks come and hands them on, and leaves.
    def test_debugger(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
        libc.ptrace.restype = ctypes.c_long
        process, target = self.begin("work", "1500")
        if libc.ptrace(PTRACE_SEIZE, target, None, None) != 0:
            self.skipTest("ptrace is not allowed here")
        seen = 0
        while seen < 50:
            _, status = os.waitpid(target, WAIT_ALL)
            self.assertTrue(os.WIFSTOPPED(status))
            seen += 1
            libc.ptrace(PTRACE_CONT, target, None, os.WSTOPSIG(status))
        libc.ptrace(PTRACE_INTERRUPT, target, None, None)
        _, status = os.waitpid(target, WAIT_ALL)
        time.sleep(0.2)
        event = status >> 16 != 0  # our interruption; else a tick came first, and has to be delivered
        libc.ptrace(PTRACE_DETACH, target, None, None if event else os.WSTOPSIG(status))
        self.check_went_on(process)


if __name__ == "__main__":
    main()
