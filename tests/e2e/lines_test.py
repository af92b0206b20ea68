#!/usr/bin/env python3
"""Source lines of managed code: of methods whose hot line is known, in every tier. What is said to be certain is right."""
import base64
import collections
import gzip
import json
import pathlib
import re
import shutil
import struct
import subprocess
import zlib

from harness import SOURCES, EndToEnd, Recording, app, main, walkabout

PROGRAM = SOURCES / "lines" / "Program.cs"
UNOPTIMIZED = {"DOTNET_TC_CallCounting": "0", "DOTNET_TC_OnStackReplacement": "0", "DOTNET_TieredPGO": "0"}
OPTIMIZED = {"DOTNET_TieredCompilation": "0"}
# Other statements of a method take some of its time, most where nothing is optimized. No more of it may be at other lines.
ELSEWHERE, ELSEWHERE_IN_ALL = 0.15, 0.05
# Methods whose hot statement the compiler joins with another, so that no map of its code can tell them apart: a value left on the
# evaluation stack, whatever the tier, and in optimized code one with another that may cost something.
LEFT_ON_STACK = {"InlinedEach"}
JOINED = LEFT_ON_STACK | {"Moved"}
NAMED = {"Stepped": ".Steps(", "Awaited": ".Wait(", "Local": "Local(int)|Inner", "Lambda": "Program..cctor() [lambda]"}


def hot_lines() -> dict[str, set[int]]:
    """The lines of each method's hot statements."""
    found = collections.defaultdict(set)
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1):
        if mark := re.search(r"// HOT (\w+)", line):
            found[mark[1]].add(number)
    return found


def marked(name: str) -> str:
    """The mark's name of a frame: "Lines.Program.Plain(int)", "Lines.Program.Steps(int) [iterator]"."""
    for mark, part in NAMED.items():
        if part in name:
            return mark
    return re.sub(r"[(<\[].*", "", name.split("Program.")[-1])


