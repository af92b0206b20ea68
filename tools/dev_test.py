#!/usr/bin/env python3
"""./dev itself, in a checkout that has next to nothing to build."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

DEV = pathlib.Path(__file__).resolve().parent.parent / "dev"
PRESETS = """{"version": 6,
 "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release"}],
 "buildPresets": [{"name": "release", "configurePreset": "release"}]}"""
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(nothing NONE)
file(WRITE ${CMAKE_BINARY_DIR}/source ${CMAKE_CURRENT_SOURCE_DIR})
add_custom_target(all_of_it ALL COMMAND true)
"""


class CopiedCheckout(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()

    def checkout(self, name: str) -> pathlib.Path:
        place = self.root / name
        (place / "tools").mkdir(parents=True)
        shutil.copy(DEV, place / "dev")
        (place / "tools" / "install_packages.sh").write_text("need() { :; }\n")
        (place / "CMakePresets.json").write_text(PRESETS)
        (place / "CMakeLists.txt").write_text(PROJECT)
        return place

    def build(self, place: pathlib.Path) -> str:
        done = subprocess.run([place / "dev", "build", "release", "all"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual((place / "build" / "release" / "source").read_text(), str(place))
        return done.stderr

    def test_builds_itself_and_reports_it(self) -> None:
        first = self.checkout("first")
        self.assertNotIn("anew", self.build(first))
        self.assertNotIn("anew", self.build(first))
        copy = self.root / "copy"
        shutil.copytree(first, copy)
        self.assertIn(f"configured for {first}; it is configured anew for {copy}", self.build(copy))
        self.assertNotIn("anew", self.build(copy))
        self.assertNotIn("anew", self.build(first))

    def test_also_when_the_first_is_gone(self) -> None:
        first = self.checkout("first")
        self.build(first)
        moved = first.rename(self.root / "moved")
        self.assertIn("configured anew", self.build(moved))


if __name__ == "__main__":
    unittest.main()
