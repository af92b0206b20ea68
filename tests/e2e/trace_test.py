#!/usr/bin/env python3
"""Traced calls against what the program knows of them: the call tree, exceptions, async methods; reverted behind that."""
import json
import os
import signal
import subprocess

from attaching import agents_descriptors, descriptors, threads, wait_until
from counting import RUNTIMES, Counted, calls_of, report
from harness import CLI, EndToEnd, app, main, start, walkabout
from tracing import DELAY_SECONDS, Tracer, ask_for_json, calls_by_path, known_of_work, methods

SPINS = 60 * 2_000_000  # calls of Work.Spun.Counted when it is told to spin
TREE, TASKS = "Nested.Tree.M*", "Nested.Tasks.*"


class Trace(EndToEnd):
    def program(self, *how, **more) -> Counted:
        program = Counted(*how, **more)
        self.addCleanup(program.kill)
        return program

    def trace_once(self, program: Counted, what: str, *patterns: str, **how) -> tuple[dict, dict]:
        """What the program knows, and what was traced meanwhile."""
        tracer = Tracer(program.pid, *patterns, **how)
        self.assertIn("tracing the calls of", tracer.said)
        known = ask_for_json(program, what)
        done = tracer.end()
        self.assertEqual(done.returncode, 0, done)
        return known, json.loads(done.stdout)

    def trace_command(self, what: str, *options: str, runtime: tuple = RUNTIMES[0], size: tuple = ("8", "40")) -> tuple[dict, dict]:
        process = start([CLI, "trace", *options, "--json", "--top", "100000", "--", *app("counted", *runtime), *size, "wait"],
                        stdin=subprocess.PIPE)
        out, err = process.communicate(what + "\n", timeout=300)
        self.assertEqual(process.returncode, 0, err)
        return json.loads(out.splitlines()[1]), json.loads(err)

    def assert_whole(self, said: dict) -> None:
        lost = {key: said[key] for key in ("too_deep", "no_room", "unmatched", "not_kept", "refused", "too_many", "left_out", "tree_left_out")}
        self.assertEqual(set(lost.values()), {0}, lost)
        self.assertEqual((said["complete"], said["looked"], said["messages"]), (True, True, []), said["messages"])

    def assert_tasks(self, known: dict, said: dict) -> None:
        counted = {name.rsplit(".", 1)[1]: calls for name, calls in calls_of(said).items()}
        self.assertEqual({name: counted.get(name) for name in known}, {name: both[0] for name, both in known.items()})
        each = methods(said)
        self.assertEqual({name: each[name]["exceptions"] for name in known}, {name: known["Fails"][0] if name == "Fails" else 0 for name in known})
        self.assertEqual((each["Sync"]["waiting_seconds"], each["Waits"]["waiting_seconds"] > 0), (0, True))

    def test_the_call_tree_of_a_command(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                known, said = self.trace_command("tree", "-m", TREE, runtime=runtime)
                self.assertEqual(calls_by_path(said), known)
                self.assert_whole(said)

    def test_the_call_tree_of_a_process_again_and_again(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime, 8, 40)
                program.ask("tree")  # compiled
                lines = program.ask("trace")
                before = descriptors(program.pid), len(threads(program.pid))
                for _ in range(2):
                    known, said = self.trace_once(program, "tree", TREE)
                    self.assertEqual(calls_by_path(said), known)
                    self.assert_whole(said)
                    self.assertEqual(said["reverted"], said["chosen"] + said["callers"], said)
                    wait_until(lambda pid=program.pid: not [name for name in threads(pid) if "walkabout" in name], "the agent leaves")
                    self.assertEqual(agents_descriptors(program.pid), [])
                self.assertEqual(descriptors(program.pid), before[0])
                self.assertEqual(program.ask("trace"), lines)
                self.assertEqual(program.end().returncode, 0)

    def test_methods_of_every_kind(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                known, said = self.trace_command("go", "-m", "Work.*", runtime=runtime, size=("8", "200"))
                counted, known = calls_of(said), known_of_work(known)
                self.assertEqual({name: counted.get(name) for name in known}, known)
                self.assert_whole(said)
                each = methods(said)
                self.assertEqual(each["Throws"]["exceptions"], each["Throws"]["calls"])
                self.assertEqual(each["ThrowsDeep"]["exceptions"], each["ThrowsDeep"]["calls"])
                self.assertEqual(each["Recursive"]["exceptions"], 0)

    def test_async_methods_are_one_call_each(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                known, said = self.trace_command("tasks", "-m", TASKS, runtime=runtime)
                self.assert_tasks(known, said)
                self.assert_whole(said)
                delays = 8 * 5  # threads, and every eighth round
                waits = methods(said)["Waits"]
                self.assertGreater(waits["waiting_seconds"] + waits["total_seconds"], delays * DELAY_SECONDS)

    def test_async_methods_of_a_process(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime, 8, 40)
                program.ask("tasks")
                for _ in range(2):
                    known, said = self.trace_once(program, "tasks", TASKS)
                    self.assert_tasks(known, said)
                    self.assert_whole(said)
                self.assertEqual(program.end().returncode, 0)

    def test_stack_traces_have_their_lines(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime, 1, 1)
                lines = program.ask("trace")
                tracer = Tracer(program.pid, "Work.*", "Lines.Trace")
                self.assertEqual(program.ask("trace"), lines)
                self.assertEqual(calls_of(json.loads(tracer.end().stdout)), {"Lines.Trace": 1, "Work.Traced.Inner": 1, "Work.Traced.Outer": 1})
                self.assertEqual(program.ask("trace"), lines)

    def test_slow_calls_are_kept_with_their_stacks(self) -> None:
        program = self.program(RUNTIMES[0], 2, 8)
        _, said = self.trace_once(program, "tasks", TASKS, options=("--latency", "2ms"))
        slow = [call for call in said["slow_calls"] if ".Waits(" in call["name"]]
        self.assertEqual({value["name"] for call in slow for value in call["arguments"]}, {"this"})
        self.assertEqual(len(slow), 2)  # of two threads, whose first round waits
        for call in slow:
            self.assertEqual(call["outcome"], "returned")
            self.assertGreater(call["seconds"], DELAY_SECONDS)
            self.assertGreater(call["waiting_seconds"], 0)
            self.assertTrue(any("Nested.Tasks" in frame for frame in call["stack"]), call)

    def test_what_is_called_too_often_keeps_its_count(self) -> None:
        program = self.program(RUNTIMES[0], 1, 1)
        tracer = Tracer(program.pid, "Work.Spun.*", "Nested.Tree.M*", options=("--budget", "1%"))
        program.ask("spin")
        program.ask("tree")
        each = methods(json.loads(tracer.end().stdout))
        self.assertEqual((each["Counted"]["calls"], each["Counted"]["timed"]), (SPINS, False))
        self.assertTrue(each["M0"]["timed"])
        self.assertEqual(program.end().returncode, 0)

    def test_explicit_tail_calls_stay(self) -> None:
        """A recursion that would not end well without them: its calls have a count alone."""
        done = walkabout("trace", "-m", "Tails.*", "--json", "--", *app("tails"), "1000000")
        self.assertEqual((done.returncode, done.stdout), (0, "1504556\n"), done)
        each = methods(json.loads(done.stderr))
        self.assertEqual({name: (each[name]["calls"], each[name]["timed"]) for name in ("Even", "Odd", "Catches")},
                         {"Even": (500_001, False), "Odd": (500_000, False), "Catches": (10, True)})

    def test_patterns_choose(self) -> None:
        program = self.program(RUNTIMES[0], 1, 5)
        _, said = self.trace_once(program, "go", "[Marked]", "!*.HasLocal")
        self.assertEqual(set(calls_of(said)), {"Work.Plain.Static", "Work.Plain.RunAsync"})

    def test_what_cannot_be_is_said(self) -> None:
        program = self.program(RUNTIMES[0], 1, 1)
        done = walkabout("trace", "-m", "Nested.Trees.M0", str(program.pid))
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("No method matches 'Nested.Trees.M0'; names like it: Nested.Tree.M0", done.stderr)
        for wrong, text in (((), "which methods"), (("-m", "!Work.*"), "no pattern chooses"), (("-m", "Work.*", "--latency", "soon"), "not a time"),
                            (("-m", "Work.*", "--budget", "much"), "not a share"), (("-m", "Work.*", "--redact", "x"), "--latency"),
                            (("--all",), "for a command"), (("--no-arguments", "-m", "Work.*"), "--latency")):
            done = walkabout("trace", *wrong, str(program.pid))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(text, done.stderr)
        self.assertEqual(program.end().returncode, 0)

    def test_of_a_killed_program_what_came_is_there(self) -> None:
        program = self.program(RUNTIMES[0], 4, 100)
        path = self.folder / "killed.walk"
        tracer = Tracer(program.pid, TREE, options=("-o", path))
        known = ask_for_json(program, "tree")
        os.kill(program.pid, signal.SIGKILL)
        done = tracer.wait()
        self.assertEqual(done.returncode, 0, done)
        for said in (json.loads(done.stdout), report(path)):
            self.assertFalse(said["complete"])
            for name, (calls, _) in calls_by_path(said).items():
                self.assertLessEqual(calls, known[name][0])

    def test_a_killed_walkabout_leaves_nothing(self) -> None:
        program = self.program(RUNTIMES[0], 8, 40)
        tracer = Tracer(program.pid, TREE)
        program.ask("tree")
        tracer.process.kill()
        tracer.process.communicate()
        wait_until(lambda: not [name for name in threads(program.pid) if "walkabout" in name], "the agent leaves")
        known, said = self.trace_once(program, "tree", TREE)
        self.assertEqual(calls_by_path(said), known)
        self.assertEqual(program.end().returncode, 0)

    def test_counts_and_traces_by_turns(self) -> None:
        program = self.program(RUNTIMES[0], 4, 40)
        for _ in range(2):
            known, said = self.trace_once(program, "tree", TREE)
            self.assertEqual(calls_by_path(said), known)
            done = walkabout("count", "-m", TREE, "-d", "50ms", str(program.pid))
            self.assertEqual(done.returncode, 0, done)
        self.assertEqual(program.end().returncode, 0)


if __name__ == "__main__":
    main()
