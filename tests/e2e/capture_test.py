#!/usr/bin/env python3
"""tools/capture_stack makes fixtures of a live program in one command, and they replay."""
import pathlib
import subprocess
import tempfile

import harness
from harness import EndToEnd, app, main

TOOL = pathlib.Path(__file__).resolve().parents[2] / "tools" / "capture_stack"


class Capture(EndToEnd):
    def setUp(self) -> None:
        super().setUp()
        self.out = tempfile.TemporaryDirectory()
        self.addCleanup(self.out.cleanup)
        self.folder = pathlib.Path(self.out.name)

    def capture(self, name: str, *options: str) -> list[str]:
        """The situations it says it kept."""
        done = harness.execute(TOOL, "--build", harness.BUILD, *options, self.folder / name, "--",
                               *app("qsort"), "8")
        self.assertEqual(done.returncode, 0, done)
        return done.stdout.splitlines()

    def test_new_fixtures_replay(self) -> None:
        situations = self.capture("new.stacks", "--limit", "12")
        self.assertEqual(len(situations), 12, situations)
        self.assertEqual(len(set(situations)), 12)
        for line in situations:
            self.assertRegex(line, r"^leaf: .*; calls: .*; callers: .*; frames: .*\[rooted; .*\]$")
        replay = subprocess.run([harness.BUILD / "bin" / "stacks_test", "--gtest_filter=Recorded/*"],
                                env=harness.clean_environment(WALKABOUT_STACKS=str(self.folder)),
                                capture_output=True, text=True, check=False)
        self.assertEqual(replay.returncode, 0, replay.stdout)
        self.assertIn("[  PASSED  ] 2 tests.", replay.stdout)
        # Of each of these situations there is an example now.
        again = self.capture("newer.stacks", "--limit", "3")
        self.assertFalse(set(again) & set(situations))

    def test_filters(self) -> None:
        for line in self.capture("epilogs.stacks", "--kind", "^leaf: jitted epilog", "--limit", "2"):
            self.assertTrue(line.startswith("leaf: jitted epilog"), line)
        for line in self.capture("sorting.stacks", "--method", "^qsort|msort|Sort", "--limit", "2"):
            self.assertTrue(line.startswith("leaf: "), line)


if __name__ == "__main__":
    main()
