#!/usr/bin/env python3
"""`report --startup`: what the first part of a program's life was spent on."""
import json
import re

from harness import EndToEnd, app, main, walkabout

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))


class Startup(EndToEnd):
    def startup(self, recording, *options: str) -> dict:
        shown = walkabout("report", str(recording.path), "--startup", "--json", *options)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        return json.loads(shown.stdout)

    def refused(self, *arguments: str) -> str:
        shown = walkabout("report", *arguments)
        self.assertEqual(shown.returncode, 2, shown.stdout + shown.stderr)
        return shown.stderr

    def test_it_is_what_the_events_say(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("kinds", *runtime) + ["exceptions", "200"], "--events", "all")
                shown = self.startup(recording, "--to", "60")
                methods = recording.report("--event", "jit", "--value", "methods")["total"]["count"]
                self.assertEqual(shown["compiles"]["count"], methods)
                self.assertEqual(sum(tier["count"] for tier in shown["compiles"]["tiers"]), methods)
                spent = recording.report("--event", "jit")["total"]["seconds"]
                self.assertAlmostEqual(shown["compiles"]["seconds"], spent, delta=1e-3)
                loads = recording.report("--event", "loads")["total"]["count"]
                counted = shown["loads"]["types"]["count"] + shown["loads"]["modules"] + len(shown["loads"]["assemblies"])
                self.assertEqual(counted, loads)
                self.assertIn("kinds", " ".join(one["name"] for one in shown["loads"]["assemblies"]))
                throws = recording.report("--event", "exceptions")["total"]["count"]
                self.assertEqual(shown["exceptions"], throws)
                cpu = recording.report("--event", "cpu")["total"]["seconds"]
                self.assertAlmostEqual(sum(shown["cpu"].values()), cpu, delta=1e-3)
                self.assertAlmostEqual(sum(sum(part["cpu"].values()) for part in shown["parts"]), cpu, delta=1e-3)
                self.assertLessEqual(sum(shown["first_thread"].values()), shown["to"] + 1e-6)
                self.assertTrue(shown["complete"])
                self.assertEqual(shown["damage"], "")
                self.assertEqual("waits" in shown, runtime[0] != "net8.0", "that has no such events")
                self.assertTrue(any("Throws." in one["name"] or "Throws." in one["caller"] for one in shown["compiles"]["longest"]),
                                shown["compiles"]["longest"])

    def test_a_part_of_it(self) -> None:
        recording = self.record(app("kinds") + ["exceptions", "200"], "--events", "cpu,jit")
        first, all_of_it = self.startup(recording, "--to", "30ms"), self.startup(recording)
        self.assertLessEqual(first["to"], 0.03)
        self.assertLess(first["compiles"]["count"], all_of_it["compiles"]["count"])
        self.assertNotIn("loads", all_of_it)
        text = walkabout("report", str(recording.path), "--startup")
        self.assertRegex(text.stdout, r"(?m)^Not recorded: wall,exceptions,locks,waits,gc,loads\. Record a start with all of it")
        self.assertRegex(text.stdout, r"(?m)^Compiling +\S+ \S+  [\d,]+ methods: .* of code from .* of IL$")

    def test_what_has_no_start_is_refused(self) -> None:
        recording = self.record(app("hello"), "--events", "cpu,jit")
        path = str(recording.path)
        self.assertRegex(self.refused(path, "--startup", "--thread", "main"), "only --to, --top")
        self.assertRegex(self.refused(path, "--startup", "--from", "1"), "only --to, --top")
        self.assertRegex(self.refused(path, "--startup", "--live"), "only --to, --top")


if __name__ == "__main__":
    main()
