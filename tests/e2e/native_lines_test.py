#!/usr/bin/env python3
"""Source lines of native code and its inlined functions: of a library whose inlining is forced and whose hot lines are known."""
import collections
import gzip
import json
import os
import re
import shutil
import subprocess

from harness import BUILD, SOURCES, EndToEnd, Recording, app, clean_environment, main, walkabout

LIBRARIES = BUILD / "apps" / "native-library"
NAME = "libhostile_inlining.so"
TEXT = SOURCES / "native" / "library"
INLINED = " [inlined]"
CHAINS = {"inlining_alone": ["outer", "inner"], "inlining_header": ["inlining::Mixer::mix(unsigned long)"]}


def marked(what: str) -> dict[str, set[tuple[str, int]]]:
    """By function: file and line of each mark."""
    found = collections.defaultdict(set)
    for file in ("put_inside.cc", "put_inside.h"):
        for number, line in enumerate((TEXT / file).read_text().splitlines(), 1):
            if mark := re.search(rf"// {what} (\w+)", line):
                found[mark[1]].add((file, number))
    return found


def short(name: str) -> str:
    """"inlining::Mixer::mix(unsigned long) [inlined]" is "mix"."""
    return re.sub(r"\(.*\)", "", name.removesuffix(INLINED)).split("::")[-1]


