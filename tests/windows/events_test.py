#!/usr/bin/env python3
"""Under Wine: each kind of event of programs that know how many there were, recorded by walkabout.exe and read on Linux."""
import re
import subprocess
import unittest

from wine_programs import LINUX, NEEDS, Installed, app, long_enough, windows_path, wine  # and where the e2e tests' modules are

import harness
from recorded_events import RecordedEvents, by_label, known

harness.CLI = LINUX  # reads recordings of Windows too

ALL = ("wall", "alloc", "exceptions", "locks", "waits", "gc", "jit", "loads", "threads", "live")  # that "all" stands for, beside cpu
DEPTH = 11  # calls of Throws.Throw to the throw
MIB = 600  # of each size, as e2e/alloc_test.py has it


def mostly_running(states: dict[str, float]) -> bool:
    return sum(states.values()) > 1 and states["running"] >= 0.85 * sum(states.values())


class Events(RecordedEvents):
    def setUp(self) -> None:
        self.assertTrue(LINUX.exists(), "build release first")
        self.install(shim=False)

    def install(self, shim: bool) -> None:
        self.installed = Installed(shim)
        self.addCleanup(self.installed.remove)

    def record(self, events: str, program: str, *arguments, options: tuple[str, ...] = (), shim: bool = False) -> harness.Recording:
        if shim:
            self.install(shim)
        command = [windows_path(app(program)), *map(str, arguments)]
        done = self.installed.run(("--events", events, *options), *command, **NEEDS["kinds"])
        self.assertEqual(done.returncode, 0, f"{done.stdout[-2000:]}\n{done.stderr[-4000:]}")
        return harness.Recording(self.installed.recording, done)

    def stacks(self, recording: harness.Recording, event: str, value: str) -> list[list[str]]:
        """Root first, of each distinct stack."""
        collapsed = self.installed.folder / "out.collapsed"
        subprocess.run([LINUX, "convert", "--event", event, "--value", value, recording.path, collapsed], check=True)
        return [line.rpartition(" ")[0].split(";") for line in collapsed.read_text().splitlines()]

    def states_at(self, recording: harness.Recording, method: str) -> dict[str, float]:
        """The seconds in each state of stacks with the method."""
        focus = ("--focus", rf"^{re.escape(method)}\b")
        states = recording.report("--event", "wall", *focus)["states"]
        return {state: amount["seconds"] for state, amount in states.items()}

    def test_every_throw_and_every_handler_is_counted(self) -> None:
        recording = self.record("exceptions", "kinds", "exceptions", 2000)
        expected = known(recording.run.stdout)
        types = by_label(recording, "exceptions", "exceptions", "type")
        self.assertEqual(types["Expected"], expected["Expected"][0])
        self.assertEqual(types["Other"], expected["Other"][0])
        handlers = by_label(recording, "exceptions", "caught", "handler")
        self.assertEqual(handlers["Throws.Deep"], expected["Expected"][0])
        self.assertEqual(handlers["Throws.Again"], 2 * expected["Other"][0], "caught, thrown again, caught")
        caught = by_label(recording, "exceptions", "caught", "type")
        self.assertEqual(caught["Expected"], expected["Expected"][0])
        self.assertEqual(caught["Other"], expected["Other"][0], "what is thrown again unseen is not known")
        self.assertGreater(by_label(recording, "exceptions", "exceptions", "message")["expected"], 10)
        self.assert_event(recording, "exceptions")

    # Broken by a walk that begins in the agent's frames, or leaves out a caller.
    def test_a_throw_has_the_methods_that_led_to_it_in_order(self) -> None:
        recording = self.record("exceptions", "kinds", "exceptions", 100)
        stacks = [stack for stack in self.stacks(recording, "exceptions", "exceptions") if stack[-1] != "[not walked]"]
        deep = 0
        for stack in stacks:
            self.assertFalse(any("walkabout.dll" in frame for frame in stack), stack)
            throws = [frame.partition("(")[0] for frame in stack if frame.startswith("Throws.")]
            self.assertEqual(throws[:1] + throws[-1:], ["Throws.Run", "Throws.Again"] if "Throws.Again" in throws
                             else [throws[0], "Throws.Throw"], stack)
            if "Throws.Throw" in throws:
                deep += 1
                self.assertEqual(throws[throws.index("Throws.Many"):], ["Throws.Many", "Throws.Deep"] + DEPTH * ["Throws.Throw"], stack)
        self.assertGreater(deep, 0, stacks)

    def test_bytes_and_objects_are_what_the_program_allocated(self) -> None:
        recording = self.record("alloc", "allocations", MIB)
        expected = {name: (int(objects), int(size)) for name, objects, size in
                    re.findall(r"^allocated (\w+) (\d+) (\d+)$", recording.run.stdout, re.M)}
        self.assertEqual(len(expected), 5, recording.run.stdout)
        for value, which in (("allocated", 1), ("objects", 0)):
            seen = {name.removesuffix("[]"): amount for name, amount in by_label(recording, "alloc", value, "type").items()}
            for name, numbers in expected.items():
                self.assertAlmostEqual(seen[name] / numbers[which], 1, delta=0.05, msg=(value, name, seen[name], numbers))
        self.assert_event(recording, "alloc")
        self.assert_stack(recording, "alloc", "Sizes.Arrays<Large>")

    def test_pauses_of_collections(self) -> None:
        recording = self.record("gc", "kinds", "gc", 20)
        generations = by_label(recording, "gc", "pauses", "generation")
        for generation in range(3):
            self.assertGreaterEqual(generations[f"generation {generation}"], 20, generations)
        self.assertGreaterEqual(by_label(recording, "gc", "pauses", "reason")["induced"], 60)
        pause, suspending, waited_for = (recording.report("--event", "gc", "--value", value)["total"]["seconds"]
                                         for value in ("pause", "suspending", "waited for"))
        self.assertTrue(0 < suspending < pause, (suspending, pause))
        self.assertEqual(waited_for, 0, "who came last is not recorded")
        sizes = recording.report("--event", "gc")["over_time"]
        self.assertGreaterEqual(len(sizes["measured"]), 30, sizes)
        for one in sizes["measured"]:
            self.assertEqual(one["amounts"][0], sum(one["amounts"][1:]), one)
        self.assert_event(recording, "gc")
        self.assert_stack(recording, "gc", "Collections")

    def test_contentions(self) -> None:
        recording = self.record("locks", "kinds", "locks", 10, 50)
        count, ms = known(recording.run.stdout)["contentions"]
        self.assertGreaterEqual(recording.report("--event", "locks", "--value", "contentions")["total"]["count"], count)
        waited = sum(by_label(recording, "locks", "time waited", "lock").values())
        self.assertAlmostEqual(waited, ms / 1000, delta=0.2 * ms / 1000)
        self.assertGreaterEqual(len(by_label(recording, "locks", "contentions", "owner")), count)
        self.assertEqual(recording.report("--event", "locks", "--value", "held up")["total"]["seconds"], 0)
        self.assert_event(recording, "locks")
        self.assert_stack(recording, "locks", "Waiting.Enter")

    def waiting_states(self, events: str, ms: int, shim: bool) -> tuple[float, list[dict[str, float]]]:
        """The seconds that each of two threads waits by the program's clock, and in each state: of who waits for the lock, and of who has it."""
        recording = self.record(events, "kinds", "locks", 2, ms, shim=shim)
        counted = recording.stats()["events"]["wall"]
        self.assertEqual(counted["attempts"], counted["samples"] + sum(counted["drops"].values()), counted)
        self.assertGreaterEqual(counted["rooted"], 0.9 * counted["samples"], counted)
        return known(recording.run.stdout)["contentions"][1] / 1000, [self.states_at(recording, method) for method in ("Waiting.Enter", "Waiting.Hold")]

    # Of two threads one holds the lock and sleeps, one waits for it: by the sampler's looks, with those of CPU time and without.
    # The shim counts a thread's CPU time as Windows does, what its stops cost it among it.
    def test_wall_clock_time(self) -> None:
        def all_is_there(waited: tuple[float, list[dict[str, float]]]) -> bool:
            return all(abs(sum(states.values()) / waited[0] - 1) < 0.15 for states in waited[1])

        for shim in (False, True):
            for events in ("wall=10ms", "cpu,wall=10ms"):
                with self.subTest(events, shim=shim):
                    waited = long_enough(lambda ms, events=events, shim=shim: self.waiting_states(events, ms, shim), all_is_there, 1000)
                    self.assertTrue(all_is_there(waited), waited)
                    for states in waited[1]:
                        self.assertGreaterEqual(states["blocked"], 0.75 * sum(states.values()), waited)

    # A thread that takes a lock nobody else has, again and again. One that has no processor in a tick is "blocked" there.
    def test_a_thread_that_computes_runs(self) -> None:
        for events in ("wall=10ms", "cpu,wall=10ms"):
            with self.subTest(events):
                states = long_enough(lambda seconds, events=events: self.states_at(
                    self.record(events, "kinds", "uncontended", seconds, shim=True), "Storms.Lock"), mostly_running, 3)
                self.assertTrue(mostly_running(states), states)

    # By the program's own clock. A wait for a semaphore is a Monitor.Wait, or none where the thread spins all the time.
    def test_waits(self) -> None:
        n = 10
        recording = self.record("waits", "kinds", "waits", n, 20)
        expected = known(recording.run.stdout)
        waits = by_label(recording, "waits", "waits", "kind")
        kinds = by_label(recording, "waits", "time waited", "kind")
        self.assertEqual(set(waits), {"Monitor.Wait", "handle, semaphore or task"})
        for kind, most in (("Monitor.Wait", 2 * n), ("handle, semaphore or task", 1.5 * n)):
            self.assertTrue(n <= waits[kind] <= most, (kind, waits))
            self.assertGreaterEqual(kinds[kind], n * 0.019, "a clock of whole milliseconds")
        by_its_clock = (expected["handles"][1] + expected["monitors"][1]) / 1000
        self.assertLess(sum(kinds.values()), 1.1 * by_its_clock, (kinds, expected))
        self.assert_event(recording, "waits")
        self.assert_stack(recording, "waits", "Waiting.Handles")

    def test_threads(self) -> None:
        recording = self.record("threads", "kinds", "threads", 30)
        kinds = by_label(recording, "threads", "thread events", "kind")
        self.assertGreaterEqual(kinds["thread begins"], 30, kinds)
        self.assertGreaterEqual(kinds["thread ends"], 30, kinds)
        self.assert_event(recording, "threads")

    def test_loads(self) -> None:
        recording = self.record("loads", "kinds", "threads", 3)
        names = by_label(recording, "loads", "loads", "name")
        self.assertTrue(any(name.startswith("kinds, Version=") for name in names), names)
        self.assertIn("kinds.dll", names)
        kinds = by_label(recording, "loads", "loads", "kind")
        self.assertGreater(kinds["type"], 100, kinds)
        self.assertGreater(kinds["assembly"], 3, kinds)
        self.assert_event(recording, "loads")

    # By the callbacks of the JIT: time, sizes and names; no tier.
    def test_compiles(self) -> None:
        n = 10
        recording = self.record("jit,callbacks=jit+dynamic", "kinds", "callbacks", n)
        callbacks = by_label(recording, "callbacks", "callbacks", "callback")
        compiled = callbacks["JITCompilationFinished"] + callbacks["DynamicMethodJITCompilationFinished"]
        self.assertEqual(recording.report("--event", "jit", "--value", "methods")["total"]["count"], compiled, callbacks)
        self.assertEqual(by_label(recording, "jit", "methods", "tier"), {"unknown": compiled})
        methods = by_label(recording, "jit", "methods", "method")
        self.assertEqual(methods["Callbacks.Run"], 1, methods)
        for value in ("compile time", "code", "IL"):
            self.assertGreater(by_label(recording, "jit", value, "method")["Callbacks.Run"], 0, value)
        self.assert_event(recording, "jit")
        report = recording.report("--event", "jit", "--top", "1000")
        names = {row["name"] for row in report["top_total"]}
        self.assertIn("[coreclr.dll]", names, "a file, without its folders")
        own = {row["name"]: row["self"]["seconds"] for row in report["top_self"]}
        self.assertGreater(own["Callbacks.Run(int)"], 0, "the runtime compiles for a method")

    def test_what_is_kept_is_there_and_nothing_else(self) -> None:
        recording = self.record("live", "kinds", "leak", 10, 5)
        kept = int(re.search(r"^kept \d+ (\d+)$", recording.run.stdout, re.M).group(1))
        types = {row["text"]: row["bytes"] for row in recording.report("--event", "live")["by_label"]["type"]}
        self.assertAlmostEqual(types["Kept"] / kept, 1, delta=0.15, msg=(types, kept))
        self.assertLess(sum(size for name, size in types.items() if name not in ("Kept", "System.Object[]")), kept / 20, types)
        self.assert_stack(recording, "live", "Leak.Keep")

    def test_callbacks(self) -> None:
        n = 10
        recording = self.record("callbacks=assemblies+modules+dynamic+threads+gc+suspension+exceptions", "kinds", "callbacks", n)
        counts = by_label(recording, "callbacks", "callbacks", "callback")
        for name in ("ExceptionThrown", "ExceptionCatcherEnter", "AssemblyUnloadStarted", "ThreadNameChanged"):
            self.assertEqual(counts[name], n, (name, counts))
        for name, least in (("ModuleLoadFinished", n + 2), ("DynamicMethodJITCompilationFinished", n), ("ThreadCreated", n),
                            ("GarbageCollectionStarted", 6), ("RuntimeSuspendStarted", 6)):
            self.assertGreaterEqual(counts[name], least, (name, counts))
        self.assert_event(recording, "callbacks")

    def test_com_tables(self) -> None:
        recording = self.record("callbacks=com", "kinds", "callbacks", 10)
        self.assertIn("given to COM 10", recording.run.stdout)
        self.assertEqual(by_label(recording, "callbacks", "callbacks", "callback"), {"COMClassicVTableCreated": 3})
        # One for each class that is given to COM, for its base, and for each interface that is asked for.
        self.assertEqual(by_label(recording, "callbacks", "callbacks", "object"), {"System.Object": 1, "Exposed": 1, "IExposed": 1})
        self.assert_stack(recording, "callbacks", "Callbacks.Com")

    # Each kind's walks against the CLR's own in the same callback.
    def test_walks_are_the_clrs(self) -> None:
        for event, arguments in (("exceptions", ("exceptions", 500)), ("alloc", ("allocate", 1)), ("gc", ("gc", 20)),
                                 ("locks", ("locks", 10, 10)), ("waits", ("waits", 10, 10)), ("live", ("allocate", 1))):
            with self.subTest(event=event):
                recording = self.record("all", "kinds", *arguments, options=("--oracle",))
                verdict = recording.verify()
                of_events = {name: one for name, one in verdict["events"].items() if name != "cpu"}
                unexplained = [one for one in verdict["examples"] if one["verdict"] == "unexplained"]
                self.assertEqual(sum(one["unexplained"] for one in of_events.values()), 0, (of_events, unexplained[:2]))
                for name in (event, "jit", "loads"):
                    self.assertGreater(of_events[name]["compared"], 5, of_events)
                    self.assertEqual(of_events[name]["cut"], 0, of_events)
                refused = {name for one in of_events.values() for name in one["refused"] if not name.startswith("CORPROF_E_STACKSNAPSHOT_")}
                self.assertLessEqual(refused, {"runtime_suspending"})

    # The same while everything happens at once.
    def test_walks_are_the_clrs_when_everything_happens_at_once(self) -> None:
        recording = self.record("all,callbacks", "kinds", "churn", 4, options=("--oracle",))
        verdict = recording.verify()
        of_events = {name: one for name, one in verdict["events"].items() if name != "cpu"}
        unexplained = [one for one in verdict["examples"] if one["verdict"] == "unexplained"]
        self.assertEqual(sum(one["unexplained"] for one in of_events.values()), 0, (of_events, unexplained[:2]))
        self.assertEqual(sum(one["cut"] for one in of_events.values()), 0, of_events)
        for event in ("alloc", "exceptions", "loads", "live", "callbacks"):
            self.assertGreater(of_events[event]["compared"], 20, of_events)

    # With all kinds at once a program says and answers what it does alone, and nothing is lost uncounted.
    def test_a_program_does_the_same_with_all_kinds_on(self) -> None:
        for arguments, status in ((("kinds", "exceptions", 500), 0), (("kinds", "exceptions"), 2)):  # the second says how it is used
            with self.subTest(arguments=arguments):
                program = windows_path(app(arguments[0]))
                alone = wine(program, *map(str, arguments[1:]), environment=NEEDS["kinds"])
                self.assertEqual(alone.returncode, status, alone.stderr)
                done = self.installed.run(("--events", "all,callbacks"), program, *map(str, arguments[1:]), **NEEDS["kinds"])
                self.assertEqual((done.returncode, done.stdout), (status, alone.stdout), done.stderr)
                stats = harness.Recording(self.installed.recording, done).stats()["events"]
                for event in ALL:
                    self.assertEqual(stats[event]["attempts"], stats[event]["samples"] + sum(stats[event]["drops"].values()), event)

    # Everything at the same time, on threads that the sampler stops in the middle of it.
    def test_everything_at_once(self) -> None:
        recording = self.record("all,callbacks", "kinds", "churn", 3, options=("--interval", "1ms"))
        self.assertIn("churn done", recording.run.stdout)
        stats = recording.stats()["events"]
        for event in ("cpu", "callbacks", *ALL):
            counted = stats[event]
            self.assertEqual(counted["attempts"], counted["samples"] + sum(counted["drops"].values()), (event, counted))
            self.assertGreater(counted["samples"], 0, event)

    # The same recording, read on both systems.
    def test_windows_reads_it_as_linux_does(self) -> None:
        recording = self.record("default", "kinds", "exceptions", 100)
        for event in ("cpu", "wall", "alloc", "exceptions", "gc", "threads"):
            with self.subTest(event):
                words = ("report", "--event", event)
                here = self.installed.walkabout(*words, windows_path(recording.path))
                there = subprocess.run([LINUX, *words, recording.path], capture_output=True, text=True, check=True)
                self.assertEqual(here.returncode, 0, here.stderr)
                self.assertEqual(here.stdout.splitlines(), there.stdout.splitlines())

    def test_what_is_no_event_is_refused_by_name(self) -> None:
        done = self.installed.run(("--events", "cpu,nothing"), windows_path(app("kinds")), "gc", "1")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no event is called 'nothing'", done.stderr)
        self.assertEqual(done.stdout, "", "the program was not started")


if __name__ == "__main__":
    unittest.main()
