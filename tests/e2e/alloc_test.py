#!/usr/bin/env python3
"""Allocations: bytes and objects of a program that knows them, by type, with the stack that allocated."""
import re

from harness import EndToEnd, app, main

MIB = "600"  # of each size, and as much again mixed: some 12,000 samples, whose sum is right to 1% (one in three times)
# Before .NET 10 the runtime counts what it gives to threads, with the ends of 8 KiB that no object fits into: what
# objects of 4,000 bytes have too much (up to 5%), small ones that come between them have too little.
RUNTIMES = (("net10.0", "framework", 0.05), ("net9.0", "selfcontained", 0.08), ("net8.0", "selfcontained", 0.08))


class Alloc(EndToEnd):
    def test_bytes_and_objects_are_what_the_program_allocated(self) -> None:
        for *runtime, most in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("allocations", *runtime) + [MIB], "--events", "alloc")
                known = {name: (int(objects), int(size)) for name, objects, size in
                         re.findall(r"^allocated (\w+) (\d+) (\d+)$", recording.run.stdout, re.M)}
                self.assertEqual(len(known), 5, recording.run.stdout)
                for value, unit, which in (("allocated", "bytes", 1), ("objects", "count", 0)):
                    report = recording.report("--event", "alloc", "--value", value)
                    seen = {row["text"].removesuffix("[]"): row[unit] for row in report["by_label"]["type"]}
                    for name, numbers in known.items():
                        self.assertAlmostEqual(seen[name] / numbers[which], 1, delta=most, msg=(value, name, seen[name], numbers))

    def test_a_sample_has_the_stack_that_allocated_and_its_heap(self) -> None:
        recording = self.record(app("allocations") + ["60"], "--events", "alloc")
        events = recording.stats()["events"]["alloc"]
        self.assertEqual(events["attempts"], events["samples"] + sum(events["drops"].values()))
        report = recording.report("--event", "alloc")
        self.assertEqual(report["rooted"], report["total"]["samples"] - report.get("not_walked", 0))
        self.assertTrue(any("Sizes.Arrays<Large>" in frame for frame in recording.frames()), recording.frames())
        focused = recording.report("--event", "alloc", "--focus", "Sizes.Arrays<Large>")
        # One size of five, sums of what was not walked among it.
        self.assertLess(report["walked_share"], 1)
        self.assertAlmostEqual(focused["total"]["bytes"] / report["total"]["bytes"], 0.2, delta=0.03)
        heaps = {row["text"]: row["bytes"] for row in report["by_label"]["heap"]}
        large = heaps["large"] / sum(heaps.values())
        self.assertTrue(0.3 <= large <= 0.5, heaps)  # two sizes of five


if __name__ == "__main__":
    main()
