#!/usr/bin/env python3
"""Recordings of earlier versions of the format, read by this one: what is shown of them stays the same to the byte.

tests/golden/VERSION has the recordings, and beside each the summary and the report as text and a checksum of every other output.
    tests/e2e/golden_test.py --write    writes these anew, where an output was changed on purpose: look at the difference before it is committed
"""
import gzip
import hashlib
import json
import pathlib
import sys
import tempfile

from harness import EndToEnd, main, walkabout

GOLDEN = pathlib.Path(__file__).parents[1] / "golden"
TEXTS = [["stats"], ["report"]]
SUMS = [["stats", "--json"], ["report", "--json", "--top", "1000"], ["report", "--tree", "--unfold", "--min", "0"], ["report", "--tree", "--json"],
        ["report", "--hide-runtime", "--from", "100ms"], ["report", "--focus", "Known|Demo", "--json"], ["verify"], ["verify", "--json"]]
FILES = [".collapsed", ".speedscope.json", ".pb.gz"]


def shown(recording: pathlib.Path, verb: str, *options: str) -> str:
    done = walkabout(verb, recording, *options)
    return f"{done.stdout}{done.stderr}exit {done.returncode}\n".replace(str(recording.parent), "FOLDER")


def converted(recording: pathlib.Path, folder: pathlib.Path, suffix: str) -> bytes:
    out = folder / f"out{suffix}"
    out.unlink(missing_ok=True)
    done = walkabout("convert", recording, out)
    if done.returncode != 0:
        return done.stderr.encode()
    content = out.read_bytes()
    return gzip.decompress(content) if suffix.endswith(".gz") else content


def outputs(recording: pathlib.Path, folder: pathlib.Path) -> tuple[str, dict[str, str]]:
    """As text, and the checksums of the others."""
    text = "".join(f"$ walkabout {' '.join(command)}\n{shown(recording, *command)}\n" for command in TEXTS)
    sums = {" ".join(command): shown(recording, *command).encode() for command in SUMS}
    sums |= {suffix: converted(recording, folder, suffix) for suffix in FILES}
    return text, {name: hashlib.sha256(content).hexdigest() for name, content in sums.items()}


class Golden(EndToEnd):
    def test_what_is_shown_of_them(self) -> None:
        recordings = sorted(GOLDEN.glob("*/*.walk"))
        self.assertGreaterEqual(len(recordings), 3)
        for suffix in (".txt", ".json"):
            self.assertEqual(sorted(GOLDEN.glob(f"*/*{suffix}")), [recording.with_suffix(suffix) for recording in recordings])
        for recording in recordings:
            with self.subTest(recording=str(recording.relative_to(GOLDEN))):
                text, sums = outputs(recording, self.folder)
                self.assertEqual(text, recording.with_suffix(".txt").read_text())
                self.assertEqual(sums, json.loads(recording.with_suffix(".json").read_text()))


if __name__ == "__main__":
    if "--write" in sys.argv:
        with tempfile.TemporaryDirectory() as folder:
            for each in GOLDEN.glob("*/*.walk"):
                text, sums = outputs(each, pathlib.Path(folder))
                each.with_suffix(".txt").write_text(text)
                each.with_suffix(".json").write_text(json.dumps(sums, indent=1) + "\n")
    else:
        main()
