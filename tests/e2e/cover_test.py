#!/usr/bin/env python3
"""`walkabout cover`: which lines and arms ran, against a program that says it of each of its lines (tests/apps/covered)."""
import json
import pathlib
import re
import shutil
import unittest
import xml.etree.ElementTree

from harness import CLI, SOURCES, Done, EndToEnd, app, clean_environment, execute, finish, main, start, walkabout

PROGRAM = SOURCES / "covered" / "Program.cs"
MARK = re.compile(r"// (runs|never|absent)(?: with (\w+))?(?: arms (\d+)/(\d+))?$")
ENDS = {"": 0, "exit": 3, "failfast": 134, "kill": 137, "code": 7}


class File:
    """Of a .cover file: the hits of each line, and of each arm by its line."""

    def __init__(self, path: pathlib.Path, name: str = "covered/Program.cs") -> None:
        whole = json.loads(path.read_text())
        found = [file for module in whole["modules"].values() for source, file in module["files"].items() if source.endswith(name)]
        assert len(found) == 1, f"{name} in {path}: {len(found)} times"
        self.lines = {number: hits for number, hits, _ in found[0]["lines"]}
        self.methods = {number: found[0]["methods"][method] for number, _, method in found[0]["lines"]}
        self.arms: dict[int, list[int]] = {}
        for line, _, _, hits, _ in found[0]["arms"]:
            self.arms.setdefault(line, []).append(hits)

    def differences(self, *ends: str) -> list[str]:
        """From what the program says of itself where it ended so."""
        wrong = []
        for number, text in enumerate(PROGRAM.read_text().splitlines(), 1):
            mark = MARK.search(text)
            if mark is None:
                continue
            wanted, end, taken, arms = mark.groups()
            if end is not None:
                wanted = "runs" if end in ends else "never"
            hits = self.lines.get(number)
            is_now = "absent" if hits is None else "runs" if hits else "never"
            counted = self.arms.get(number, [])
            if is_now != wanted:
                wrong.append(f"{number}: {text.strip()}: {is_now}")
            if arms is not None and (sum(map(bool, counted)), len(counted)) != (int(taken), int(arms)):
                wrong.append(f"{number}: {text.strip()}: {counted}")
        return wrong


def line_of(text: str) -> int:
    return next(number for number, line in enumerate(PROGRAM.read_text().splitlines(), 1) if text in line)