class NativeLines(EndToEnd):
    @classmethod
    def setUpClass(cls) -> None:
        super().setUpClass()
        if not (LIBRARIES / NAME).exists():
            raise AssertionError(f"{NAME} is not built: ninja lib{NAME}")

    def run_program(self, *options: str, libraries=LIBRARIES, seconds: str = "1") -> Recording:
        return self.record(app("native") + ["inlining", seconds], "-i", "1ms", *options, env={"LD_LIBRARY_PATH": str(libraries)})

    def stacks(self, recording: Recording, *options: str) -> dict[str, collections.Counter]:
        """By native function that is called: microseconds by the frames above it."""
        found = collections.defaultdict(collections.Counter)
        for frames, weight in recording.stacks(*options):
            for at, frame in enumerate(frames):
                if frame in CHAINS:
                    found[frame]["; ".join(frames[at + 1 :])] += weight
        return found

    def check_frames(self, recording: Recording) -> None:
        found = self.stacks(recording)
        self.assertEqual(set(found), set(CHAINS))
        for name, chain in CHAINS.items():
            wanted = "; ".join(part + INLINED for part in chain)
            total = sum(found[name].values())
            print(f"{name:16} {found[name][wanted] / total:7.2%} of {total / 1e6:.2f} s {dict(found[name].most_common(3))}", flush=True)
            self.assertGreater(total, 20_000)
            self.assertGreaterEqual(found[name][wanted] / total, 0.99, found[name])

    def check_lines(self, recording: Recording) -> None:
        hot, calls = marked("HOT"), marked("CALL")
        right = total = 0.0
        rows = recording.report("--lines", "--tree", "--min", "0")["tree"]
        for at, row in enumerate(rows):
            if row["hidden"] or row.get("module") != NAME:
                continue
            name = short(row["name"])
            place = (os.path.basename(row.get("file", "")), (row.get("lines") or [0])[0])
            if name in hot and row["self"]["samples"]:
                total += row["self"]["seconds"]
                right += row["self"]["seconds"] if place in hot[name] and row["sure"] else 0
            for inner in rows[at + 1 :]:
                if inner["hidden"] or inner["parent"] != at or not inner.get("inlined"):
                    continue
                self.assertIn(place, calls[short(inner["name"])], (row, inner))
        print(f"hot lines: {right / total:.2%} of {total:.2f} s", flush=True)
        self.assertGreater(total, 0.02)
        self.assertGreaterEqual(right / total, 0.99)

    def test_inlined_functions_are_frames_with_their_lines(self) -> None:
        recording = self.run_program("--lines")
        self.check_frames(recording)
        self.check_lines(recording)
        cover = recording.report("--lines")["line_cover"]
        self.assertGreater(cover["native_sure"]["seconds"], 0.5 * cover["native"]["seconds"])

    def test_without_inlined_frames_their_time_is_their_callers(self) -> None:
        recording = self.run_program("--lines", seconds="0.3")
        for name, stacks in self.stacks(recording, "--no-inlined").items():
            self.assertEqual(set(stacks), {""}, name)
        with_them, without = (recording.report("--top", "1000", *options) for options in ((), ("--no-inlined",)))
        self.assertEqual(with_them["total"], without["total"])

    def test_without_lines_nothing_of_it_is_recorded(self) -> None:
        recording = self.run_program(seconds="0.3")
        self.assertFalse([row for row in recording.report("--top", "1000")["top_total"] if row.get("inlined")])

    def test_found_later(self) -> None:
        """Of a recording that was made without lines, and of one whose library was stripped and gone."""
        plain = self.run_program(seconds="1")
        done = walkabout("symbols", plain.path, "--lines", "--json")
        self.assertEqual(done.returncode, 0, done)
        [library] = [one for one in json.loads(done.stdout)["libraries"] if one["path"].endswith(NAME)]
        self.assertEqual((library["had_lines"], library["has_lines"]), (False, True))
        self.check_frames(plain)

        stripped = self.folder / "stripped"
        stripped.mkdir()
        subprocess.run(["objcopy", "--strip-all", LIBRARIES / NAME, stripped / NAME], check=True)
        recording = self.run_program("--lines", libraries=stripped)
        shutil.rmtree(stripped)
        self.assertNotIn("inner", str(recording.report("--top", "1000")["top_total"]))
        debug = self.folder / "debug"
        debug.mkdir()
        subprocess.run(["objcopy", "--only-keep-debug", LIBRARIES / NAME, debug / (NAME + ".debug")], check=True)
        self.assertEqual(walkabout("symbols", recording.path, "--folder", debug).returncode, 0)
        self.check_frames(recording)
        self.check_lines(recording)
        again = walkabout("symbols", recording.path, "--folder", debug)
        self.assertIn("nothing new", again.stdout)

    def test_damaged_dwarf_costs_lines_and_nothing_else(self) -> None:
        damaged = self.folder / "damaged"
        damaged.mkdir()
        section = self.folder / "info"
        subprocess.run(["objcopy", "--dump-section", f".debug_info={section}", LIBRARIES / NAME, damaged / "unused"], check=True)
        data = bytearray(section.read_bytes())
        data[12:] = bytes(0xFF for _ in data[12:])
        section.write_bytes(data)
        subprocess.run(["objcopy", "--update-section", f".debug_info={section}", LIBRARIES / NAME, damaged / NAME], check=True)
        recording = self.run_program("--lines", libraries=damaged, seconds="0.3")
        messages = recording.stats()["messages"]
        self.assertTrue(any(NAME in message and "DWARF is damaged" in message for message in messages), messages)
        self.assertIn("inlining_alone", str(recording.report("--top", "1000")["top_total"]))

    def test_other_formats_have_them(self) -> None:
        recording = self.run_program("--lines", seconds="0.3")
        for name in ("out.pb.gz", "out.speedscope.json", "out.html", "out.collapsed"):
            done = walkabout("convert", recording.path, self.folder / name, "--lines")
            self.assertEqual(done.returncode, 0, done)
        message = gzip.decompress((self.folder / "out.pb.gz").read_bytes())
        self.assertIn(b"inlining::Mixer::mix(unsigned long)", message)
        # The compiler knows the folder by the name that the build was configured with, which may lead through links.
        self.assertTrue(f"/{TEXT.relative_to(SOURCES.parent.parent)}/put_inside.h".encode() in message,
                        re.findall(rb"[ -~]*put_inside[ -~]*", message))
        self.assertNotIn(INLINED.encode(), message)
        frames = json.loads((self.folder / "out.speedscope.json").read_text())["shared"]["frames"]
        hot = marked("HOT")["inner"]
        self.assertTrue(any((os.path.basename(f.get("file", "")), f.get("line")) in hot and "inner" in f["name"] for f in frames))

    def test_redacted_recordings_have_no_folders(self) -> None:
        recording = self.run_program("--lines", "--redact", seconds="0.3")
        rows = recording.report("--lines", "--top", "1000")["lines_self"]
        files = {row["file"] for row in rows if row.get("module") == NAME and row.get("file")}
        self.assertEqual(files - {"put_inside.cc", "put_inside.h"}, set())
        self.assertTrue(files)


if __name__ == "__main__":
    main()
