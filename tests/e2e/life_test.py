#!/usr/bin/env python3
"""Life and death: however a program ends, it ends as it would without us, and the recording says what it lacks.

Each case runs once alone and once under `walkabout run`, the same is done to both, and exit code or signal, output and
errors are compared; docs/life.md has the table.
"""
import ctypes
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest
from typing import Callable

from attaching import TIMEOUT, wait_for_work, wait_until
from harness import CLI, Done, EndToEnd, Recording, SOURCES, app, clean_environment, execute, finish, main, start
from rings import Rings, child_of

OURS = re.compile(r"^walkabout: .*\n", re.MULTILINE)
PTRACE_CONT, PTRACE_DETACH, PTRACE_SEIZE, PTRACE_INTERRUPT = 7, 17, 0x4206, 0x4207
WAIT_ALL = 0x40000000  # __WALL
PR_SET_CHILD_SUBREAPER = 36

libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
libc.ptrace.restype = ctypes.c_long


def as_a_shell_reports(code: int) -> int:
    return 128 - code if code < 0 else code


def comparable(text: str) -> str:
    """Without our own lines; addresses, PIDs and how often a frame repeats differ from run to run."""
    return re.sub(r"0x[0-9a-f]+|\d+", "N", OURS.sub("", text))


class Life(EndToEnd):
    life: list[str]

    @classmethod
    def setUpClass(cls) -> None:
        cls.life = app("life")
        # A program that outlives its parent becomes our child: how it ends is seen too.
        libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def run_command(self, *command: str, options: tuple = ("--interval", "1ms")) -> list:
        return [CLI, "run", "-q", "-o", self.folder / "out.walk", *options, "--", *command]

    def recording(self, done: Done) -> Recording:
        return Recording(self.folder / "out.walk", done).processes()[0]

    def both(self, *way: str, complete: bool, options: tuple = ("--interval", "1ms"), **env: str) -> dict:
        """The program alone and profiled end alike. Returns the recording's figures."""
        environment = clean_environment(**env)
        alone = execute(*self.life, *way, env=environment)
        profiled = execute(*self.run_command(*self.life, *way, options=options), env=environment)
        self.assert_alike(profiled, alone)
        stats = self.recording(profiled).stats()
        self.check(stats, complete)
        return stats

    def both_with(self, act: Callable[[subprocess.Popen, int], None], *way: str, complete: bool) -> dict:
        """The same, where act(process, target) does something from outside to a program that has begun to work."""
        alone, _ = self.begin(*self.life, *way)
        act(alone, alone.pid)
        profiled, target = self.begin_profiled(*way)
        act(profiled, target)
        ended = finish(profiled, 60)
        self.assert_alike(ended, finish(alone, 60))
        stats = self.recording(ended).stats()
        self.check(stats, complete)
        return stats

    def assert_alike(self, profiled: Done, alone: Done) -> None:
        self.assertEqual(profiled.returncode, as_a_shell_reports(alone.returncode), f"{alone}\n{profiled}")
        self.assertEqual(profiled.stdout, alone.stdout)
        self.assertEqual(comparable(profiled.stderr), comparable(alone.stderr))

    def check(self, stats: dict, complete: bool) -> None:
        self.assert_accounts(stats)
        self.assertEqual(stats["damage"], "")
        self.assertEqual(stats["lost"], 0)
        self.assertEqual(stats["complete"], complete, stats)
        self.assertGreater(stats["samples"], 10)
        # One at most for each thread: the tick it was in.
        self.assertLessEqual(stats["drops"]["killed"], stats["threads"], stats)

    def begin(self, *command: str, **options) -> tuple[subprocess.Popen, int]:
        """A program that has begun to work."""
        process = start(list(command), **options)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process, process.pid

    def begin_profiled(self, *way: str, **options) -> tuple[subprocess.Popen, int]:
        """The same profiled: its walkabout, and its own PID."""
        process, _ = self.begin(*self.run_command(*self.life, *way), **options)
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

    # Several ticks for each frame that the kernel would have no room for. Broken by a tick filter that does not know
    # the stack's end: 139, without the runtime's report (20 of 20).
    def test_slow_stack_overflow(self) -> None:
        begun = self.record(app("hello")).stats()
        if begun["engine"] != "perf" or not begun["kernel_ticks"]:
            self.skipTest("no filter of ticks here")
        self.both("slowoverflowinthread", complete=False, options=("--interval", "100us"))

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
    def test_start_a_process_without_children(self) -> None:
        self.both("start", complete=True, options=("--no-children", "--interval", "1ms"))
        self.assertEqual(len(list(self.folder.glob("*.walk"))), 1)

    def test_start_a_process(self) -> None:
        self.both("start", complete=True)
        self.assertEqual(len(list(self.folder.glob("out.walk.d/*.walk"))), 2)

    def test_shell_without_children(self) -> None:
        self.both("system", complete=True, options=("--no-children", "--interval", "1ms"))

    def test_shell(self) -> None:
        self.both("system", complete=True)

    def library(self) -> str:
        made = self.folder / "liblife.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", made, SOURCES / "life" / "life.c"], check=True)
        return str(made)

    def test_fork_without_exec(self) -> None:
        self.both("fork", complete=True, LIFE_LIBRARY=self.library())

    def test_fork_without_exec_without_children(self) -> None:
        self.both("fork", complete=True, options=("--no-children", "--interval", "1ms"), LIFE_LIBRARY=self.library())

    # With W^X the runtime shares its code memory with the child: then such a program crashes alone as well. A child that
    # would compile comes to locks that threads held which it does not have.
    def test_forks_that_run_managed_code(self) -> None:
        self.both("forks", "30", complete=True, options=("--interval", "100us"), LIFE_LIBRARY=self.library(),
                  DOTNET_EnableWriteXorExecute="0", DOTNET_TieredCompilation="0")

    @unittest.skipIf(os.geteuid() != 0, "only root may")
    def test_chroot(self) -> None:
        root = self.folder / "root"
        (root / "tmp").mkdir(parents=True)
        self.both("chroot", complete=True, LIFE_ROOT=str(root))

    def test_clock_that_jumps(self) -> None:
        stats = self.both("clock", complete=True, LD_PRELOAD=self.library())
        self.assertLess(stats["duration"], 60)

    def daemon(self, script: str, name: str, *above: str) -> tuple[Done, Done]:
        """The ends of a script that leaves a program behind, and of that program."""
        out, err, pid = (self.folder / f"{name}.{what}" for what in ("out", "err", "pid"))
        program = f"sh -c 'echo $$ >{pid}; exec {' '.join(self.life)} work 4000' >{out} 2>{err}"
        begun = f"until grep -qs ready {out}; do sleep 0.05; done"
        command = execute(*above, "sh", "-c", script.replace("PROGRAM", program).replace("BEGUN", begun))
        wait_until(lambda: pid.exists() and pid.read_text(), "the program begins")
        _, status = os.waitpid(int(pid.read_text()), 0)  # an orphan, so ours
        return command, Done(os.waitstatus_to_exitcode(status), out.read_text(), err.read_text())

    # The command ends, its .NET process goes on: it is recorded for a moment, then let go.
    def goes_on_as_a_daemon(self, script: str) -> None:
        alone = self.daemon(script, "alone")
        profiled = self.daemon(script, "profiled", *self.run_command())
        self.assertEqual((alone[0].returncode, alone[1].stdout), (9, "ready\ndone\n"))
        self.assert_alike(profiled[0], alone[0])
        self.assert_alike(profiled[1], alone[1])
        self.check(self.recording(profiled[0]).stats(), complete=True)

    def test_daemon_of_a_shell(self) -> None:
        self.goes_on_as_a_daemon("PROGRAM & BEGUN; exit 9")

    def test_daemon_in_a_session_of_its_own(self) -> None:
        self.goes_on_as_a_daemon("setsid --fork PROGRAM </dev/null; BEGUN; exit 9")


