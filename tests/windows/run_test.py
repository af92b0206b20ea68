#!/usr/bin/env python3
"""Under Wine: walkabout.exe records, and the recording is read on Linux."""
import json
import os
import subprocess
import unittest

from wine_programs import LINUX, Installed, app, long_enough, windows_path


class RunVerb(unittest.TestCase):
    def setUp(self) -> None:
        self.installed = Installed()
        self.addCleanup(self.installed.remove)
        self.above, self.folder, self.recording = self.installed.above, self.installed.folder, self.installed.recording

    def run_it(self, *options, seconds=1):
        return self.installed.run(options, windows_path(app("winstack")), "all", str(seconds))

    def stats_of(self, seconds: int) -> dict:
        done = self.run_it("--interval", "2ms", seconds=seconds)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("edges", done.stdout)
        self.assertTrue(LINUX.exists(), "build release first")
        stats = subprocess.run([LINUX, "stats", "--json", self.recording], capture_output=True, text=True, check=True)
        return json.loads(stats.stdout)

    def verified(self, seconds: int) -> dict:
        done = self.run_it("--interval", "2ms", "--oracle", seconds=seconds)
        self.assertEqual(done.returncode, 0, done.stderr)
        verify = subprocess.run([LINUX, "verify", "--json", self.recording], capture_output=True, text=True, check=False)
        self.assertIn(verify.returncode, (0, 3), verify.stderr)
        return json.loads(verify.stdout)

    def read(self, *words):
        return self.installed.walkabout(*words)

    def test_a_recording_that_linux_reads(self) -> None:
        result = long_enough(self.stats_of, lambda result: result["samples"] > 50, 1)
        self.assertGreater(result["samples"], 50)
        self.assertEqual(result["attempts"], result["samples"] + sum(result["drops"].values()))
        report = subprocess.run([LINUX, "report", self.recording], capture_output=True, text=True, check=True)
        self.assertIn("Known.Burn", report.stdout)

    def test_the_clrs_own_walks_are_verified_on_linux(self) -> None:
        result = long_enough(self.verified, lambda result: result["compared"] > 20, 2)
        self.assertGreater(result["compared"], 20, result)
        # Its rules are Linux's: clr_comparison.py knows two kinds more (docs/windows.md), each of 1 in thousands.
        self.assertLessEqual(result["unexplained"], result["compared"] / 50, result)

    def test_a_folder_that_others_may_write_to_is_refused(self) -> None:
        os.chmod(self.folder, 0o777)
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertIn("the agent's folder", done.stderr)
        self.assertIn("may be written by", done.stderr)
        self.assertNotIn("edges", done.stdout, "the program was not started")

    def test_a_folder_above_in_which_others_may_rename_is_refused(self) -> None:
        os.chmod(self.above, 0o777)
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, f"a folder above the agent, C:.*{self.above.name} may be renamed or replaced by")
        self.assertNotIn("edges", done.stdout, "the program was not started")

    def test_a_library_that_others_may_write_to_is_refused(self) -> None:
        os.chmod(self.folder / "walkabout.dll", 0o666)
        done = self.run_it()
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, "the agent C:.*walkabout.dll may be written by")
        self.assertNotIn("edges", done.stdout, "the program was not started")

    def test_wrong_options(self) -> None:
        done = self.run_it("--native", "some")
        self.assertEqual(done.returncode, 2)
        self.assertIn("full, holes or none", done.stderr)

    # The same recording, read on both systems.
    def test_windows_reads_it_as_linux_does(self) -> None:
        self.assertEqual(self.run_it("--interval", "2ms").returncode, 0)
        for verb in (("stats", "--json"), ("report", "--json"), ("report", "--tree"), ("report",)):
            with self.subTest(verb):
                here = self.read(*verb, windows_path(self.recording))
                there = subprocess.run([LINUX, *verb, self.recording], capture_output=True, text=True, check=True)
                self.assertEqual(here.returncode, 0, here.stderr)
                self.assertEqual(here.stdout.splitlines(), there.stdout.splitlines())
        for suffix in (".html", ".collapsed", ".speedscope.json", ".pb.gz"):
            with self.subTest(suffix):
                here, there = self.folder / f"windows{suffix}", self.folder / f"linux{suffix}"
                done = self.read("convert", windows_path(self.recording), windows_path(here))
                self.assertEqual(done.returncode, 0, done.stderr)
                subprocess.run([LINUX, "convert", self.recording, there], check=True)
                self.assertEqual(here.read_bytes(), there.read_bytes())
        self.assertFalse(list(self.folder.glob("*.tmp")))

    def test_what_is_done_on_linux_is_reported_as_such(self) -> None:
        self.assertEqual(self.run_it("--interval", "5ms").returncode, 0)
        compressed = self.folder / "linux.walk"
        subprocess.run([LINUX, "convert", self.recording, compressed], check=True)
        for words in (("verify", "x.walk"), ("convert", windows_path(self.recording), "again.walk"),
                      ("report", windows_path(compressed))):
            with self.subTest(words):
                done = self.read(*words)
                self.assertIn("Linux", done.stdout + done.stderr)

    def test_a_file_that_is_no_recording(self) -> None:
        done = self.read("report", windows_path(self.folder / "nothing.walk"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot open", done.stderr)

    def run_cmd(self, *words):
        return self.installed.run((), "cmd.exe", "/c", *words)

    def test_where_nothing_was_recorded_is_no_success(self) -> None:
        self.recording.write_bytes(b"as it was")
        for code, status in (("0", 1), ("3", 3)):
            with self.subTest(code):
                done = self.run_cmd("exit", code)
                self.assertEqual(done.returncode, status)
                self.assertIn("no .NET of it had loaded the agent", done.stderr)
        self.assertEqual(self.recording.read_bytes(), b"as it was")
        self.assertFalse(list(self.folder.glob("*.tmp")))

    def test_the_second_process_is_not_recorded_and_not_bothered(self) -> None:
        both = self.folder / "both.bat"
        program = windows_path(app("winstack"))
        both.write_text(f"@echo off\r\n{program} managed 1\r\n{program} native 1\r\n", encoding="ascii")
        done = self.run_cmd(windows_path(both))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("edges"), 2)
        self.assertNotIn("walkabout", done.stderr)
        report = subprocess.run([LINUX, "report", "--tree", self.recording], capture_output=True, text=True, check=True)
        self.assertIn("Known.Burn", report.stdout)
        self.assertNotIn("Known.Weigh", report.stdout)  # only the second one runs it

    def test_a_program_that_is_not_there(self) -> None:
        self.recording.write_bytes(b"as it was")
        done = self.installed.run((), "nothing.exe")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot start nothing.exe", done.stderr)
        self.assertEqual(self.recording.read_bytes(), b"as it was")
        self.assertFalse(list(self.folder.glob("*.tmp")))


if __name__ == "__main__":
    unittest.main()
