#!/usr/bin/env python3
"""Exceptions, locks, waits, collections, compiles, loads and threads of programs that know how many there were."""
import re
import signal
import struct

import recorded_events
from harness import EndToEnd, Recording, app, main, walkabout
from recorded_events import RecordedEvents

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))


def known(recording: Recording) -> dict[str, list[int]]:
    return recorded_events.known(recording.run.stdout)


class Events(EndToEnd, RecordedEvents):
    def by_label(self, recording: Recording, event: str, value: str, label: str) -> dict[str, float]:
        return recorded_events.by_label(recording, event, value, label)

    def test_every_throw_is_counted(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["exceptions", "20000"], "--events", "cpu,exceptions")
                expected = known(recording)
                types = self.by_label(recording, "exceptions", "exceptions", "type")
                self.assertEqual(types["Expected"], expected["Expected"][0])
                kinds = self.by_label(recording, "exceptions", "exceptions", "kind")
                rethrown = expected["Other"][0] if runtime[0] == "net8.0" else 0  # later runtimes raise no event for it
                self.assertEqual(types["Other"], expected["Other"][0] + rethrown)
                self.assertEqual(kinds.get("rethrown", 0), rethrown)
                messages = self.by_label(recording, "exceptions", "exceptions", "message")
                self.assertGreater(messages["expected"], 100)
                handlers = self.by_label(recording, "exceptions", "caught", "handler")
                self.assertEqual(handlers["Throws.Deep"], expected["Expected"][0])
                self.assertEqual(handlers["Throws.Again"], 2 * expected["Other"][0], "caught, thrown again, caught")
                caught = self.by_label(recording, "exceptions", "caught", "type")
                self.assertEqual(caught["Expected"], expected["Expected"][0])
                self.assertEqual(caught["Other"], expected["Other"][0] + rethrown, "what is thrown again unseen is not known")
                walked = recording.report("--event", "exceptions", "--value", "caught", "--top", "1000")
                self.assertTrue(any("Throws.Deep" in row["name"] for row in walked["top_total"]))
                self.assert_event(recording, "exceptions")
                self.assert_stack(recording, "exceptions", "Throws.Throw", "[not walked]")

    def test_a_killed_program_loses_none(self) -> None:
        """Most of a storm's events are sums, and what was added to them since the last pass is only in the program's memory."""
        counts = self.folder / "counts"
        for _ in range(5):  # the last pass may have come while the storm had no processor
            recording = self.record(app("kinds") + ["killed", "1", counts], "--events", "exceptions", expect=128 + signal.SIGKILL)
            begun, ended = struct.unpack("<qq", counts.read_bytes())
            self.assertIn(begun - ended, (0, 1))
            types = self.by_label(recording, "exceptions", "exceptions", "type")
            self.assertIn(types["Expected"], (begun, ended))
            handlers = self.by_label(recording, "exceptions", "caught", "handler")
            self.assertIn(handlers["Throws.Deep"], (begun, ended))
            self.assert_event(recording, "exceptions")
            if "came from the program's memory" in walkabout("stats", recording.path).stdout:
                return
        self.fail("each time all had been handed over")

    def test_what_a_filter_throws_is_not_what_is_caught(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["filters", "500"], "--events", "exceptions")
                self.assertEqual(self.by_label(recording, "exceptions", "exceptions", "type"), {"Expected": 500, "Other": 500})
                self.assertGreaterEqual(self.by_label(recording, "exceptions", "caught", "handler")["Throws.Filtered"], 500)
                self.assertNotIn("Other", self.by_label(recording, "exceptions", "caught", "type"))

    def test_messages_are_left_out(self) -> None:
        recording = self.record(app("kinds") + ["exceptions", "100"], "--events", "exceptions", "--redact")
        self.assertNotIn(b"number 7", recording.path.read_bytes())
        messages = self.by_label(recording, "exceptions", "exceptions", "message")
        self.assertEqual(set(messages) - {""}, {"(left out)"})

    def test_contentions(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["locks", "10", "50"], "--events", "locks")
                count, ms = known(recording)["contentions"]
                report = recording.report("--event", "locks", "--value", "contentions")
                # On a busy machine who is to wait may come when the lock is free again.
                self.assertGreaterEqual(report["total"]["count"], 0.8 * count)
                waited = sum(self.by_label(recording, "locks", "time waited", "lock").values())
                self.assertAlmostEqual(waited, ms / 1000, delta=0.2 * ms / 1000)
                owners = self.by_label(recording, "locks", "contentions", "owner")
                self.assertGreaterEqual(len(owners), 0.8 * count, owners)
                self.assert_event(recording, "locks")
                self.assert_stack(recording, "locks", "Waiting.Enter")

    def test_owners_of_locks(self) -> None:
        """What the owner did while others waited for its lock."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("owners", *runtime) + ["10", "30"], "--events", "cpu,locks")
                waited: dict[str, float] = {}
                for name, (_, ms) in known(recording).items():
                    method = name.removeprefix("monitor").removeprefix("lock")
                    waited[method] = waited.get(method, 0) + ms / 1000
                report = recording.report("--event", "locks", "--value", "held up", "--top", "1000")
                held = {method: sum(row["total"]["seconds"] for row in report["top_total"] if row["name"].startswith(f"Owner.{method}("))
                        for method in waited}
                expected = dict(waited, Sleeps=waited["Sleeps"] + waited["Hands"])  # the first half of Hands
                self.assertGreater(sum(held.values()), 0, "an owner that has no processor while it holds the lock cannot answer")
                for method, seconds in held.items():
                    self.assertLess(seconds, 1.1 * expected[method], (held, expected))
                walked = report["total"]["seconds"] - sum(row["total"]["seconds"] for row in report["top_total"] if row["name"] == "[not walked]")
                # The rest: an owner that lost its processor between its method and the lock's end. bench/culprits has the figure.
                self.assertGreater(sum(held.values()) - held["Hands"], 0.75 * walked, (held, report["total"]))
                self.assert_event(recording, "locks")

    def test_waits(self) -> None:
        for runtime in RUNTIMES[:2]:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["waits", "10", "20"], "--events", "waits")
                expected = known(recording)
                kinds = self.by_label(recording, "waits", "time waited", "kind")
                self.assertAlmostEqual(kinds["Monitor.Wait"], (expected["monitors"][1] + 200) / 1000, delta=0.25)
                self.assertGreaterEqual(kinds["handle, semaphore or task"], 10 * 0.020, "the waits for the event alone")
                self.assert_event(recording, "waits")
                self.assert_stack(recording, "waits", "Waiting.Handles")

    def test_threads_of_the_pool_that_block_on_tasks(self) -> None:
        for runtime, events in [(runtime, event) for runtime in RUNTIMES for event in ("wall=5ms", "waits")
                                if (runtime[0], event) != ("net8.0", "waits")]:
            with self.subTest(runtime=runtime, events=events):
                recording = self.record(app("kinds", *runtime) + ["tasks", "10", "50"], "--events", f"cpu,{events}")
                _, ms = known(recording)["tasks"]
                shown = recording.report("--event", events.partition("=")[0])["sync_over_async"]
                # A thread that gets its processor late finds more of its task done, and waits less than the program's clock tells. Where a
                # thread was blocked between two looks is known for each look alone.
                least, most = (0.1, 1.2) if events == "waits" else (0.3, 3)
                self.assertTrue(least * ms / 1000 < shown["seconds"] < most * ms / 1000, (shown, ms))
                [wait] = shown["waits"]
                self.assertTrue(wait["caller"].startswith("Waiting.OnTask("), wait)
                self.assertIn("Task", wait["method"])

    def test_collections(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["gc", "20"], "--events", "gc")
                generations = self.by_label(recording, "gc", "pauses", "generation")
                for generation in range(3):
                    self.assertGreaterEqual(generations[f"generation {generation}"], 20, generations)
                reasons = self.by_label(recording, "gc", "pauses", "reason")
                self.assertGreaterEqual(reasons["induced"], 60, reasons)
                pause = recording.report("--event", "gc", "--value", "pause")["total"]["seconds"]
                suspending = recording.report("--event", "gc", "--value", "suspending")["total"]["seconds"]
                self.assertTrue(0 < suspending < pause, (suspending, pause))
                sizes = recording.report("--event", "gc")["over_time"]
                self.assertEqual([value["name"] for value in sizes["values"]],
                                 ["heap", "generation 0", "generation 1", "generation 2", "large objects", "pinned objects"])
                self.assertGreaterEqual(len(sizes["measured"]), 30, sizes)
                for one in sizes["measured"]:
                    self.assertEqual(one["amounts"][0], sum(one["amounts"][1:]), one)
                largest = recording.report("--event", "gc", "--value", "heap")["total"]["bytes"]
                self.assertEqual(largest, max(one["amounts"][0] for one in sizes["measured"]))
                self.assert_event(recording, "gc")
                self.assert_stack(recording, "gc", "Collections")

    def test_late_threads(self) -> None:
        """Who was waited for, and what it did meanwhile."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("late", *runtime) + ["10", "20"], "--events", "cpu,gc")
                late = re.search(r"^thread (\d+)$", recording.run.stdout, re.M)[1]
                report = recording.report("--event", "gc", "--value", "waited for", "--top", "1000")
                waited = report["total"]["seconds"]
                threads = self.by_label(recording, "gc", "waited for", "last thread")
                [by_late] = [seconds for name, seconds in threads.items() if f"({late})" in name]
                self.assertGreater(by_late, 0.9 * waited, threads)
                frames = {row["name"]: row["total"]["seconds"] for row in report["top_total"]}
                held = {kind: sum(seconds for name, seconds in frames.items() if name.startswith(f"Late.{kind}("))
                        for kind in ("Sleeps", "Reads", "Fills", "Deep", "Kernel")}
                # Where the agent's thread has no processor meanwhile there is no stack; which share has one, bench/culprits tells.
                walked = waited - frames.get("[not walked]", 0)
                self.assertGreater(walked, 0, frames)
                self.assertGreater(sum(held.values()) - held["Deep"], 0.95 * walked, frames)
                # Whoever stopped the threads has the same time in its own sample.
                pauses = self.by_label(recording, "gc", "suspending", "last thread")
                self.assertGreater(sum(seconds for name, seconds in pauses.items() if f"({late})" in name), 0.9 * by_late, pauses)
                self.assert_event(recording, "gc")

    def test_compiles_and_loads(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["threads", "3"], "--events", "jit,loads")
                methods = self.by_label(recording, "jit", "methods", "method")
                self.assertTrue(any("Threads" in name for name in methods), methods)
                tiers = self.by_label(recording, "jit", "methods", "tier")
                self.assertIn("tier 0", tiers)
                again = recording.report("--event", "jit").get("compiled_again", [])
                for method in again:
                    times = [compile["time"] for compile in method["compiles"]]
                    self.assertGreater(len(times), 1, method)
                    self.assertEqual(times, sorted(times), method)
                self.assert_event(recording, "jit")
                names = self.by_label(recording, "loads", "loads", "name")
                self.assertTrue(any(name.startswith("kinds, Version=") for name in names), names)
                kinds = self.by_label(recording, "loads", "loads", "kind")
                self.assertGreater(kinds["type"], 100, kinds)
                self.assertGreater(kinds["assembly"], 3, kinds)
                self.assert_event(recording, "loads")

    def test_threads(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["threads", "30"], "--events", "threads")
                kinds = self.by_label(recording, "threads", "thread events", "kind")
                self.assertGreaterEqual(kinds["thread begins"], 30, kinds)
                self.assertGreaterEqual(kinds["thread ends"], 30, kinds)
                self.assert_event(recording, "threads")

    def test_walks_are_the_clrs(self) -> None:
        """Each kind's stacks against the CLR's own walk in the same callback."""
        for runtime in RUNTIMES:
            for arguments in (["exceptions", "2000"], ["locks", "10", "10"], ["allocate", "1"], ["gc", "20"]):
                with self.subTest(runtime=runtime, arguments=arguments):
                    recording = self.record(app("kinds", *runtime) + arguments, "--events", "all", "--oracle")
                    verdict = recording.verify()
                    self.assertEqual(verdict["unexplained"], 0, verdict["examples"][:2])
                    self.assertEqual(verdict["compared"], sum(one["compared"] for one in verdict["events"].values()))
                    kind = {"allocate": "alloc"}.get(arguments[0], arguments[0])
                    for event in (kind, "jit", "loads"):
                        self.assertGreater(verdict["events"][event]["compared"], 5, verdict["events"])
                        self.assertEqual(verdict["events"][event]["cut"], 0, verdict["events"])
                    refused = {name for one in verdict["events"].values() for name in one["refused"]
                               if not name.startswith("CORPROF_E_STACKSNAPSHOT_")}
                    self.assertLessEqual(refused, {"runtime_suspending", "inside_loader", "inside_runtime"})

    def test_during(self) -> None:
        """What is within pauses and what is not are all there is; compiling is seen in the compiler."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["gc", "100"], "--events", "cpu,gc,jit", "-i", "500us")
                whole, within, outside = (recording.report(*chosen)["total"]
                                          for chosen in ((), ("--during", "gc"), ("--not-during", "gc")))
                self.assertGreater(within["samples"], 0)
                self.assertEqual(within["samples"] + outside["samples"], whole["samples"])
                self.assertAlmostEqual(within["seconds"] + outside["seconds"], whole["seconds"], places=7)
                none = walkabout("report", recording.path, "--during", "gc", "--not-during", "gc").stdout
                self.assertIn("No samples match: try without", none)
                compiling = recording.report("--during", "jit", "--top", "1000")
                compiler = [row["total"] for row in compiling["top_total"] if "clrjit" in row["name"]]
                self.assertTrue(compiler, compiling["top_total"])
                self.assertGreater(sum(amount["seconds"] for amount in compiler), compiling["total"]["seconds"] / 4)


if __name__ == "__main__":
    main()