class Lines(EndToEnd):
    def seconds(self, recording: Recording) -> dict[str, collections.Counter]:
        """By method and how its line is given: right, unsure (the right one is among them), elsewhere, none."""
        hot = hot_lines()
        found = collections.defaultdict(collections.Counter)
        for row in recording.report("--lines", "--tree", "--min", "0")["tree"]:
            if row["hidden"] or "Lines.Program" not in row["name"] or marked(row["name"]) not in hot:
                continue
            name, lines = marked(row["name"]), set(row.get("lines", []))
            self.assertTrue(not lines or row["file"].endswith("/Program.cs"), row)
            kind = "none"
            if lines:
                kind = ("right" if row["sure"] else "unsure") if lines & hot[name] else "elsewhere"
            # What is called from a hot line, inlined or not, is called from there.
            calls = name in ("Calling", "CalledForNext", "Common") or name.startswith("Inlined")
            found[name][kind] += row["total" if calls else "self"]["seconds"]
        return found

    def check(self, what: str, mode: tuple[str, str], env: dict, least: float, joined: frozenset | set = JOINED) -> None:
        """least: the share that has its line, and is said to be certain, of all methods but those that are joined."""
        recording = self.record(app("lines", *mode) + ["0.2"], "--lines", "-i", "1ms", env=env)
        found = {name: kinds for name, kinds in self.seconds(recording).items() if sum(kinds.values()) > 0.05}
        self.assertGreater(len(found), 25, found)
        everything = collections.Counter()
        for name, kinds in sorted(found.items()):
            total = sum(kinds.values())
            print(f"{what:14} {name:16} " + " ".join(f"{kind} {took / total:6.1%}" for kind, took in kinds.most_common()), flush=True)
            everything += kinds
            with self.subTest(what=what, method=name):
                self.assertLessEqual((kinds["elsewhere"] + kinds["none"]) / total, ELSEWHERE, kinds)
        total = sum(everything.values())
        print(f"{what:14} {'all':16} " + " ".join(f"{kind} {took / total:6.1%}" for kind, took in everything.most_common()), flush=True)
        self.assertLessEqual((everything["elsewhere"] + everything["none"]) / total, ELSEWHERE_IN_ALL, everything)
        plain = sum((kinds for name, kinds in found.items() if name not in joined), collections.Counter())
        self.assertGreaterEqual(plain["right"] / sum(plain.values()), least, plain)
        for name in joined & set(found):
            with self.subTest(what=what, method=name):
                self.assertGreater(found[name]["unsure"], 0.5 * sum(found[name].values()), found[name])

    def test_unoptimized_code_has_the_line_of_each_statement(self) -> None:
        self.check("tier 0", ("net10.0", "framework"), UNOPTIMIZED | {"DOTNET_ReadyToRun": "0"}, 0.95, LEFT_ON_STACK)

    def test_optimized_code(self) -> None:
        self.check("optimized", ("net10.0", "framework"), OPTIMIZED, 0.9)

    def test_all_tiers_one_after_the_other(self) -> None:
        self.check("tiered", ("net10.0", "framework"), {}, 0.75, set())  # where a loop is replaced, what is before it has no code

    def test_ready_to_run_code(self) -> None:
        self.check("ready-to-run", ("net10.0", "readytorun"), OPTIMIZED, 0.9)

    def copied(self) -> list[str]:
        """The program in a folder of its own."""
        command = app("lines")
        folder = self.folder / "app"
        shutil.copytree(pathlib.Path(command[-1]).parent, folder)
        return [*command[:-1], str(folder / "lines.dll")]

    def cover(self, recording: Recording) -> dict:
        cover = recording.report("--lines")["line_cover"]
        return {kind: amount["seconds"] for kind, amount in cover.items()}

    def test_a_pdb_that_is_found_later(self) -> None:
        command = self.copied()
        kept = self.folder / "kept"
        kept.mkdir()
        (self.folder / "app" / "lines.pdb").rename(kept / "other-name.pdb")
        recording = self.record([*command, "0.02"], "--lines", "-i", "1ms", env=OPTIMIZED)
        cover = self.cover(recording)
        self.assertEqual((cover["sure"], cover["unsure"]), (0, 0), cover)
        done = walkabout("symbols", recording.path, "--json", "--folder", kept)
        self.assertEqual(done.returncode, 0, done)
        [assembly] = [a for a in json.loads(done.stdout)["assemblies"] if a["path"].endswith("lines.dll")]
        self.assertEqual((assembly["had_lines"], assembly["has_lines"], assembly["from"]), (False, True, "folder"), assembly)
        cover = self.cover(recording)
        self.assertGreater(cover["sure"], 0.8 * cover["managed"], cover)
        done = walkabout("symbols", recording.path, "--json", "--folder", kept)
        self.assertEqual(json.loads(done.stdout)["written"], "", done)

    def test_a_pdb_of_another_build_is_not_used(self) -> None:
        command = self.copied()
        pdb = self.folder / "app" / "lines.pdb"
        content = bytearray(pdb.read_bytes())
        at = content.index(b"#Pdb\0")
        [offset] = struct.unpack_from("<I", content, at - 8)
        content[offset] ^= 1
        pdb.write_bytes(content)
        recording = self.record([*command, "0.02"], "--lines", "-i", "1ms", env=OPTIMIZED)
        cover = self.cover(recording)
        self.assertEqual((cover["sure"], cover["unsure"]), (0, 0), cover)

    def test_formats_and_redaction(self) -> None:
        recording = self.record([*app("lines"), "0.02"], "--lines", "-i", "1ms", env=OPTIMIZED)
        out = self.folder / "out.collapsed"
        self.assertEqual(walkabout("convert", recording.path, out, "--lines").returncode, 0)
        [plain] = hot_lines()["Plain"]
        self.assertIn(f"Lines.Program.Plain(int) (Program.cs:{plain}) ", out.read_text())
        self.assertNotIn("Program.cs", "".join(frame for stack, _ in recording.stacks() for frame in stack))
        pprof = self.folder / "out.pb.gz"
        self.assertEqual(walkabout("convert", recording.path, pprof, "--lines").returncode, 0)
        self.assertIn(b"/Program.cs", gzip.decompress(pprof.read_bytes()))
        redacted = self.folder / "redacted.walk"
        self.assertEqual(walkabout("convert", recording.path, redacted, "--redact").returncode, 0)
        rows = Recording(redacted, recording.run).report("--lines")["lines_self"]
        self.assertEqual({row["file"] for row in rows if row["kind"] == "managed"}, {"Program.cs"})
        self.assertFalse([row["file"] for row in rows if "/" in row["file"]])

    def page(self, recording: Recording, *options: str) -> dict:
        """The facts of the recording's page."""
        out = self.folder / "out.html"
        done = walkabout("convert", recording.path, out, *options)
        self.assertEqual(done.returncode, 0, done)
        data = re.search(r'id="walkabout-data">([^<]*)<', out.read_text())[1]
        payload = zlib.decompress(base64.b64decode(data), -zlib.MAX_WBITS)
        [size] = struct.unpack_from("<I", payload)
        return json.loads(payload[4 : 4 + size])

    def document(self, recording: Recording, *options: str) -> dict:
        [found] = [d for d in self.page(recording, *options)["documents"] if d["path"].endswith("lines/Program.cs")]
        return found

    def test_the_page_has_lines_and_the_text_that_was_compiled(self) -> None:
        recording = self.record([*app("lines"), "0.02"], "--lines", "-i", "1ms", env=OPTIMIZED)
        self.assertNotIn("documents", self.page(recording))
        self.assertEqual(self.document(recording, "--lines")["text"], [], "its text is there only where it is asked for")
        [piece] = self.document(recording, "--source")["text"]
        self.assertEqual((piece["first"], piece["text"]), (1, PROGRAM.read_text()))
        refused = walkabout("convert", recording.path, self.folder / "out.collapsed", "--source")
        self.assertEqual(refused.returncode, 2, refused)
        refused = walkabout("convert", recording.path, self.folder / "out.html", "--source", "--redact")
        self.assertEqual(refused.returncode, 2, refused)
        redacted = self.page(recording, "--lines", "--redact")["documents"]
        self.assertIn("Program.cs", {d["path"] for d in redacted})  # and of native code, where its DWARF is there
        self.assertEqual({("/" in d["path"], d["url"], len(d["text"])) for d in redacted}, {(False, "", 0)})

    def build(self, name: str, *options: str) -> pathlib.Path:
        """The program, compiled from a folder of its own, whose source is then moved away."""
        folder = self.folder / name
        for part in ("lines", "shared"):
            shutil.copytree(SOURCES / part, folder / part, ignore=shutil.ignore_patterns("bin", "obj"))
        shutil.copy(SOURCES / "Directory.Build.props", folder)
        out = folder / "out"
        done = subprocess.run(["dotnet", "build", "--nologo", "-c", "Release", "-o", str(out), *options, str(folder / "lines" / "lines.csproj")],
                              stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=500)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:])
        return out / "lines.dll"

    def test_text_in_a_pdb_and_below_a_folder_and_a_file_that_differs(self) -> None:
        program = self.build("embedding", "-p:DebugType=embedded", "-p:EmbedAllSources=true")
        recording = self.record(["dotnet", str(program), "0.02"], "--lines", "-i", "1ms", env=OPTIMIZED)
        source = self.folder / "embedding" / "lines" / "Program.cs"
        source.write_text(source.read_text() + "// changed since\n")
        [piece] = self.document(recording, "--source")["text"]
        self.assertEqual(piece["text"], PROGRAM.read_text(), "from the PDB")
        program.rename(program.with_name("gone.dll"))
        document = self.document(recording, "--source")
        self.assertEqual((document["text"], document["note"]), ([], "the file differs from the one that was compiled"))
        source.unlink()
        document = self.document(recording, "--source")
        self.assertEqual((document["text"], document["note"]), ([], "it is neither on this machine nor in its PDB"))
        [piece] = self.document(recording, "--source-folder", str(SOURCES))["text"]
        self.assertEqual(piece["text"], PROGRAM.read_text(), "from the folder")

    def test_a_pdb_that_was_changed_is_not_used(self) -> None:
        command = self.copied()
        pdb = self.folder / "app" / "lines.pdb"
        content = bytearray(pdb.read_bytes())
        content[-1] ^= 1
        pdb.write_bytes(content)
        recording = self.record([*command, "0.02"], "--lines", "-i", "1ms", env=OPTIMIZED)
        cover = self.cover(recording)
        self.assertEqual((cover["sure"], cover["unsure"]), (0, 0), cover)

    def test_without_lines_none_are_recorded(self) -> None:
        recording = self.record([*app("lines"), "0.01"], env=OPTIMIZED)
        self.assertEqual(recording.report("--lines")["lines_self"], [])
        done = walkabout("report", recording.path, "--lines")
        self.assertIn("made with --lines", done.stdout)


if __name__ == "__main__":
    main()
