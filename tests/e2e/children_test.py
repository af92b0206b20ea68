#!/usr/bin/env python3
"""Every .NET process that the command starts is profiled: one picture, a recording each, an index that every verb takes."""
import json
import os
import re
import shlex
import signal

from attaching import wait_for_work
from harness import EndToEnd, Recording, app, execute, main, walkabout


class Children(EndToEnd):
    def run_two(self, *options: str, between: str = "&"):
        qsort = shlex.join(app("qsort") + ["1"])
        hello = shlex.join(app("hello"))
        done = walkabout("run", "-o", self.folder / "out.walk", "-o", self.folder / "out.html", "-o",
                         self.folder / "out.collapsed", "--interval", "1ms", *options, "--", "sh", "-c",
                         f"{qsort} {between} {hello}; wait; exit 5")
        self.assertEqual(done.returncode, 5, done)
        self.assertIn("Hello, World!", done.stdout)
        return Recording(self.folder / "out.walk", done)

    def output_of(self, *verb, code: int = 0) -> str:
        done = walkabout(*verb)
        self.assertEqual(done.returncode, code, done)
        return done.stdout

    def test_one_picture_and_a_recording_each(self) -> None:
        index = self.run_two()
        parts = index.processes()
        self.assertEqual(len(parts), 2, index.run)
        self.assertEqual({path.parent.name for path in (part.path for part in parts)}, {"out.walk.d"})
        for part in parts:
            self.assert_accounts(part.stats())
        outermost = {line.split(";")[0] for line in (self.folder / "out.collapsed").read_text().splitlines()}
        self.assertEqual({name.partition(" (pid")[0] for name in outermost}, {"dotnet qsort.dll", "dotnet hello.dll"})
        self.assertTrue((self.folder / "out.html").exists())
        for name in outermost:
            self.assertRegex(index.run.stderr, rf"\n +\d+\.\d%  {re.escape(name)}\n")
        self.assertIn(f"out.walk (an index; the recordings are in {index.path}.d)", index.run.stderr)

    def test_every_verb_takes_the_index(self) -> None:
        index = self.run_two("--oracle", between=";")
        sorting = next(part for part in index.processes()
                       if any(frame.startswith("NativeSort.") for frame in part.frames()))
        pid = str(sorting.stats()["pid"])
        both, one = index.report(), json.loads(self.output_of("report", index.path, "--process", pid, "--json"))
        self.assertEqual(one["total"], sorting.report()["total"])
        self.assertEqual(both["total"]["samples"], sum(part.report()["total"]["samples"] for part in index.processes()))
        self.assertIn("(pid " + pid + ")", self.output_of("report", index.path, "--tree"))
        stats = index.stats()["processes"]
        self.assertEqual([s["pid"] for s in stats], [part.stats()["pid"] for part in index.processes()])
        self.assertIn("attempts", self.output_of("stats", index.path))
        self.assertEqual(len(index.verify()["processes"]), 2)
        self.output_of("convert", index.path, self.folder / "copy.walk")
        copies = Recording(self.folder / "copy.walk", index.run).processes()
        self.assertEqual([part.path.read_bytes() for part in copies], [part.path.read_bytes() for part in index.processes()])
        self.output_of("convert", index.path, self.folder / "one.walk", "--process", pid)
        self.assertEqual((self.folder / "one.walk").read_bytes(), sorting.path.read_bytes())
        self.output_of("convert", index.path, self.folder / "all.speedscope.json")
        self.output_of("symbols", index.path)
        self.output_of("report", index.path, "--process", "1", code=1)

    def test_only_the_first_without_them(self) -> None:
        index = self.run_two("--no-children")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.collapsed", "out.html", "out.walk"])
        self.assertEqual(index.processes(), [index])
        self.assertIn("1 other .NET process was left out (--no-children)", index.run.stderr)

    def test_one_process_is_simply_a_recording(self) -> None:
        self.run_two()
        single = self.record(app("hello"))
        self.assertEqual(single.processes(), [single])
        self.assertFalse((self.folder / "out.walk.d").exists(), "what was there before has gone")

    def test_one_that_cannot_be_profiled_is_named(self) -> None:
        qsort = shlex.join(app("qsort") + ["7"])
        done = walkabout("run", "-o", self.folder / "out.walk", "--", "sh", "-c",
                         f"{shlex.join(app('hello'))}; DOTNET_EnableDiagnostics=0 {qsort}")
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stderr, r"dotnet qsort.dll \(pid \d+\) was not recorded: DOTNET_EnableDiagnostics is 0")

    def test_short_ones_that_cannot_be_profiled_are_named(self) -> None:
        burn = shlex.join(app("exitcode") + ["burn", "2"])
        bare = shlex.join(["env", "-i"] + [f"{name}={os.environ[name]}" for name in ("PATH", "HOME", "DOTNET_ROOT")
                                           if name in os.environ])
        commands = [shlex.join(app("exitcode") + ["threads", "2"]), f"DOTNET_EnableDiagnostics=0 {burn}", f"{bare} {burn}"]
        reasons = ["DOTNET_EnableDiagnostics is 0", "who started it left walkabout's variables out"]
        another_user = ["setpriv", "--reuid=65534"]
        if os.getuid() == 0 and execute(*another_user, "test", "-r", app("exitcode")[-1]).returncode == 0:
            commands.append(f"{shlex.join(another_user)} {burn}")
            reasons.append(r"it runs as another user \(65534\)")
        done = walkabout("run", "-o", self.folder / "out.walk", "--", "sh", "-c", "; ".join(commands + ["exit 4"]))
        self.assertEqual(done.returncode, 4, done)
        for reason in reasons:
            self.assertRegex(done.stderr, r"dotnet exitcode.dll \(pid \d+\) was not recorded: " + reason)
        self.assertEqual(done.stderr.count("was not recorded"), len(reasons), done.stderr)

    def test_short_ones_that_are_recorded_are_not_named(self) -> None:
        ends = shlex.join(app("exitcode") + ["return", "0"])
        done = walkabout("run", "-o", self.folder / "out.walk", "--", "sh", "-c", "; ".join([ends] * 4))
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(len(Recording(self.folder / "out.walk", done).processes()), 4)
        self.assertNotIn("was not recorded", done.stderr)

    def test_one_that_outlives_the_command_is_let_go(self) -> None:
        pid_file = self.folder / "pid"
        burn = shlex.join(app("exitcode") + ["burn", "25"])
        done = walkabout("run", "-o", self.folder / "out.walk", "--", "sh", "-c",
                         f"{burn} >/dev/null 2>{self.folder}/output & echo $! >{pid_file}; sleep 1")
        pid = int(pid_file.read_text())
        self.addCleanup(lambda: os.kill(pid, signal.SIGKILL))
        self.assertEqual(done.returncode, 0, done)
        stats = Recording(self.folder / "out.walk", done).stats()
        self.assert_accounts(stats)
        self.assertTrue(stats["complete"], stats)
        wait_for_work(pid, 0.3)
        self.assertEqual((self.folder / "output").read_text(), "")


if __name__ == "__main__":
    main()
