#!/usr/bin/env python3
"""Objects that still exist: a program that keeps one in five, and knows how much that is."""
import re

from harness import EndToEnd, app, main

LEAK = ["leak", "10", "5"]  # some 1,200 samples of what is kept (one of two is followed): their sum's standard deviation is 3%
RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
FULL = "a collection of all generations"


def by(label: str, report: dict) -> dict[str, int]:
    return {row["text"]: row["bytes"] for row in report["by_label"][label]}


class Live(EndToEnd):
    def test_what_is_kept_is_there_and_nothing_else(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + LEAK, "--live")
                kept = int(re.search(r"^kept \d+ (\d+)$", recording.run.stdout, re.M).group(1))
                report = recording.report("--live")
                types = by("type", report)
                self.assertAlmostEqual(types["Kept"] / kept, 1, delta=0.15, msg=(types, kept))
                # The list that has them, and arrays that it has outgrown, are there as well.
                self.assertLess(sum(size for name, size in types.items() if name not in ("Kept", "System.Object[]")),
                                kept / 20, types)
                own = [function["name"] for function in report["top_total"] if function["name"].startswith("Leak.")]
                self.assertEqual(own[:2], ["Leak.Run(int, int)", "Leak.Keep()"], report["top_total"])
                survived = by("survived", report)
                self.assertGreater(survived[FULL] / sum(survived.values()), 0.4, survived)
                events = recording.stats()["events"]["live"]
                self.assertEqual(events["attempts"], events["samples"] + sum(events["drops"].values()))

    def test_growth_between_two_moments(self) -> None:
        recording = self.record(app("kinds") + LEAK, "--live")
        whole = recording.report("--live")
        middle = str(whole["duration"] / 3)
        before, behind = (by("type", recording.report("--live", *span)) for span in (("--to", middle), ("--from", middle)))
        self.assertGreater(before.get("Lost", 0), 0, "at that moment not all of it had been collected")
        self.assertNotIn("Lost", by("type", whole))
        self.assertAlmostEqual((before["Kept"] + behind["Kept"]) / by("type", whole)["Kept"], 1, delta=0.02)

    def test_two_ways_to_ask_for_one_event(self) -> None:
        recording = self.record(app("kinds") + ["gc", "1"], "--events", "live")
        self.assertEqual(recording.report("--live"), recording.report("--event", "live"))
        with self.assertRaisesRegex(AssertionError, "--live is --event live"):
            recording.report("--live", "--event", "cpu")


if __name__ == "__main__":
    main()
