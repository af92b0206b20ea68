#!/usr/bin/env python3
"""The callbacks of the profiling API: a program that knows how many of them there are, and what they are about."""
import harness
from attaching import attach, wait_for_work
from events_test import RUNTIMES
from harness import EndToEnd, Recording, app, main, start, walkabout

N = 10
USUAL = ("start", "appdomains", "assemblies", "modules", "classes", "jit", "dynamic", "threads", "suspension", "gc")
OTHERS = ("eventpipe", "functions", "exceptions", "transitions", "objects", "references", "handles")

# What comes as often as the program does something, or more often, for the runtime does some of it itself.
EXACT = {
    "start": {"Initialize": 1, "Shutdown": 1},
    "exceptions": {"ExceptionThrown": N, "ExceptionSearchFunctionEnter": 3 * N, "ExceptionSearchFunctionLeave": 3 * N,
                   "ExceptionSearchFilterEnter": N, "ExceptionSearchFilterLeave": N, "ExceptionSearchCatcherFound": N,
                   "ExceptionUnwindFunctionEnter": 3 * N, "ExceptionUnwindFunctionLeave": 2 * N,  # not of who catches
                   "ExceptionUnwindFinallyEnter": N, "ExceptionUnwindFinallyLeave": N,
                   "ExceptionCatcherEnter": N, "ExceptionCatcherLeave": N},
    "assemblies": {"AssemblyUnloadStarted": N, "AssemblyUnloadFinished": N},
    "modules": {"ModuleUnloadStarted": N, "ModuleUnloadFinished": N, "ModuleInMemorySymbolsUpdated": 1},
    "threads": {"ThreadNameChanged": N},
}
AT_LEAST = {
    "appdomains": {"AppDomainCreationStarted": 1, "AppDomainCreationFinished": 1},
    "assemblies": {"AssemblyLoadStarted": N + 2, "AssemblyLoadFinished": N + 2},
    "modules": {"ModuleLoadStarted": N + 2, "ModuleLoadFinished": N + 2, "ModuleAttachedToAssembly": N + 2},
    "classes": {"ClassLoadStarted": 100, "ClassLoadFinished": 100, "ClassUnloadStarted": N, "ClassUnloadFinished": N},
    "jit": {"JITCompilationStarted": 30, "JITCompilationFinished": 30, "JITInlining": 30},
    "dynamic": {"DynamicMethodJITCompilationStarted": N, "DynamicMethodJITCompilationFinished": N, "DynamicMethodUnloaded": N},
    "threads": {"ThreadCreated": N, "ThreadAssignedToOSThread": N, "ThreadDestroyed": N},
    "suspension": {"RuntimeSuspendStarted": 6, "RuntimeSuspendFinished": 6, "RuntimeResumeStarted": 6, "RuntimeResumeFinished": 6,
                   "RuntimeThreadSuspended": 1, "RuntimeThreadResumed": 1},
    "gc": {"GarbageCollectionStarted": 6, "GarbageCollectionFinished": 6},
    "eventpipe": {"EventPipeEventDelivered": 100, "EventPipeProviderCreated": 1},
    "functions": {"JITCachedFunctionSearchStarted": 100, "JITCachedFunctionSearchFinished": 100},
    "transitions": {"ManagedToUnmanagedTransition": 1000 * N, "UnmanagedToManagedTransition": 1000 * N},
    "objects": {"ObjectAllocated": 1000 * N},
    "references": {"MovedReferences": 1, "MovedReferences2": 1, "SurvivingReferences": 1, "SurvivingReferences2": 1,
                   "ObjectReferences": 10_000, "RootReferences": 6, "RootReferences2": 6, "ObjectsAllocatedByClass": 6,
                   "ConditionalWeakTableElementReferences": 1, "FinalizeableObjectQueued": N},
    "handles": {"HandleCreated": N, "HandleDestroyed": N},
}
REJIT = {"GetReJITParameters", "ReJITCompilationStarted", "ReJITCompilationFinished"}


def events(*parts: str) -> str:
    return "callbacks=" + "+".join(parts)


