#!/usr/bin/env python3
"""Outputs by their suffix, several at once; the same from a recording by convert; reports of all kinds."""
import gzip
import json

from harness import EndToEnd, app, main, walkabout

SUFFIXES = [".walk", ".html", ".collapsed", ".speedscope.json", ".trace.json", ".pb.gz"]


class Outputs(EndToEnd):
    def test_several_at_once_and_the_same_from_convert(self) -> None:
        paths = {suffix: self.folder / f"out{suffix}" for suffix in SUFFIXES}
        options = [part for path in paths.values() for part in ("-o", str(path))]
        done = walkabout("run", *options, "--interval", "1ms", "--", *app("qsort"), "1")
        self.assertEqual(done.returncode, 0, done)
        for path in paths.values():
            self.assertGreater(path.stat().st_size, 0, path)
        self.assertTrue(paths[".html"].read_text().lstrip().lower().startswith("<!doctype html>"))
        self.assertIn("$schema", json.loads(paths[".speedscope.json"].read_text()))
        self.assertIn("CPU", [event["name"] for event in json.loads(paths[".trace.json"].read_text())["traceEvents"]])
        self.assertGreater(len(gzip.decompress(paths[".pb.gz"].read_bytes())), 100)
        self.assertIn("NativeSort.Program.Run(", paths[".collapsed"].read_text())
        for suffix in SUFFIXES[1:]:
            again = self.folder / f"again{suffix}"
            done = walkabout("convert", paths[".walk"], again)
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(again.read_bytes(), paths[suffix].read_bytes(), suffix)

    def test_the_summary_is_for_people(self) -> None:
        recording = self.record(app("qsort") + ["1"], "--interval", "1ms")
        for word in ["samples", "whole", "managed", "native", "NativeSort.Program"]:
            self.assertIn(word, recording.run.stderr + recording.run.stdout)
        self.assertNotIn("\r", recording.run.stderr, "no live line on a pipe")

    def test_reports(self) -> None:
        recording = self.record(app("qsort") + ["1"], "--interval", "1ms")
        table = walkabout("report", recording.path)
        self.assertEqual(table.returncode, 0, table)
        self.assertIn("NativeSort.Program", table.stdout)
        tree = walkabout("report", recording.path, "--tree")
        self.assertIn("NativeSort.Program.Run", tree.stdout)
        focus = walkabout("report", recording.path, "--focus", "CompareByDelegate")
        self.assertEqual(focus.returncode, 0, focus)
        self.assertNotIn("NativeSort.Program.ComparePointers(", focus.stdout)
        self.assertIn("NativeSort.Program.CompareByDelegate(", focus.stdout)
        report = json.loads(walkabout("report", recording.path, "--json").stdout)
        self.assertTrue(report)

    def test_version_and_help(self) -> None:
        self.assertRegex(walkabout("version").stdout, r"\d+\.\d+\.\d+")
        for verb in ["run", "report", "convert", "stats", "verify", "version"]:
            done = walkabout(verb, "--help")
            self.assertEqual(done.returncode, 0, done)
            if verb != "version":
                self.assertIn("walkabout " + verb, done.stdout, "help has examples")


if __name__ == "__main__":
    main()
