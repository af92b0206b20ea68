#!/usr/bin/env python3
"""Counts of calls against what the program knows of them: exact under threads, at the start and attached; reverted behind that."""
import json
import os
import pathlib
import signal
import subprocess
import time

from attaching import Service, agents_descriptors, descriptors, threads, wait_for_work, wait_until
from counting import RUNTIMES, Counted, Counter, calls_of, load_profiler, report
from harness import AGENT, CLI, Done, EndToEnd, app, clean_environment, finish, main, start, walkabout

CODE_PORT = "8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B95"  # wire/agent_id.h


class Count(EndToEnd):
    def program(self, *how, **more) -> Counted:
        program = Counted(*how, **more)
        self.addCleanup(program.kill)
        return program

    def count_once(self, program: Counted, *patterns: str, **how) -> tuple[dict, dict]:
        """What the program knows, and what was counted meanwhile."""
        counter = Counter(program.pid, *patterns, **how)
        self.assertIn("counting the calls of", counter.said)
        known = program.work()
        done = counter.end()
        self.assertEqual(done.returncode, 0, done)
        return known, json.loads(done.stdout)

    def assert_counted(self, known: dict, said: dict) -> None:
        counted = calls_of(said)
        self.assertEqual({name: counted.get(name) for name in known}, known)
        self.assertTrue(said["complete"], said)
        self.assertEqual((said["refused"], said["too_many"], said["messages"]), (0, 0, []), said)

    def test_a_command_is_counted_from_its_first_call(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                done = walkabout("count", "-m", "Work.*", "--json", "--top", "1000", "--", *app("counted", *runtime), "8", "500")
                self.assertEqual(done.returncode, 0, done)
                said = json.loads(done.stderr)
                self.assert_counted(json.loads(done.stdout), said)
                self.assertTrue(said["looked"])
                counted = calls_of(said)
                self.assertEqual(counted["Work.Plain..cctor"], 1)
                self.assertEqual(counted["Work.Plain.<>c.<MakeLambda>b__9_0"], 4000)
                self.assertEqual(counted["Work.Plain.<HasLocal>g__Local|11_0"], 4000)
                self.assertFalse(any("MoveNext" in name for name in counted), counted)

    def test_attached_again_and_again(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime)
                program.work()  # compiled
                trace = program.ask("trace")
                before = descriptors(program.pid), len(threads(program.pid))
                for _ in range(2):
                    known, said = self.count_once(program, "Work.*")
                    self.assert_counted(known, said)
                    self.assertEqual(said["reverted"], said["chosen"] + said["callers"], said)
                    wait_until(lambda pid=program.pid: not [name for name in threads(pid) if "walkabout" in name], "the agent leaves")
                    self.assertEqual(agents_descriptors(program.pid), [])
                self.assertEqual(descriptors(program.pid), before[0])
                self.assertEqual(program.ask("trace"), trace)
                self.assertEqual(program.end().returncode, 0)

    def test_stack_traces_have_their_lines(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime, 1, 1)
                trace = program.ask("trace")
                self.assertRegex(trace, r"^Inner:\d+ Outer:\d+ Trace:\d+$")
                counter = Counter(program.pid, "Work.*", "Lines.Trace")
                self.assertEqual(program.ask("trace"), trace)
                self.assertEqual(calls_of(json.loads(counter.end().stdout)), {"Lines.Trace": 1, "Work.Traced.Inner": 1, "Work.Traced.Outer": 1})
                self.assertEqual(program.ask("trace"), trace)

    def test_inlined_calls_are_counted(self) -> None:
        """Optimized callers with the methods inlined, before it counts."""
        program = self.program(RUNTIMES[0], 4, 4000, DOTNET_TieredPGO="0", DOTNET_TC_QuickJitForLoops="0")
        program.work()
        known, said = self.count_once(program, "Work.*")
        self.assert_counted(known, said)
        self.assertGreater(said["callers"], 0)
        self.assertEqual(said["reverted"], said["chosen"] + said["callers"], said)

    def test_precompiled_code_is_counted(self) -> None:
        """The framework's: as often as without it, where everything is compiled from its IL."""
        counts = []
        for ready_to_run in "10":
            done = walkabout("count", "-m", "System.Collections.Generic.Sorted*", "--json", "--top", "1000", "--", *app("counted"), "1", "10",
                             env=clean_environment(DOTNET_ReadyToRun=ready_to_run))
            self.assertEqual(done.returncode, 0, done)
            counts.append(calls_of(json.loads(done.stderr)))
        self.assertEqual(counts[0], counts[1])
        self.assertGreater(counts[0]["System.Collections.Generic.SortedDictionary.set_Item"], 0)

    def test_what_the_runtime_calls_by_its_code_is_left_alone(self) -> None:
        """Helpers of the runtime's: .NET 8 has the address of the first code of two of them, and none where there is another before it; .NET 9 asks
        them for a code that they do not have before they are called."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                done = walkabout("count", "-m", "*.CastHelpers.*", "-m", "Work.Plain.Static", "--json", "--top", "1000", "--", *app("counted", *runtime), "1", "10")
                self.assertEqual(done.returncode, 0, done)
                said = json.loads(done.stderr)
                self.assertEqual(calls_of(said)["Work.Plain.Static"], json.loads(done.stdout)["Work.Plain.Static"])
                left_alone = {method["match"].rpartition(".")[2] for method in said["methods"] if method["problem"]}
                if runtime[0] == "net9.0":
                    self.assertGreater(len(left_alone), 10)
                else:
                    self.assertEqual(left_alone, {"StelemRef", "LdelemaRef"} if runtime[0] == "net8.0" else set())

    def test_patterns_choose_and_leave_out(self) -> None:
        program = self.program(RUNTIMES[0], 2, 10)
        known, said = self.count_once(program, "counted!*.Plain.*", "!*.get_*", "!*Recursive")
        counted = calls_of(said)
        self.assertEqual(counted["Work.Plain.Static"], known["Work.Plain.Static"])
        for left_out in ("Work.Plain.get_Property", "Work.Plain.Recursive", "Work.Derived.Area"):
            self.assertNotIn(left_out, counted)
        self.assertEqual([pattern["pattern"] for pattern in said["patterns"]], ["counted!*.Plain.*", "!*.get_*", "!*Recursive"])
        self.assertGreater(min(pattern["methods"] for pattern in said["patterns"]), 0)

    def test_what_matches_nothing_is_said(self) -> None:
        program = self.program(RUNTIMES[0], 1, 1)
        done = walkabout("count", "-m", "Work.Plane.Static", str(program.pid))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("No method matches 'Work.Plane.Static'; names like it: Work.Plain.Static", done.stderr)
        done = walkabout("count", "-m", "Work.Plane.Static", "-m", "Work.Plain.Static", "--", *app("counted"), "1", "10")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("names like it: Work.Plain.Static", done.stderr)
        self.assertRegex(done.stderr, r"\n +10 +[0-9,]+  Work\.Plain\.Static\(int\)\n")
        for wrong in (("-m", "!Work.*"), ("-m", "Work.Run(int)"), ()):
            self.assertEqual(walkabout("count", *wrong, str(program.pid)).returncode, 2)
        self.assertEqual(program.end().returncode, 0)

    def test_the_time_begins_when_all_is_counted(self) -> None:
        program = self.program(RUNTIMES[0], 1, 1)
        done = walkabout("count", "-m", "System.Collections.*", "-m", "Work.*", "-d", "100ms", "--json", str(program.pid))
        self.assertEqual(done.returncode, 0, done)
        said = json.loads(done.stdout)
        self.assertTrue(said["looked"] and said["complete"], said)
        self.assertEqual(said["refused"], 0)
        self.assertGreater(said["chosen"], 1000)
        self.assertIn("counting the calls of", done.stderr)

    def test_what_was_not_asked_for_before_the_end_is_said(self) -> None:
        program = self.program(RUNTIMES[0], 1, 1)
        for seconds in (0.3, 0.8):
            process = start([CLI, "count", "-m", "*", "--yes", "--json", "--top", "100000", str(program.pid)])
            time.sleep(seconds)
            os.killpg(process.pid, signal.SIGINT)
            done = finish(process)
            self.assertNotIn("No method matches", done.stderr)
            self.assertNotIn("counting the calls of", done.stderr)
            if done.returncode == 1:
                self.assertRegex(done.stderr, "before the methods were looked through|interrupted before")
                continue
            said = json.loads(done.stdout)
            self.assertFalse(said["looked"])
            late = [method for method in said["methods"] if method["problem"] and "before the runtime was asked" in method["problem"]]
            self.assertGreater(len(late), 0)
            self.assertGreaterEqual(said["refused"], len(late))
        program.work()
        self.assertEqual(program.end().returncode, 0)

    def test_a_program_that_ends_abruptly_is_counted(self) -> None:
        done = walkabout("count", "-m", "Work.Plain.Static", "--json", "--", *app("counted"), "1", "60", "abort")
        self.assertEqual(done.returncode, 134, done)
        said = json.loads(done.stderr[done.stderr.index("\n{"):])
        self.assertEqual((said["calls"], said["complete"]), (60, False))

    def test_an_earlier_recording_is_not_shown(self) -> None:
        path = self.folder / "count.walk"
        self.assertEqual(walkabout("count", "-m", "Work.*", "-o", path, "--", *app("counted"), "1", "1").returncode, 0)
        done = walkabout("count", "-m", "Work.*", "-o", path, "--", "/bin/echo", "hi")
        self.assertEqual(done.stdout, "hi\n")
        self.assertIn("nothing was recorded", done.stderr)
        self.assertNotIn("Work.", done.stderr)

    def test_callers_that_the_runtime_does_not_name_are_said(self) -> None:
        process = start([*app("runtimeasync"), "60"], env=clean_environment(DOTNET_RuntimeAsync="1"))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        wait_for_work(process.pid, 0.5)
        done = walkabout("count", "-m", "Chain.Burn", "-d", "1s", str(process.pid))
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, r"\n +[0-9,]+ +[0-9,]+  Chain\.Burn\(int\)\n")
        self.assertIn("runtime-async", done.stdout)

    def test_a_commands_terminal_is_its_own(self) -> None:
        """No live table erases what the command writes to it."""
        ours, theirs = os.openpty()
        process = subprocess.Popen([CLI, "count", "-m", "Work.*", "--", *app("counted"), "1", "1", "wait"], env=clean_environment(), text=True,
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=theirs, start_new_session=True)
        self.assertEqual(process.stdout.readline(), "ready\n")
        process.stdin.write("go\n")
        process.stdin.flush()
        process.stdout.readline()
        time.sleep(1.5)  # longer than a table stands
        self.assertEqual(finish(process).returncode, 0)
        os.close(theirs)
        said = os.read(ours, 1 << 16).decode()
        os.close(ours)
        self.assertIn("Work.Plain.Recursive(int)", said)
        self.assertNotIn("\x1b", said)

    def test_so_many_want_a_yes(self) -> None:
        service = Service()
        self.addCleanup(service.kill)
        done = walkabout("count", "-m", "*", str(service.pid), "-d", "1s")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertRegex(done.stderr, r"match [0-9,]+ methods: .*--yes")
        counter = Counter(service.pid, "*", options=("--yes",))
        self.assertIn("counting the calls of", counter.said)
        service.begin_load(2)
        self.assertGreater(service.end_load()["requests"], 0)
        said = json.loads(counter.end().stdout)
        self.assertGreater(said["chosen"], 50_000)
        self.assertGreater(calls_of(said)["System.String.Concat"], 0)
        self.assertEqual(service.stop().returncode, 0)

    def test_what_a_killed_program_counted_is_there(self) -> None:
        program = self.program(RUNTIMES[0], 8, 2000)
        path = self.folder / "killed.walk"
        counter = Counter(program.pid, "Work.*", options=("-o", path))
        known = program.work()
        os.kill(program.pid, signal.SIGKILL)  # the last half second is in its memory alone
        done = counter.wait()
        self.assertEqual(done.returncode, 0, done)
        for said in (json.loads(done.stdout), report(path)):
            counted = calls_of(said)
            self.assertEqual({name: counted.get(name) for name in known}, known)
            self.assertFalse(said["complete"])

    def test_a_second_one_says_what_it_waits_for(self) -> None:
        program = self.program()
        first = Counter(program.pid, "Work.*")
        done = walkabout("count", "-m", "Work.*", str(program.pid))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"(?s)waiting .*another walkabout counts")
        known = program.work()
        self.assert_counted(known, json.loads(first.end().stdout))

    def test_a_killed_walkabout_leaves_nothing(self) -> None:
        program = self.program()
        counter = Counter(program.pid, "Work.*")
        program.work()
        counter.process.kill()
        counter.process.communicate()
        wait_until(lambda: not [name for name in threads(program.pid) if "walkabout" in name], "the agent leaves")
        known, said = self.count_once(program, "Work.*")
        self.assert_counted(known, said)
        self.assertEqual(program.end().returncode, 0)

    def test_a_walkabout_that_was_cut_off_while_it_began(self) -> None:
        """The profiler that changes methods is there, and what makes the runtime call others beside it is not."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime)
                for _ in range(2):  # such a program would be lost when the agent leaves
                    self.assertEqual(walkabout("attach", str(program.pid), "-d", "100ms", "-q", "-o", self.folder / "before.walk").returncode, 0)
                load_profiler(program.pid, CODE_PORT, AGENT)
                for _ in range(2):
                    done = walkabout("attach", str(program.pid), "-d", "100ms", "-q", "-o", self.folder / "behind.walk")
                    self.assertEqual((done.returncode, done.stderr), (0, ""), done)
                known, said = self.count_once(program, "Work.*")
                self.assert_counted(known, said)
                self.assertEqual(program.end(), Done(0, "", ""))

    def test_it_is_attached_to_as_ever(self) -> None:
        program = self.program()
        self.count_once(program, "Work.*")
        path = self.folder / "attached.walk"
        done = walkabout("attach", str(program.pid), "-d", "500ms", "-q", "-o", path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        known, said = self.count_once(program, "Work.*")
        self.assert_counted(known, said)

    def test_attached_to_before_it_is_counted(self) -> None:
        """The runtime counts one notification profiler less for each other that has left: such ones must be called all the same."""
        for runtime in RUNTIMES:
            for times in (1, 3) if runtime is RUNTIMES[0] else (3,):
                with self.subTest(runtime=runtime, times=times):
                    program = self.program(runtime)
                    for _ in range(times):
                        self.assertEqual(walkabout("attach", str(program.pid), "-d", "100ms", "-q", "-o", self.folder / "before.walk").returncode, 0)
                    known, said = self.count_once(program, "Work.*")
                    self.assert_counted(known, said)
                    self.assertEqual(walkabout("attach", str(program.pid), "-d", "100ms", "-q", "-o", self.folder / "behind.walk").returncode, 0)
                    known, said = self.count_once(program, "Work.*")
                    self.assert_counted(known, said)
                    self.assertEqual(program.end().returncode, 0)

    def test_another_profiler_in_the_slot_is_said(self) -> None:
        path = self.folder / "run.walk"
        done = walkabout("count", "-m", "Work.*", "--", *app("counted"), "1", "1",
                         env=clean_environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER="{00000000-0000-0000-0000-000000000001}"))
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("CORECLR_PROFILER", done.stderr)
        self.assertFalse(path.exists())

    def test_a_program_that_unloads_goes_on(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                process = start([*app("kinds", *runtime), "unloads", "3600"])
                self.addCleanup(lambda process=process: (process.kill(), process.communicate()))
                wait_for_work(process.pid, 0.5)
                for _ in range(2):
                    counter = Counter(process.pid, "*", "!System.Private*!*")
                    self.assertIn("counting the calls of", counter.said)
                    wait_for_work(process.pid, 0.3)
                    said = json.loads(counter.end().stdout)
                    self.assertGreater(said["unloadable"], 0)
                    self.assertIsNone(process.poll())

    def test_many_threads_that_come_and_go(self) -> None:
        """More than have counters of their own at once, one after the other."""
        program = self.program(RUNTIMES[0], 400, 3)
        counter = Counter(program.pid, "Work.*")
        known: dict[str, int] = {}
        for _ in range(4):
            for name, calls in program.work().items():
                known[name] = known.get(name, 0) + calls
        done = counter.end()
        self.assert_counted(known, json.loads(done.stdout))

    def test_the_recording_is_reported(self) -> None:
        path = self.folder / "count.walk"
        done = walkabout("count", "-m", "Work.*", "-o", path, "--", *app("counted"), "2", "100")
        self.assertEqual(done.returncode, 0, done)
        text = walkabout("report", path)
        self.assertEqual((text.returncode, text.stderr), (0, ""))
        self.assertRegex(text.stdout, r"\n +800 +[0-9,]+  Work\.Plain\.Recursive\(int\)\n")
        self.assertEqual(calls_of(report(path))["Work.Plain.Recursive"], 800)


if __name__ == "__main__":
    main()