class Callbacks(EndToEnd):
    def counts(self, recording: Recording, label: str = "callback") -> dict[str, int]:
        """By that label. Nothing is lost, and what was walked is whole."""
        counted = recording.stats()["events"]["callbacks"]
        self.assertEqual(counted["attempts"], counted["samples"], counted)
        report = recording.report("--event", "callbacks")
        walked = report["total"]["samples"] - report.get("not_walked", 0)
        self.assertGreaterEqual(report["rooted"], 0.99 * walked, report["total"])
        return {row["text"]: row["count"] for row in report["by_label"][label]}

    def of_program(self, *parts: str, runtime: tuple[str, str] = RUNTIMES[0]) -> Recording:
        command = app("kinds", *runtime) + ["callbacks", str(N)]
        alone = harness.execute(*command)
        recording = self.record(command, "--events", events(*parts))
        self.assertEqual(recording.run.stdout, alone.stdout)
        return recording

    def check(self, counts: dict[str, int], *parts: str) -> None:
        for part in parts:
            for name, count in EXACT.get(part, {}).items():
                self.assertEqual(counts.get(name), count, name)
            for name, count in AT_LEAST.get(part, {}).items():
                self.assertGreaterEqual(counts.get(name, 0), count, name)
        wanted = {name for part in parts for of_part in (EXACT, AT_LEAST) for name in of_part.get(part, {})}
        self.assertEqual(set(counts) - wanted, set(), "what nobody asked for")

    def test_those_that_are_usual(self) -> None:
        recording = self.of_program(*USUAL)
        self.check(self.counts(recording), *USUAL)
        objects = self.counts(recording, "object")
        self.assertEqual(objects["called back"], N, "names of threads")
        self.assertGreaterEqual(objects["kinds.dll"], 2 * (N + 1), "modules")
        self.assertGreaterEqual(objects["kinds"], N + 1, "assemblies")
        alone = self.counts(self.of_program("dynamic"), "object")  # without the storm of a start, in whose sums methods have no names
        self.assertGreaterEqual(alone["MadeByHand"], 2)
        usual = self.record(app("hello"), "--events", "callbacks")
        self.assertLess({"Initialize", "ModuleLoadFinished", "JITCompilationFinished"}, set(self.counts(usual)))

    def test_exceptions(self) -> None:
        recording = self.of_program("exceptions")
        self.check(self.counts(recording), "exceptions")
        objects = self.counts(recording, "object")
        self.assertEqual(objects["Expected"], N)
        self.assertEqual(objects["Callbacks.Throw"], 2 * N, "searched, unwound")
        self.assertEqual(objects["Callbacks.WithFinally"], 3 * N, "and its finally block")
        self.assertEqual(objects["Callbacks.Exceptions"], 5 * N, "and its filter, that it catches, its handler")

    def test_transitions(self) -> None:
        recording = self.of_program("transitions")
        self.check(self.counts(recording), "transitions")
        objects = self.counts(recording, "object")
        self.assertEqual(objects["Callbacks.abs"], 2 * 1000 * N, "there and back")
        self.assertEqual(objects["Callbacks.qsort"], 2 * N)
        compared = int(recording.run.stdout.split("compared ")[1].split()[0])
        self.assertEqual(objects["Callbacks.Compare"], 2 * compared)

    def test_objects(self) -> None:
        recording = self.of_program("objects")
        self.check(self.counts(recording), "objects")
        objects = self.counts(recording, "object")
        self.assertEqual(objects["Allocated"], 1000 * N)
        self.assertEqual(objects["Allocated[]"], N)
        self.assertEqual(objects["Handled"], N)
        self.assertEqual(objects["Linked"], 10_000)

    def test_the_heap(self) -> None:
        recording = self.of_program("references", "handles")
        self.check(self.counts(recording), "references", "handles")
        objects = self.counts(recording, "object")
        self.assertGreaterEqual(objects["Linked"], 10_000)
        self.assertGreaterEqual(objects["Queued"], N)
        handles = self.counts(self.of_program("handles"), "object")
        self.assertEqual(handles["Handled"], N)

    def test_functions_that_were_compiled_before(self) -> None:
        self.check(self.counts(self.of_program("functions")), "functions")

    def test_events_of_sessions(self) -> None:
        recording = self.of_program("eventpipe")
        self.check(self.counts(recording), "eventpipe")
        self.assertEqual(self.counts(recording, "object")["Walkabout-Callbacks"], 1)

    def test_earlier_runtimes(self) -> None:
        for runtime in RUNTIMES[1:]:
            with self.subTest(runtime=runtime):
                parts = [part for part in USUAL + OTHERS if part != "functions"]  # transitions turn that off
                self.check(self.counts(self.of_program(*parts, runtime=runtime)), *parts)

    def test_walks_are_the_clrs(self) -> None:
        """Each callback's stack against the CLR's own walk in the same callback."""
        for runtime in RUNTIMES:
            for parts in (USUAL, ("exceptions",), ("transitions", "objects"), ("references", "handles", "functions", "eventpipe")):
                with self.subTest(runtime=runtime, parts=parts):
                    recording = self.record(app("kinds", *runtime) + ["callbacks", str(N)], "--events", events(*parts), "--oracle")
                    verdict = recording.verify()
                    self.assertEqual(verdict["unexplained"], 0, verdict["examples"][:2])
                    compared = verdict["events"]["callbacks"]
                    self.assertGreater(compared["compared"], 50, compared)
                    self.assertEqual(compared["cut"], 0, compared)

    def test_rejit(self) -> None:
        path = self.folder / "out.walk"
        done = harness.execute(harness.BUILD / "rejit" / "walkabout", "run", "-o", path, "--events", "callbacks=rejit", "--",
                               *app("emit"), "rejit", "2")
        self.assertEqual((done.returncode, done.stdout), (0, "rejit: done\n"), done)
        counts = self.counts(Recording(path, done))
        self.assertEqual(set(counts), REJIT)
        self.assertGreater(min(counts.values()), 50)

    def test_attached(self) -> None:
        process = start(app("kinds") + ["churn", "60"])
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        wait_for_work(process.pid, 0.5)
        path = self.folder / "out.walk"
        refused = attach(process.pid, path, "-d", "1s", "--events", "callbacks=jit+objects+functions")
        self.assertEqual(refused.returncode, 1, refused)
        self.assertIn("callbacks=functions+objects: the runtime allows that only to a profiler that started with the program", refused.stderr)
        for parts in (USUAL, ("exceptions", "handles")):
            done = attach(process.pid, path, "-d", "2s", "--events", events(*parts))
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
            counts = self.counts(Recording(path, done))
            self.assertEqual(counts.get("ProfilerAttachComplete", 0), 1 if "start" in parts else 0)
            for part in set(parts) - {"start", "appdomains"}:
                self.assertTrue(set(counts) & set(AT_LEAST.get(part, EXACT.get(part, {}))), (part, counts))

    def test_what_the_runtime_would_refuse(self) -> None:
        beside = walkabout("run", "--beside", "--events", "callbacks=handles", "--", *app("hello"))
        self.assertIn("callbacks=handles: the runtime allows that only to a profiler that has no other one beside it", beside.stderr)
        wrong = walkabout("run", "--events", "callbacks=none", "--", *app("hello"))
        self.assertEqual(wrong.returncode, 2)
        self.assertIn("callbacks=none is not a list of its parts", wrong.stderr)


if __name__ == "__main__":
    main()