class EndedFromOutside(Life):
    def test_kill_the_target(self) -> None:
        alone, _ = self.begin(*self.life, "work", "60000")
        alone.kill()
        process, target = self.begin_profiled("work", "60000")
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
        self.assert_alike(done, finish(alone))
        stats = self.recording(done).stats()
        self.check(stats, complete=False)
        # All that was in its memory is in the recording, by its own count.
        self.assertEqual(stats["samples"] + stats["drops"]["killed"], rings.taken()[0])
        self.assertIn("came from the program's memory", " ".join(stats["messages"]))

    def terminate(self, _: subprocess.Popen, target: int) -> None:
        wait_for_work(target, 0.2)
        os.kill(target, signal.SIGTERM)

    def test_terminate_the_target(self) -> None:
        self.both_with(self.terminate, "work", "60000", complete=False)

    def test_terminate_a_target_that_cleans_up(self) -> None:
        self.both_with(self.terminate, "cleanup", complete=True)

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

    def orphan(self, process: subprocess.Popen, target: int) -> Done:
        """How a program ends whose walkabout is gone; its output ends with it."""
        done = finish(process)
        _, status = os.waitpid(target, 0)
        return Done(os.waitstatus_to_exitcode(status), done.stdout, done.stderr)

    # The target does not notice, but for one line of ours.
    def test_kill_the_cli(self) -> None:
        until = self.folder / "until"
        until.touch()
        alone = self.begin(*self.life, "workwhile", str(until))[0]
        process, target = self.begin_profiled("workwhile", str(until), env=self.session_environment())
        self.work_a_while(target)
        process.kill()
        process.wait(TIMEOUT)
        until.unlink()
        done = self.orphan(process, target)
        self.assert_alike(done, finish(alone))
        self.assertRegex(done.stderr, r"^walkabout: recording stopped: .*\n$")
        self.session_recording()

    def test_kill_both(self) -> None:
        alone = self.begin(*self.life, "work", "60000")[0]
        os.killpg(alone.pid, signal.SIGKILL)
        process, target = self.begin_profiled("work", "60000", env=self.session_environment())
        self.work_a_while(target)
        os.killpg(process.pid, signal.SIGKILL)
        done = self.orphan(process, target)
        self.assertEqual(done, finish(alone))
        self.session_recording()


