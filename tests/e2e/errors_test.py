#!/usr/bin/env python3
"""What goes wrong is reported in one message that names the cause; exit codes are those of the help."""
import os
import random

from harness import EndToEnd, app, main, walkabout

USAGE = 2


class Errors(EndToEnd):
    def refused(self, *arguments, texts: list[str], code: int | None = None) -> None:
        done = walkabout(*arguments)
        self.assertNotEqual(done.returncode, 0, done)
        self.assertGreaterEqual(done.returncode, 0, "not killed by a signal")
        if code is not None:
            self.assertEqual(done.returncode, code, done)
        for text in texts:
            self.assertIn(text, done.stderr, done)

    def test_arguments(self) -> None:
        self.refused("nonsense", texts=["nonsense"])
        self.refused("run", texts=["walkabout: walkabout run needs COMMAND"], code=USAGE)
        self.refused("run", "--interval", "5", "--", "true", texts=["--interval"])
        self.refused("run", "--interval", "1us", "--", "true", texts=["100us"])
        for events in ["tea", "cpu,", "cpu,cpu", "cpu=1ms"]:
            self.refused("run", "--events", events, "--", "true", texts=["--events: ", "there are: cpu (CPU time)"], code=USAGE)
        self.refused("run", "--engine", "steam", "--", "true", texts=["engine"])
        self.refused("run", "-o", "x.docx", "--", "true", texts=[".docx", ".html"])
        self.refused("convert", "only-one.walk", texts=["walkabout: walkabout convert needs OUT"], code=USAGE)
        self.refused("report", texts=["walkabout: walkabout report needs FILE.walk"], code=USAGE)

    def test_missing_files(self) -> None:
        missing = self.folder / "missing.walk"
        for verb in [["report"], ["stats"], ["verify"]]:
            self.refused(*verb, missing, texts=["missing.walk", "No such file"])
        self.refused("convert", missing, self.folder / "out.html", texts=["missing.walk"])
        self.refused("run", "--", self.folder / "no-such-program", texts=["no-such-program"])

    def test_output_that_cannot_be_written(self) -> None:
        self.refused("run", "-o", self.folder / "no/such/folder/out.walk", "--", *app("hello"), texts=["no/such/folder"])
        self.assertFalse((self.folder / "no").exists())

    def test_a_program_that_is_not_dotnet(self) -> None:
        done = walkabout("run", "-o", self.folder / "out.walk", "--", "sh", "-c", "exit 3")
        self.assertEqual(done.returncode, 3, done)
        self.assertIn(".NET", done.stderr, done)

    def test_files_that_are_no_recordings(self) -> None:
        for content in [b"", b"hello", os.urandom(100_000)]:
            path = self.folder / "bad.walk"
            path.write_bytes(content)
            for verb in ["report", "stats", "verify"]:
                self.refused(verb, path, texts=["bad.walk"])

    def test_damaged_recordings_report_what_is_lost(self) -> None:
        whole = self.record(app("qsort") + ["2"], "--interval", "1ms").path.read_bytes()
        path = self.folder / "damaged.walk"
        path.write_bytes(whole[:len(whole) * 2 // 3])
        done = walkabout("report", path)
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stderr + done.stdout, r"(?i)(lost|left out|damaged|cut off)")
        chance = random.Random(1)
        for _ in range(60):
            bad = bytearray(whole)
            for _ in range(4):
                bad[chance.randrange(len(bad))] = chance.randrange(256)
            path.write_bytes(bad)
            for verb in ["report", "stats"]:
                done = walkabout(verb, path)
                self.assertGreaterEqual(done.returncode, 0, "a damaged file must not crash the reader")


if __name__ == "__main__":
    main()
