#!/usr/bin/env python3
"""`report --pool`: thread pools of programs that know how they starve, and of one that does not."""
import json
import re

from harness import EndToEnd, Recording, app, main, walkabout

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
EVENTS = "cpu,wall,threads"


def known(recording: Recording) -> dict[str, int]:
    """What the program says it did."""
    return {name: int(number) for name, number in re.findall(r"^(\w+) (\d+)$", recording.run.stdout, re.M)}


class Pool(EndToEnd):
    def pool(self, recording: Recording, *options: str) -> dict:
        shown = walkabout("report", str(recording.path), "--pool", "--json", *options)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return json.loads(shown.stdout)

    def refused(self, *arguments: str) -> str:
        shown = walkabout("report", *arguments)
        self.assertEqual(shown.returncode, 2, shown.stdout + shown.stderr)
        return shown.stderr

    def added(self, pool: dict, reason: str) -> int:
        return sum(change["added"] for change in pool["workers"]["changes"] if change["reason"] == reason)

    def assert_parts(self, pool: dict) -> None:
        """The parts are the whole."""
        parts = pool["parts"]
        length = sum((part["to"] - part["from"]) * part["blocked_mean"] for part in parts)
        self.assertAlmostEqual(length, pool["blocked"]["seconds"], places=6)
        self.assertEqual(max(part["blocked_most"] for part in parts), pool["blocked"]["most"])
        self.assertEqual(max(part["workers"] for part in parts), pool["workers"]["most"])

    def test_workers_that_block_on_tasks(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("pool", *runtime) + ["tasks", "20", "1000"], "--events", EVENTS)
                did, pool = known(recording), self.pool(recording)
                self.assertGreater(did["most"], did["least"])
                self.assertEqual(pool["workers"]["begin"], 0)
                # The program looks at times only, and so may miss one that is there for a moment.
                self.assertGreaterEqual(pool["workers"]["most"], did["most"])
                self.assertLessEqual(pool["workers"]["most"], did["most"] + 2)
                self.assertEqual(pool["workers"]["begun"] - pool["workers"]["ended"], pool["workers"]["end"])
                added = self.added(pool, "blocked workers") + self.added(pool, "starvation")
                # By how much the first adjustment changes the number is not known: it counts for one.
                self.assertGreater(added, (did["most"] - did["least"]) / 2)
                self.assertLessEqual(did["most"] - did["least"], pool["workers"]["begun"])
                blocked = pool["blocked"]
                # A look at a thread comes some milliseconds after it blocked.
                self.assertAlmostEqual(blocked["by_call"]["sync over async"], did["waited"] / 1000, delta=0.1 * did["waited"] / 1000)
                self.assertEqual(blocked["most"], did["blocked"])
                self.assertEqual(blocked["waits"][0]["how"], "sync over async")
                self.assertTrue(blocked["waits"][0]["caller"].startswith("Starving.OnTask("), blocked["waits"])
                self.assertIn("Task", blocked["waits"][0]["method"])
                self.assert_parts(pool)
                text = walkabout("report", str(recording.path), "--pool").stdout
                self.assertIn("sync over async: System.Threading.Tasks.Task", text)
                self.assertIn("Starving.OnTask(", text)
                self.assertIn("report --pool", walkabout("report", str(recording.path)).stdout)

    def test_workers_that_sleep(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("pool", *runtime) + ["sleeps", "12", "700"], "--events", EVENTS)
                did, pool = known(recording), self.pool(recording)
                self.assertGreater(self.added(pool, "starvation"), 0, pool["workers"])
                [starvation] = [change for change in pool["workers"]["changes"] if change["reason"] == "starvation"]
                self.assertGreater(starvation["first"], 0.5, "no sooner than work had waited for half a second")
                self.assertEqual(starvation["times"], starvation["added"])
                blocked = pool["blocked"]
                self.assertNotIn("sync over async", blocked["by_call"])
                self.assertAlmostEqual(blocked["by_call"]["Thread.Sleep"], did["waited"] / 1000, delta=0.1 * did["waited"] / 1000)
                self.assertEqual(blocked["waits"][0]["caller"], "Starving.Sleep(TaskCompletionSource<int>, int)")
                self.assert_parts(pool)
                self.assertIn("Starved", walkabout("report", str(recording.path), "--pool").stdout)

    def test_workers_that_want_a_lock(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("pool", *runtime) + ["locks", "6", "1500"], "--events", EVENTS)
                blocked = self.pool(recording)["blocked"]
                how = "lock" if runtime[0] == "net10.0" else "native code or the runtime"
                self.assertGreater(blocked["by_call"][how], 0.9 * blocked["seconds"], blocked)
                self.assertTrue(blocked["waits"][0]["caller"].startswith("Starving.Enter("), blocked["waits"])

    def test_a_pool_that_does_not_starve(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("pool", *runtime) + ["healthy", "200", "500"], "--events", EVENTS)
                pool = self.pool(recording)
                self.assertEqual(self.added(pool, "starvation") + self.added(pool, "blocked workers"), 0, pool["workers"])
                self.assertGreater(pool["workers"]["most"], 0)
                self.assertNotIn("sync over async", pool["blocked"]["by_call"])
                text = walkabout("report", str(recording.path), "--pool").stdout
                self.assertNotIn("Starved", text)
                self.assertNotIn("Sync over async", text)
                self.assertNotIn("--pool", walkabout("report", str(recording.path)).stdout)

    def test_from_the_waits_alone(self) -> None:
        recording = self.record(app("pool") + ["tasks", "8", "300"], "--events", "threads,waits")
        pool = self.pool(recording)
        self.assertEqual(pool["blocked"]["event"], "waits")
        self.assertGreater(pool["blocked"]["by_call"]["sync over async"], 0)
        self.assertTrue(pool["blocked"]["waits"][0]["caller"].startswith("Starving.OnTask("))

    def test_a_part_of_the_time_and_some_threads(self) -> None:
        recording = self.record(app("pool") + ["tasks", "12", "1500"], "--events", EVENTS)
        whole = self.pool(recording)
        end = whole["to"]
        halves = [self.pool(recording, "--to", str(end / 2)), self.pool(recording, "--from", str(end / 2))]
        self.assertAlmostEqual(sum(half["blocked"]["seconds"] for half in halves), whole["blocked"]["seconds"], places=3)
        self.assertEqual(halves[0]["workers"]["end"], halves[1]["workers"]["begin"])
        self.assertEqual(sum(half["workers"]["begun"] for half in halves), whole["workers"]["begun"])
        self.assertEqual(self.pool(recording, "--thread", "watch")["blocked"]["seconds"], 0)
        for option in (("--event", "wall"), ("--tree",), ("--during", "gc"), ("--startup",), ("--focus", "x")):
            self.assertIn("--pool is about", self.refused(str(recording.path), "--pool", *option))
        self.assertIn("--from 3600", self.refused(str(recording.path), "--pool", "--from", "3600"))
        self.assertIn("nobody", self.refused(str(recording.path), "--pool", "--thread", "nobody"))

    def test_what_was_not_recorded(self) -> None:
        recording = self.record(app("pool") + ["healthy", "10", "10"])
        pool = self.pool(recording)
        self.assertNotIn("workers", pool)
        self.assertNotIn("blocked", pool)
        self.assertIn("Not recorded: threads,wall.", walkabout("report", str(recording.path), "--pool").stdout)


if __name__ == "__main__":
    main()
