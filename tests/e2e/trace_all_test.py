#!/usr/bin/env python3
"""Every managed call, by the runtime's hooks, against what programs know of their own calls: exact, whatever way a call ends."""
import json
import pathlib
import subprocess

from counting import RUNTIMES, calls_of
from harness import CLI, Done, EndToEnd, app, clean_environment, execute, main, start, walkabout, with_agent
from shadow_stacks import ShadowStacks
from traces import Trace
from tracing import ITEMS, calls_by_path


class TraceAll(EndToEnd):
    def trace(self, command: list[str], *, patterns: str = "", **environment: str) -> tuple[Done, Trace]:
        raw = pathlib.Path(self.folder) / "raw"
        raw.unlink(missing_ok=True)
        done = execute(*command, env=with_agent(WALKABOUT_STREAM=str(raw), WALKABOUT_TRACE_ALL="1", **environment,
                                                **({"WALKABOUT_TRACE": patterns} if patterns else {})))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        trace = Trace(raw)
        self.assertEqual(trace.lost(), {"too_deep": 0, "no_room": 0, "unmatched": 0})
        return done, trace

    def trace_command(self, what: str, *options: str) -> tuple[dict, dict]:
        """What the program says it does, and what the verb says of it."""
        process = start([CLI, "trace", *options, "--json", "--top", "100000", "--", *app("counted"), "4", "20", "wait"], stdin=subprocess.PIPE)
        out, err = process.communicate(what + "\n", timeout=300)
        self.assertEqual(process.returncode, 0, err)
        return json.loads(out.splitlines()[1]), json.loads(err)

    def assert_known(self, known: dict[str, int], said: dict[str, int]) -> None:
        self.assertGreater(len(known), 10)
        self.assertEqual({name: said.get(name) for name in known}, known)

    def test_calls_are_exact(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                done, trace = self.trace([*app("counted", *runtime), "8", "300"])
                calls = trace.sums("calls")
                self.assert_known(json.loads(done.stdout), calls)
                self.assertEqual(calls["Work.Plain..cctor"], 1)
                self.assertEqual(calls["Work.Plain.<>c.<MakeLambda>b__9_0"], 2400)
                self.assertEqual(calls["Work.Plain.<HasLocal>g__Local|11_0"], 2400)
                # For each of two items, and once for the end.
                self.assertEqual([count for name, count in calls.items() if "<Items>" in name and name.endswith("MoveNext")], [3 * 2400])
                self.assertEqual(trace.callers("Work.Plain.<HasLocal>g__Local|11_0"), {"Work.Plain.HasLocal": 2400})
                # The framework's are there, too.
                self.assertGreater(calls["System.Threading.Thread.StartCallback"], 7)
                self.assertEqual(trace.state[13], 1)

    def test_calls_that_exceptions_end_are_exact(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                done, trace = self.trace([*app("unwound", *runtime), "4", "12"])
                known = json.loads(done.stdout)
                self.assert_known(known["calls"], trace.sums("calls"))
                exceptions = {name: ended for name, ended in trace.sums("exceptions").items() if name.startswith("Work.") and "MoveNext" not in name}
                self.assertEqual(exceptions, known["exceptions"])

    def test_tail_calls_end_their_callers(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                # The compiler makes them when it optimizes.
                done, trace = self.trace([*app("tails", *runtime), "1000000"], DOTNET_TieredCompilation="0")
                self.assertEqual(done.stdout, "1504556\n")
                calls = trace.sums("calls")
                self.assertEqual([calls[f"Tails.{name}"] for name in ("Even", "Odd", "Narrow", "Wide")], [500001, 500000, 501, 500])
                # Both are called by the one that called the first of them.
                self.assertEqual(set(trace.callers("Tails.Odd")), {"Tails.main"})
                self.assertEqual(trace.sums("exceptions")["Tails.Thrower"], 10)
                self.assertNotIn("Tails.CallsThrower", trace.sums("exceptions"))

    def test_probes_and_hooks_see_the_same_calls(self) -> None:
        """Of chosen methods: the tree of calls, and methods of every kind."""
        for what, pattern, seen in (("tree", "Nested.Tree.M*", calls_by_path), ("go", "Work.*", calls_of)):
            with self.subTest(pattern=pattern):
                hooked_knows, hooked = self.trace_command(what, "--all", "-m", pattern)
                probed_knows, probed = self.trace_command(what, "-m", pattern)
                self.assertEqual(hooked_knows, probed_knows)
                by_hooks, by_probes = seen(hooked), seen(probed)
                # Probes count each MoveNext of an iterator as its call; to the hooks that is another method, which no such pattern matches.
                self.assertEqual(by_probes.pop("Work.Plain.Items", None), by_hooks.pop("Work.Plain.Items") * ITEMS if what == "go" else None)
                self.assertEqual(by_hooks, by_probes)
                self.assertEqual((hooked["unmatched"], hooked["no_room"], hooked["too_deep"]), (0, 0, 0))
                self.assertEqual((hooked["complete"], hooked["messages"]), (True, []))

    def test_slow_calls_have_their_stacks(self) -> None:
        _, said = self.trace_command("go", "--all", "-m", "Driver.*", "--latency", "1us")
        self.assertGreaterEqual(len(said["slow_calls"]), 4)
        for call in said["slow_calls"]:
            self.assertTrue(any("Driver.Run" in frame for frame in call["stack"]), call)

    def test_a_process_and_a_profiled_command_are_refused(self) -> None:
        done = walkabout("trace", "--all", "1")
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("trace -m PATTERN", done.stderr)
        done = walkabout("trace", "--all", "--", *app("hello"),
                         env=clean_environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER="{846F5F1C-F9AE-4B07-969E-05C26BC060D8}"))
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertIn("CORECLR_PROFILER is set", done.stderr)

    def test_a_shadow_stack_is_what_the_walker_finds(self) -> None:
        """Sampled at any moment, many of them inside of the hooks: those are walked whole, too."""
        for program in (["demo", "3"], ["counted", "2", "1500"]):
            with self.subTest(program=program[0]):
                raw = pathlib.Path(self.folder) / "raw"
                done = execute(*app(program[0]), *program[1:], env=with_agent(WALKABOUT_STREAM=str(raw), WALKABOUT_TRACE_ALL="1",
                                                                              WALKABOUT_ORACLE="shadow", WALKABOUT_INTERVAL="250us"))
                self.assertEqual((done.returncode, done.stderr), (0, ""), done)
                stacks = ShadowStacks(raw)
                found, different = stacks.compare()
                self.assertEqual(different, [], found)
                self.assertGreater(found["equal"], 1000, found)
                self.assertGreater(found["at its edge"], 100, found)
                # Of all that ended in one of the hooks.
                self.assertEqual(stacks.in_hooks - stacks.in_hooks_rooted, 0, found)
                self.assertGreater(stacks.in_hooks, 100)
                if program[0] == "demo":  # one of 7,255 had fewer frames than the stack, in one of several runs; why is not known
                    self.assertLessEqual(found["without what an exception leaves"], found["equal"] // 1000, found)


if __name__ == "__main__":
    main()
