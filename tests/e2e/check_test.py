#!/usr/bin/env python3
"""`walkabout check` says what stands in the way before anybody tries, and its exit code agrees with what happens then."""
import json
import os
import pathlib
import resource
import signal
import shutil
import tempfile

import seccomp
from attaching import cpu_seconds, wait_until
from harness import EndToEnd, app, clean_environment, limit, main, start, walkabout

SUCCESS, FAILURE, USAGE = 0, 1, 2
SECRET = "never-to-be-shown"


class Check(EndToEnd):
    def check(self, *target, expect: int = SUCCESS, **options) -> dict:
        """What it says as JSON; `lines` are its results by what they are about."""
        done = walkabout("check", "--json", *target, **options)
        self.assertEqual(done.returncode, expect, done)
        self.assertEqual(done.stderr, "")
        report = json.loads(done.stdout)
        self.assertEqual(report["can_profile"], expect == SUCCESS)
        report["lines"] = {result["about"]: result for result in report["findings"]}
        self.assertEqual(len(report["lines"]), len(report["findings"]), "one line about each")
        self.assertEqual(report["problems"], sum(r["verdict"] == "no" for r in report["findings"]))
        return report

    def begin(self, command: list, **options) -> int:
        process = start(command, **options)
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        wait_until(lambda: os.readlink(f"/proc/{process.pid}/exe") != os.readlink("/proc/self/exe"), "it has begun")
        return process.pid

    def dotnet(self, **options) -> int:
        pid = self.begin([*app("demo"), "120"], **options)
        wait_until(lambda: cpu_seconds(pid) > 1, "the program works")
        return pid

    def verdict(self, report: dict, about: str) -> str:
        return report["lines"][about]["verdict"]

    def test_this_machine(self) -> None:
        report = self.check()
        self.assertIn(report["engine"], ["perf", "timer"])
        self.assertEqual(self.verdict(report, "runtime"), "ok")
        text = walkabout("check").stdout.splitlines()
        self.assertEqual(len(text), len(report["findings"]))
        self.assertTrue(all(line.split()[0] in ("ok", "warn", "no") for line in text), text)

    def test_a_limit_of_address_space(self) -> None:
        report = self.check(preexec_fn=limit(resource.RLIMIT_AS, 2 << 30), expect=FAILURE)
        self.assertEqual(self.verdict(report, "space"), "no")
        done = walkabout("run", "-o", self.folder / "out.walk", "--", *app("hello"), preexec_fn=limit(resource.RLIMIT_AS, 2 << 30))
        self.assertIn("ulimit -v", done.stderr, "as check says")

    def test_perf_events_refused(self) -> None:
        report = self.check(preexec_fn=seccomp.refuse(seccomp.PERF_EVENT_OPEN))
        self.assertEqual((report["engine"], report["kernel_ticks"]), ("timer", True))
        self.assertLess(report["rate_cap"], 10000)
        self.assertEqual(self.verdict(report, "engine"), "warn")
        self.assertIn("seccomp", report["lines"]["engine"]["remedy"])
        self.assertIn("filter", report["lines"]["seccomp"]["what"])

    def test_no_engine(self) -> None:
        report = self.check(expect=FAILURE, preexec_fn=seccomp.refuse(seccomp.PERF_EVENT_OPEN, seccomp.TIMER_CREATE))
        self.assertEqual((report["engine"], report["rate_cap"]), ("", 0))
        self.assertEqual(self.verdict(report, "engine"), "no")

    def test_no_memory(self) -> None:
        report = self.check(expect=FAILURE, preexec_fn=seccomp.refuse(seccomp.MEMFD_CREATE))
        self.assertEqual(self.verdict(report, "memory"), "no")
        report = self.check(expect=FAILURE, preexec_fn=limit(resource.RLIMIT_FSIZE, 1 << 20))
        self.assertIn("RLIMIT_FSIZE", report["lines"]["memory"]["what"])

    def test_few_descriptors(self) -> None:
        report = self.check(preexec_fn=limit(resource.RLIMIT_NOFILE, 32))
        if report["engine"] == "perf":
            self.assertEqual(self.verdict(report, "files"), "warn")
        report = self.check(preexec_fn=limit(resource.RLIMIT_SIGPENDING, 8))
        self.assertEqual(self.verdict(report, "pending"), "warn")

    def test_signals_that_are_ignored_stay_so(self) -> None:
        def ignore() -> None:
            signal.signal(signal.SIGURG, signal.SIG_IGN)
        self.assertIn("SIGPROF; SIGURG is ignored", self.check(preexec_fn=ignore)["lines"]["signals"]["what"])

    def test_values_of_the_environment_are_not_shown(self) -> None:
        env = clean_environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER=SECRET, CORECLR_PROFILER_PATH=SECRET)
        done = walkabout("check", env=env)
        self.assertIn("CORECLR_PROFILER_PATH", done.stdout)
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        temporary = pathlib.Path(tempfile.mkdtemp(prefix=SECRET))
        self.addCleanup(shutil.rmtree, temporary, ignore_errors=True)
        env["TMPDIR"] = str(temporary)
        pid = self.begin(["sleep", "120"], env=env)
        done = walkabout("check", pid)
        self.assertEqual(done.returncode, FAILURE)
        self.assertNotIn(SECRET, done.stdout + done.stderr)

    def test_what_it_reports_of_switched_off_diagnostics_is_what_happens(self) -> None:
        for name, can_run in [("EnableDiagnostics", False), ("EnableDiagnostics_Profiler", False),
                              ("EnableDiagnostics_IPC", True)]:
            with self.subTest(name):
                env = clean_environment(**{f"DOTNET_{name}": "0"})
                report = self.check("--", *app("hello"), expect=SUCCESS if can_run else FAILURE, env=env)
                self.assertEqual(self.verdict(report, "diagnostics"), "warn" if can_run else "no")
                done = walkabout("run", "-o", self.folder / "out.walk", "--", *app("hello"), env=env)
                self.assertEqual(done.returncode, SUCCESS if can_run else FAILURE, done)

    def test_the_profilers_switch_does_not_prevent_attaching(self) -> None:
        pid = self.dotnet(env=clean_environment(DOTNET_EnableDiagnostics_Profiler="0"))
        self.assertEqual(self.verdict(self.check(pid), "diagnostics"), "ok")
        done = walkabout("attach", pid, "-d", "200ms", "-o", self.folder / "out.walk")
        self.assertEqual(done.returncode, SUCCESS, done)

    def test_commands(self) -> None:
        hosted = self.check("--", *app("hello"))
        self.assertEqual(self.verdict(hosted, "asks"), "ok")
        single = self.check("--", *app("qsort", mode="singlefile"))
        self.assertIn("single file", single["lines"]["program"]["what"])
        starter = self.check("--", *app("qsort", mode="selfcontained"))
        self.assertIn("starter", starter["lines"]["program"]["what"])
        for command in [["/no/such/program"], ["dotnet", "/no/such.dll"]]:
            self.check("--", *command, expect=FAILURE)
        self.assertEqual(self.verdict(self.check("--", "sleep", "1"), "program"), "warn")

    def test_a_process(self) -> None:
        pid = self.dotnet()
        report = self.check(pid)
        for about in ["process", "debugger", "port", "runtime", "reach"]:
            self.assertEqual(self.verdict(report, about), "ok", report)
        self.assertIn(".NET 10", report["lines"]["runtime"]["what"])
        os.kill(pid, signal.SIGSTOP)
        wait_until(lambda: ") T " in pathlib.Path(f"/proc/{pid}/stat").read_text(), "it is stopped")
        self.assertEqual(self.verdict(self.check(pid, expect=FAILURE), "debugger"), "no")

    def test_processes_that_cannot_be_profiled(self) -> None:
        ended = start(["true"])
        ended.communicate()
        self.assertEqual(self.verdict(self.check(ended.pid, expect=FAILURE), "process"), "no")
        report = self.check(self.begin(["sleep", "120"]), expect=FAILURE)
        self.assertIn("not a .NET program", report["lines"]["port"]["what"])
        report = self.check(self.dotnet(env=clean_environment(DOTNET_EnableDiagnostics="0")), expect=FAILURE)
        self.assertEqual((self.verdict(report, "port"), self.verdict(report, "diagnostics")), ("no", "no"))

    def test_a_process_with_a_filter_of_its_own(self) -> None:
        report = self.check(self.dotnet(preexec_fn=seccomp.refuse(seccomp.PERF_EVENT_OPEN)))
        self.assertEqual(self.verdict(report, "seccomp"), "warn")

    def test_wrong_options(self) -> None:
        self.assertEqual(walkabout("check", "--fly").returncode, USAGE)


if __name__ == "__main__":
    main()
