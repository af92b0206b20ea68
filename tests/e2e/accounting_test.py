#!/usr/bin/env python3
"""The demo, hello world and many short threads: every sample rooted, all CPU time there, nothing lost in silence."""
from harness import EndToEnd, app, main


class Accounting(EndToEnd):
    def assert_rate(self, rate: float, stats: dict) -> None:
        """By the CPU time that the program got: a busy machine gives it little of the clock's, and of a short
        run the agent's threads, which have no samples, take more of it."""
        self.assertGreater(stats["samples"], 0.8 * rate * (stats["process_cpu_seconds"] - stats["agent_cpu_seconds"]))

    def test_demo(self) -> None:
        recording = self.record(app("demo") + ["15"])
        stats = recording.stats()
        self.assert_whole(stats)
        self.assert_ratio(stats["cpu_weight_seconds"], stats)
        self.assert_rate(99, stats)
        self.assertGreater(stats["duration"], 14)
        self.assertIn("demo:", recording.run.stdout, "the program's own output is passed through")

    def test_demo_at_a_kilohertz(self) -> None:
        stats = self.record(app("demo") + ["4"], "--interval", "1ms").stats()
        self.assert_whole(stats)
        self.assert_rate(1_000, stats)

    def test_demo_with_timers(self) -> None:
        stats = self.record(app("demo") + ["4"], "--engine", "timer").stats()
        self.assert_whole(stats)

    def test_hello(self) -> None:
        recording = self.record(app("hello"), "--interval", "1ms")
        self.assertIn("Hello, World!", recording.run.stdout)
        self.assert_accounts(recording.stats())

    def test_collections(self) -> None:
        recording = self.record(app("alloc") + ["3"], "--interval", "1ms")
        self.assert_whole(recording.stats())

    def test_threads_that_live_for_milliseconds(self) -> None:
        recording = self.record(app("shortthreads") + ["200", "5"], "--interval", "500us")
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        # What the kernel does to end a thread comes after the last moment its clock can be read: here 1% of all.
        self.assertGreaterEqual(stats["cpu_weight_seconds"] / stats["process_cpu_seconds"], 0.97, stats)
        self.assertLessEqual(stats["cpu_weight_seconds"] / stats["process_cpu_seconds"], 1.01, stats)
        self.assertGreaterEqual(stats["threads"], 200)
        seen = {frame for frame in recording.frames() if frame.startswith("Spin.For(")}
        self.assertTrue(seen)

    # Most of them end before their first tick: what they used is reported at their end. (Timers once reported it only of threads
    # that had had one: 25% of all.) What cannot be read is the kernel's work to end
    # each: 3% here, 7% where the machine has much else to do.
    def test_thousands_of_threads(self) -> None:
        for engine in ("auto", "timer"):
            stats = self.record(app("shortthreads") + ["3000", "0"], "--interval", "500us", "--engine", engine).stats()
            self.assert_accounts(stats)
            self.assert_rooted(stats, 0.995)
            self.assertGreaterEqual(stats["threads"], 2_700, stats)
            self.assertGreaterEqual(stats["cpu_weight_seconds"] / stats["process_cpu_seconds"], 0.9, stats)
            self.assertLessEqual(stats["cpu_weight_seconds"] / stats["process_cpu_seconds"], 1.01, stats)


if __name__ == "__main__":
    main()
