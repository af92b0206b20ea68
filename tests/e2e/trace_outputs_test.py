#!/usr/bin/env python3
"""Traced calls in every form: what report and the files say is what trace said, and what others read them with reads them."""
import gzip
import json
import subprocess

from counting import RUNTIMES
from harness import CLI, EndToEnd, app, main, start, walkabout

METHODS = ["-m", "Nested.Tree.M*", "-m", "Nested.Tasks.*"]
SUFFIXES = [".html", ".collapsed", ".speedscope.json", ".trace.json", ".pb.gz"]


class TraceOutputs(EndToEnd):
    def traced(self, *options: str) -> dict:
        """What trace says of the program; its recording is self.recording."""
        self.recording = self.folder / "x.walk"
        command = [CLI, "trace", *METHODS, "--latency", "1us", "--json", "--top", "100000", "-o", self.recording, *options]
        process = start([*command, "--", *app("counted", *RUNTIMES[0]), "4", "20", "wait"], stdin=subprocess.PIPE)
        _, err = process.communicate("tree\ntasks\n", timeout=300)
        self.assertEqual(process.returncode, 0, err)
        return json.loads(err)

    def converted(self, suffix: str, *options: str) -> str:
        out = self.folder / f"out{suffix}"
        done = walkabout("convert", self.recording, out, *options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        return out.read_text()

    def test_report_says_what_trace_said(self) -> None:
        said = self.traced()
        done = walkabout("report", self.recording, "--json", "--top", "100000")
        self.assertEqual(json.loads(done.stdout), said)
        text = walkabout("report", self.recording).stdout
        for part in ("Methods, by their own time", "Who called whom", "The slowest of", "Nested.Tree.M"):
            self.assertIn(part, text)
        tree = walkabout("report", self.recording, "--tree", "--value", "calls").stdout
        self.assertIn(f"Calls {said['calls']:,}", tree)

    def test_every_file_has_the_calls(self) -> None:
        outputs = [part for suffix in SUFFIXES for part in ("-o", str(self.folder / f"at-once{suffix}"))]
        said = self.traced(*outputs)
        for suffix in SUFFIXES:
            again = self.folder / f"again{suffix}"
            self.assertEqual(walkabout("convert", self.recording, again).returncode, 0)
            self.assertEqual(again.read_bytes(), (self.folder / f"at-once{suffix}").read_bytes(), suffix)
        folded = self.converted(".collapsed", "--value", "calls")
        self.assertEqual(sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines()), said["calls"])
        self.assertGreater(len(gzip.decompress((self.folder / "again.pb.gz").read_bytes())), 100)
        self.assertTrue((self.folder / "again.html").read_text().lstrip().lower().startswith("<!doctype html>"))

    def test_speedscope_has_slow_calls_that_begin_and_end(self) -> None:
        said = self.traced()
        file = json.loads(self.converted(".speedscope.json"))
        evented = [profile for profile in file["profiles"] if profile["type"] == "evented"]
        opened = 0
        for profile in evented:
            stack: list[int] = []
            at = profile["startValue"]
            for event in profile["events"]:
                self.assertGreaterEqual(event["at"], at)
                at = event["at"]
                if event["type"] == "O":
                    stack.append(event["frame"])
                    opened += 1
                else:
                    self.assertEqual(stack.pop(), event["frame"], "the innermost one ends")
            self.assertEqual(stack, [])
            self.assertLessEqual(at, profile["endValue"])
        self.assertEqual(opened, len(said["slow_calls"]))
        self.assertGreater(opened, 0)

    def test_perfettos_file_has_slices_within_slices(self) -> None:
        said = self.traced()
        events = json.loads(self.converted(".trace.json"))["traceEvents"]
        slices = [event for event in events if event.get("cat") == "call" and event["ph"] == "X"]
        begins = [event for event in events if event["ph"] == "b"]
        self.assertEqual(len(slices) + len(begins), len(said["slow_calls"]))
        self.assertEqual(sorted(event["id"] for event in begins), sorted(event["id"] for event in events if event["ph"] == "e"))
        by_thread: dict[int, list] = {}
        for event in slices:
            by_thread.setdefault(event["tid"], []).append(event)
        for of_thread in by_thread.values():
            ends: list[float] = []
            for event in sorted(of_thread, key=lambda e: (e["ts"], -e["dur"])):
                end = event["ts"] + event["dur"]
                while ends and ends[-1] <= event["ts"] + 1e-3:
                    ends.pop()
                self.assertTrue(not ends or end <= ends[-1] + 1e-3, f"{event} leaves the slice that it is in")
                ends.append(end)

    def test_values_are_not_in_a_redacted_copy(self) -> None:
        said = self.traced()
        redacted = self.folder / "redacted.walk"
        self.assertEqual(walkabout("convert", self.recording, redacted, "--redact").returncode, 0)
        shown = json.loads(walkabout("report", redacted, "--json", "--top", "100000").stdout)
        self.assertEqual(shown["calls"], said["calls"])
        values = [value["text"] for call in shown["slow_calls"] for value in call["arguments"]]
        known = {value["text"] for call in said["slow_calls"] for value in call["arguments"]}
        self.assertGreater(len(known), 1, "there are values to leave out")
        self.assertEqual([value for value in values if value in known and value != ""], [])


if __name__ == "__main__":
    main()
