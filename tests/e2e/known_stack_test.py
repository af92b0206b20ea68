#!/usr/bin/env python3
"""The profile says what the program knows of itself: call paths and their shares of the CPU time."""
import json

from harness import EndToEnd, app, main, share


class KnownStack(EndToEnd):
    def check(self, *options: str, tolerance: float, milliseconds: int = 3000, env: dict | None = None) -> None:
        recording = self.record(app("knownstack") + [str(milliseconds)], *options, env=env)
        known = json.loads(recording.run.stdout.strip().splitlines()[0])
        stacks = [(stack, weight) for stack, weight in recording.stacks() if share([(stack, weight)], ["Known.A"])]
        for path in known["paths"]:
            wanted = [frame for frame in path["stack"] if frame != "qsort"]
            expected = path["cpu_seconds"] / known["cpu_seconds"]
            found = share(stacks, wanted)
            self.assertAlmostEqual(found, expected, delta=tolerance, msg=" > ".join(wanted))
        self.assert_whole(recording.stats())
        # Named before it was started, by more than the system's 15 characters.
        self.assertIn("whose stack is known", [thread["name"] for thread in recording.report()["threads"]])

    def test_at_a_kilohertz(self) -> None:
        self.check("--interval", "1ms", tolerance=0.02)

    def test_at_99_hertz(self) -> None:
        self.check(tolerance=0.06)

    # Longer: they come at the kernel's ticks, of which a thread beside other work sees only some.
    def test_with_timers(self) -> None:
        self.check("--engine", "timer", "--interval", "4ms", tolerance=0.04, milliseconds=9000)

    # Tier-0 code throughout, then fully optimized code at once: other prologs, no OSR.
    def test_without_optimization(self) -> None:
        self.check("--interval", "1ms", tolerance=0.02, env={"DOTNET_TieredCompilation": "1", "DOTNET_TC_BackgroundWorkerTimeoutMs": "0",
                                                             "DOTNET_TieredPGO": "0", "DOTNET_TC_CallCountThreshold": "1000000"})

    def test_without_tiers(self) -> None:
        self.check("--interval", "1ms", tolerance=0.02, env={"DOTNET_TieredCompilation": "0"})

    # Every callback that burns was called by qsort: the native frame stands between the managed ones.
    def test_native_frames_stand_between_managed_ones(self) -> None:
        recording = self.record(app("knownstack") + ["2000"], "--interval", "1ms")
        below = [(stack, weight) for stack, weight in recording.stacks() if share([(stack, weight)], ["Known.Compare"])]
        self.assertTrue(below)
        for stack, _ in below:
            names = [frame.split("(")[0] for frame in stack]
            between = stack[names.index("Known.F") + 1:names.index("Known.Compare")]
            self.assertTrue(any("qsort" in frame or "libc" in frame for frame in between), stack)


if __name__ == "__main__":
    main()