@unittest.skipIf(subprocess.run(["unshare", "-Urm", "true"], check=False, capture_output=True).returncode != 0,
                 "namespaces are not allowed here")
class FullDisk(Life):
    def on_small_disk(self, *command) -> Done:
        """The command in a namespace where self.small is a disk of a few pages."""
        mounted = f"mount -t tmpfs -o size=16k none {self.small} && exec \"$@\""
        return execute("unshare", "-Urm", "sh", "-c", mounted, "sh", *command, env=self.environment)

    def setUp(self) -> None:
        super().setUp()
        self.small = self.folder / "small"
        self.small.mkdir()
        self.environment = clean_environment(TMPDIR=str(self.folder))
        self.environment.pop("XDG_RUNTIME_DIR", None)

    def ends_alike(self, command: list) -> Done:
        alone = self.on_small_disk(*self.life, "exit", "7")
        self.assertEqual(alone.returncode, 7, alone)
        profiled = self.on_small_disk(*command)
        self.assert_alike(profiled, alone)
        self.assertIn("No space left on device", profiled.stderr)
        return profiled

    def test_under_the_session(self) -> None:
        self.environment["TMPDIR"] = str(self.small)
        self.ends_alike(self.run_command(*self.life, "exit", "7", options=("--interval", "100us")))

    def test_under_the_output(self) -> None:
        command = [CLI, "run", "-q", "-o", self.small / "out.html", "-i", "100us", "--", *self.life, "exit", "7"]
        profiled = self.ends_alike(command)
        kept = list(self.folder.glob("walkabout-*/0.walk"))
        self.assertEqual(len(kept), 1)
        self.assertIn(f"the recording stays in {kept[0]}", profiled.stderr)
        self.check(Recording(kept[0], profiled).stats(), complete=True)


class Outside(Life):
    def closed(self, *streams: str) -> None:
        def close(process: subprocess.Popen, _: int) -> None:
            for name in streams:
                getattr(process, name).close()
                setattr(process, name, None)
        self.both_with(close, "print", "20000", complete=True)

    def test_closed_output(self) -> None:
        self.closed("stdout")

    def test_closed_output_and_errors(self) -> None:
        self.closed("stdout", "stderr")

    def test_stop_and_continue(self) -> None:
        def act(_: subprocess.Popen, target: int) -> None:
            for _ in range(5):
                os.kill(target, signal.SIGSTOP)
                time.sleep(0.1)
                os.kill(target, signal.SIGCONT)
                time.sleep(0.05)
        self.both_with(act, "work", "1000", complete=True)

    def test_stop_and_continue_everything(self) -> None:
        def act(process: subprocess.Popen, _: int) -> None:
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(0.3)
            os.killpg(process.pid, signal.SIGCONT)
        self.both_with(act, "work", "1000", complete=True)

    # A debugger stops the busy thread, sees its ticks come (of a program that has any) and hands them on, and leaves.
    def test_debugger(self) -> None:
        def act(process: subprocess.Popen, target: int) -> None:
            if libc.ptrace(PTRACE_SEIZE, target, None, None) != 0:
                self.skipTest("ptrace is not allowed here")
            for _ in range(0 if process.pid == target else 50):
                _, status = os.waitpid(target, WAIT_ALL)
                self.assertTrue(os.WIFSTOPPED(status))
                libc.ptrace(PTRACE_CONT, target, None, os.WSTOPSIG(status))
            libc.ptrace(PTRACE_INTERRUPT, target, None, None)
            _, status = os.waitpid(target, WAIT_ALL)
            time.sleep(0.2)
            event = status >> 16 != 0  # our interruption; else a signal came first, and has to be delivered
            libc.ptrace(PTRACE_DETACH, target, None, None if event else os.WSTOPSIG(status))
        self.both_with(act, "work", "1500", complete=True)


if __name__ == "__main__":
    main()