class Cover(EndToEnd):
    def cover(self, command: list, *options: str, expect: int = 0, **environment: str) -> Done:
        done = walkabout("cover", "-o", self.folder / "out.cover", *options, "--", *command, env=clean_environment(**environment))
        self.assertEqual(done.returncode, expect, done)
        return done

    def covered(self) -> File:
        return File(self.folder / "out.cover")

    def test_each_line_and_arm_however_it_ends(self) -> None:
        for end, code in ENDS.items():
            with self.subTest(end=end):
                arguments = [end, "7"] if end == "code" else [end]
                done = self.cover([*app("covered"), *arguments], expect=code)
                self.assertIn("sum 100121", done.stdout)
                self.assertEqual(self.covered().differences(end), [])

    def test_the_same_on_each_runtime_and_without_tiers(self) -> None:
        for tfm in ("net8.0", "net9.0"):
            with self.subTest(tfm=tfm):
                self.cover(app("covered", tfm, "selfcontained"))
                self.assertEqual(self.covered().differences(), [])
        for name, value in (("DOTNET_TieredCompilation", "0"), ("DOTNET_TieredPGO", "0"), ("DOTNET_TC_BackgroundWorkerTimeoutMs", "0"),
                            ("DOTNET_TC_CallCountThreshold", "2"), ("DOTNET_ReadyToRun", "0")):
            with self.subTest(setting=name):
                self.cover(app("covered"), **{name: value})
                self.assertEqual(self.covered().differences(), [])

    def test_code_compiled_before_is_compiled_again(self) -> None:
        self.cover(app("covered", "net10.0", "readytorun"))
        self.assertEqual(self.covered().differences(), [])

    def test_processes_below_add_up(self) -> None:
        self.cover([*app("covered"), "child"])
        self.assertEqual(self.covered().differences("child", "exit"), [])

    def test_assemblies_that_are_unloaded(self) -> None:
        """More loads than a process may have modules: a load again of what was unloaded goes on with its counts."""
        done = self.cover([*app("covered"), "unload"])
        self.assertNotIn("not covered", done.stderr)
        self.assertEqual(self.covered().differences("unload"), [])

    def test_sources_that_have_changed(self) -> None:
        self.cover(app("covered"))
        whole = json.loads((self.folder / "out.cover").read_text())
        source = self.folder / "Changed.cs"
        source.write_text("class Changed { }\n")
        files = whole["modules"]["covered"]["files"]
        files[str(source)] = files.pop(str(PROGRAM))
        (self.folder / "moved.cover").write_text(json.dumps(whole))
        done = walkabout("cover", "--merge", self.folder / "moved.cover", "-o", self.folder / "out.html")
        self.assertEqual(done.returncode, 0, done)
        self.assertIn(f"{source} has changed since it was compiled", done.stderr)
        files[str(PROGRAM)] = dict(files.pop(str(source)), checksum="sha256:00")
        (self.folder / "other.cover").write_text(json.dumps(whole))
        done = walkabout("cover", "--merge", self.folder / "out.cover", "--merge", self.folder / "other.cover", "-o", self.folder / "all.cover")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("was another text", done.stderr)

    def test_made_up_code_is_its_methods(self) -> None:
        self.cover(app("covered"))
        methods = self.covered().methods
        for text, method in (("await Task.Delay(1); // runs", "Later"), ("yield return i; // runs", "Numbers"),
                             ("return x * 2; // runs", "Lambdas"), ("return x + 1; // runs", "Lambdas"), ("yield return 2; // runs", "Stream")):
            self.assertEqual(methods[line_of(text)][:2], ["Covered.Statements", method], text)

    def test_hits_are_how_often(self) -> None:
        self.cover(app("covered"), "--hits")
        lines = self.covered().lines
        self.assertEqual(self.covered().differences(), [])
        self.assertEqual(lines[line_of("sum += Statements.Inlined(i) & 1; // runs")], 200_000)
        self.assertEqual(lines[line_of("return x; // runs")], 200_010)
        self.assertEqual(lines[line_of("for (int i = 0; i < n; i++) // runs arms 2/2")], 1 + 4 + 3)

    def test_runs_are_merged(self) -> None:
        self.cover([*app("covered"), "exit"], expect=3)
        (self.folder / "out.cover").rename(self.folder / "first.cover")
        self.cover([*app("covered"), "code", "0"], "--merge", str(self.folder / "first.cover"))
        self.assertEqual(self.covered().differences("exit", "code"), [])
        done = walkabout("cover", "--merge", self.folder / "first.cover", "--merge", self.folder / "out.cover", "-o", self.folder / "all.cover")
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(File(self.folder / "all.cover").differences("exit", "code"), [])
        (self.folder / "broken.cover").write_text("{}")
        done = walkabout("cover", "--merge", self.folder / "broken.cover", "-o", self.folder / "all.cover")
        self.assertEqual(done.returncode, 1, done)

    def test_too_few_lines(self) -> None:
        self.cover(app("covered"), "--fail-under", "20")
        done = self.cover(app("covered"), "--fail-under", "99.5", expect=3)
        self.assertIn("--fail-under", done.stderr)
        self.cover([*app("covered"), "code", "9"], "--fail-under", "99.5", expect=9)
        self.cover(app("covered"), "--fail-under", "lots", expect=2)

    def test_what_is_covered_is_chosen(self) -> None:
        self.cover(app("covered"), "--include", "cov*")
        self.assertEqual(self.covered().differences(), [])
        done = self.cover(app("covered"), "--exclude", "cov*", expect=1)
        self.assertIn("nothing was covered", done.stderr)
        self.assertIn("sum 100121", done.stdout)
        self.cover(app("covered"), "--exclude", "*/shared/*")
        self.assertEqual(self.covered().differences(), [])
        self.assertNotIn("Spin.cs", (self.folder / "out.cover").read_text())
        self.cover(app("covered"), "--include", "*/Spin.cs")
        self.assertNotIn("Program.cs", (self.folder / "out.cover").read_text())

    def test_formats(self) -> None:
        self.cover(app("covered"), "-o", str(self.folder / "out.xml"), "-o", str(self.folder / "out.info"), "-o", str(self.folder / "out.html"))
        lines = self.covered().lines
        root = xml.etree.ElementTree.parse(self.folder / "out.xml").getroot()
        source = pathlib.Path(root.find("sources/source").text)
        in_xml = {int(line.get("number")): int(line.get("hits")) for c in root.iter("class") if source / c.get("filename") == PROGRAM
                  for line in c.findall("lines/line")}
        self.assertEqual(in_xml, lines)
        records = (self.folder / "out.info").read_text().split("end_of_record\n")
        record = next(text for text in records if f"SF:{PROGRAM}\n" in text)
        self.assertEqual({int(n): int(h) for n, h in re.findall(r"^DA:(\d+),(\d+)$", record, re.MULTILINE)}, lines)
        page = (self.folder / "out.html").read_text()
        self.assertEqual(page.count('<span class="never">'), sum(hits == 0 for file in self.all_files() for hits in file))

    def all_files(self) -> list[list[int]]:
        whole = json.loads((self.folder / "out.cover").read_text())
        return [[hits for _, hits, _ in file["lines"]] for module in whole["modules"].values() for file in module["files"].values()]

    @unittest.skipUnless(shutil.which("lcov"), "lcov is not installed")
    def test_lcov_and_genhtml_read_it(self) -> None:
        self.cover(app("covered"), "-o", str(self.folder / "out.info"))
        done = execute("lcov", "--rc", "lcov_branch_coverage=1", "--summary", self.folder / "out.info")
        self.assertEqual(done.returncode, 0, done)
        files = self.all_files()
        hit, all_lines = sum(h > 0 for file in files for h in file), sum(map(len, files))
        self.assertIn(f"({hit} of {all_lines} lines)", done.stdout + done.stderr)
        done = execute("genhtml", "--branch-coverage", "-o", self.folder / "html", self.folder / "out.info")
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue((self.folder / "html" / "index.html").exists())

    def test_stack_traces_have_their_lines(self) -> None:
        """Bodies with probes lie elsewhere: the runtime is told where their old places are."""
        command = [*app("covered"), "trace"]
        self.assertEqual(self.cover(command).stdout, execute(*command).stdout)

    def test_nothing_is_left(self) -> None:
        temporary = self.folder / "tmp"
        temporary.mkdir()
        self.cover(app("covered"), TMPDIR=str(temporary), XDG_RUNTIME_DIR="")
        self.assertEqual(list(temporary.glob("walkabout*")), [])

    def test_no_room_for_counts(self) -> None:
        """The program goes on, and is said not to be covered."""
        limited = ["bash", "-c", 'ulimit -f 1; exec "$@"', "bash", *app("covered")]
        done = finish(start([CLI, "cover", "-o", self.folder / "out.cover", "--", *limited],
                            env=clean_environment(DOTNET_EnableWriteXorExecute="0")))
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("sum 100121", done.stdout)
        self.assertIn("not covering this process", done.stderr)
        self.assertIn("not covered: 1 process", done.stderr)

    def test_wrong_options(self) -> None:
        for options, sentence in ((["-o", "out.walk", "--", "true"], "suffixes"), ([], "--"), (["--include", "a;b", "--", "true"], "no ';'"),
                                  (["-o", "/nowhere/out.html", "--", "true"], "cannot write")):
            done = walkabout("cover", *options)
            self.assertEqual(done.returncode, 2, done)
            self.assertIn(sentence, done.stderr)
        self.assertEqual(walkabout("cover", "--", "no-such-command").returncode, 127)
        another = clean_environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER="{cf0d821e-299b-5307-a3d8-b283c03916dd}")
        done = walkabout("cover", "--", "true", env=another)
        self.assertEqual(done.returncode, 2, done)
        self.assertIn("already has a profiler", done.stderr)


if __name__ == "__main__":
    main()
