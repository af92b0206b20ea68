#!/usr/bin/env python3
"""`walkabout cover --test-map`: in which test each line of a library runs, against what the library says of its lines
(tests/testmap/shop), with tests of four frameworks that run in parallel; and which tests a change concerns."""
import functools
import json
import pathlib
import re
import subprocess
import unittest

from harness import BUILD, SOURCES, Done, EndToEnd, app, clean_environment, execute, main, walkabout

TESTS = SOURCES.parent / "testmap"
SHOP = TESTS / "shop" / "Shop.cs"
FRAMEWORKS = ("in_xunit", "in_xunit3", "in_nunit", "in_mstest")
OUT = BUILD / "testmap"
TEST_COUNT = 10  # a theory's two rows are one
OF_ORDERS = 8


@functools.cache
def built(framework: str) -> pathlib.Path:
    made = subprocess.run(["dotnet", "build", "-nologo", "-v", "quiet", "-nodeReuse:false", f"-p:WalkaboutTests={OUT}",
                           "-p:UseSharedCompilation=false", TESTS / framework], capture_output=True, text=True, check=False,
                          env=clean_environment(), stdin=subprocess.DEVNULL)
    if made.returncode != 0:
        raise AssertionError(f"{framework} does not build:\n{made.stdout[-3000:]}{made.stderr}")
    return OUT / framework / f"{framework}.dll"


def command(framework: str) -> list:
    test = built(framework)
    return ["dotnet", test] if framework == "in_xunit3" else ["dotnet", "test", test]


def line_with(text: str) -> int:
    return next(number for number, line in enumerate(SHOP.read_text().splitlines(), 1) if text in line)


class TestMap(EndToEnd):
    def map_of(self, framework: str, expect: int = 0, **environment: str) -> Done:
        done = walkabout("cover", "-o", self.folder / "out.cover", "--test-map", self.folder / "tests.json", "--",
                         *command(framework), env=clean_environment(**environment))
        self.assertEqual(done.returncode, expect, done)
        return done

    def whole(self) -> dict:
        return json.loads((self.folder / "tests.json").read_text())

    def ask(self, *options: str, expect: int = 0) -> Done:
        done = walkabout("cover", "--test-map", self.folder / "tests.json", *options)
        self.assertEqual(done.returncode, expect, done)
        return done

    def differences(self, whole: dict) -> list[str]:
        names = [test["name"].removeprefix("Shop.Tests.") or "?" for test in whole["tests"]]
        lines = whole["files"][str(SHOP)]["lines"]
        wrong = []
        for number, text in enumerate(SHOP.read_text().splitlines(), 1):
            mark = re.search(r"// in: (.*)$", text)
            if mark is None:
                continue
            wanted = sorted(mark[1].replace("-", "").split())
            found = sorted(names[flow] for flow in lines[str(number)])
            if wanted != found:
                wrong.append(f"{number}: {text.strip()}: {found}")
        return wrong

    def test_each_line_is_of_its_tests(self) -> None:
        for framework in FRAMEWORKS:
            with self.subTest(framework=framework):
                done = self.map_of(framework)
                whole = self.whole()
                self.assertEqual(self.differences(whole), [])
                self.assertEqual(whole["lost"], 0)
                self.assertEqual(sum(test["kind"] == "test" for test in whole["tests"]), TEST_COUNT)
                self.assertIn(f"{TEST_COUNT} tests", done.stderr)

    def test_both_directions_say_the_same(self) -> None:
        self.map_of("in_xunit")
        whole = self.whole()
        for index, test in enumerate(whole["tests"]):
            for path, ranges in test["reaches"].items():
                lines = set()
                for one in ranges.split(","):
                    first, _, last = one.partition("-")
                    lines |= set(range(int(first), int(last or first) + 1))
                self.assertEqual(lines, {int(line) for line, flows in whole["files"][path]["lines"].items() if index in flows})

    def test_what_tests_say_and_how_they_end_stays(self) -> None:
        """A test that fails: the same exit code, message and stack."""
        said = []
        for run in (execute(*command("in_xunit"), env=clean_environment(SHOP_FAILS="1")), self.map_of("in_xunit", expect=1, SHOP_FAILS="1")):
            self.assertEqual(run.returncode, 1, run)
            said.append([line for line in run.stdout.splitlines() if "   at " in line or "as asked" in line])
        self.assertTrue(said[0])
        self.assertEqual(said[0], said[1])

    def test_tests_that_reach_a_change(self) -> None:
        self.map_of("in_xunit")
        asked = self.ask("--tests-of", f"Shop.cs:{line_with('sum++; // in')}")
        self.assertEqual(asked.stdout, "Shop.Tests.First.Loops\n")
        first = line_with("int sum = 0;")
        asked = self.ask("--tests-of", f"shop/Shop.cs:{first}-{first + 1}", "--tests-of", f"Shop.cs:{line_with('return x + 1;')}")
        self.assertEqual(asked.stdout.split(), ["Shop.Tests.First.Loops", "Shop.Tests.OrderTests.Sync", "Shop.Tests.Second.Loops"])
        asked = self.ask("--tests-of", f"Shop.cs:{line_with('set up')}")
        self.assertEqual(len(asked.stdout.split()), OF_ORDERS, "all of the class: its constructor needs it")
        asked = self.ask("--tests-of", f"Shop.cs:{line_with('Calls++; // in: -')}")
        self.assertEqual(asked.stdout, "")
        self.assertIn("nothing is known that reaches it", asked.stderr)
        asked = self.ask("--tests-of", f"Shop.cs:{line_with('Calls++; // in: ?')}")
        self.assertIn("where no test is known", asked.stderr)

    def test_tests_that_reach_a_diff(self) -> None:
        self.map_of("in_xunit")
        changed = self.folder / "Shop.cs"
        text = SHOP.read_text().replace("return y * 2;", "return y + y;").replace("return 1; //", "\n            return 1; //")
        changed.write_text("// a line more\n" + text)
        diff = execute("git", "diff", "--no-index", "--no-prefix", SHOP, changed).stdout
        (self.folder / "change.diff").write_text(diff)
        asked = self.ask("--tests-of-diff", str(self.folder / "change.diff"))
        self.assertEqual(asked.stdout.split(), ["Shop.Tests.OrderTests.Async", "Shop.Tests.OrderTests.Rows", "Shop.Tests.OrderTests.Sync"],
                         "the line that is replaced, the lines around what is put in, and the first code of the file")

    def test_wrong_questions(self) -> None:
        (self.folder / "tests.json").write_text("{}")
        self.assertIn("damaged", self.ask("--tests-of", "A.cs:1", expect=1).stderr)
        (self.folder / "tests.json").write_text('{"walkabout_tests":1,"lost":0,"tests":[],"files":{}}')
        self.assertIn("no place", self.ask("--tests-of", "A.cs", expect=2).stderr)
        self.assertIn("no source that the map has", self.ask("--tests-of", "A.cs:1", expect=1).stderr)
        (self.folder / "no.diff").write_text("hello\n")
        self.assertIn("no unified diff", self.ask("--tests-of-diff", str(self.folder / "no.diff"), expect=2).stderr)
        for options in (["--tests-of", "A.cs:1"], ["--test-map", "x.json"], ["--test-map", "x.json", "--hits", "--", "true"],
                        ["--test-map", "/nowhere/x.json", "--", "true"]):
            self.assertEqual(walkabout("cover", *options).returncode, 2, options)
        done = walkabout("cover", "-o", self.folder / "o.cover", "--test-map", self.folder / "m.json", "--", *app("covered"))
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("no test was seen", done.stderr)


if __name__ == "__main__":
    main()
