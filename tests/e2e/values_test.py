#!/usr/bin/env python3
"""Arguments and results of calls of all kinds of methods read as they are: a profiler takes them (tests/values), the program says what they
are (tests/apps/values)."""
import collections
import json
import pathlib
import tempfile
import unittest

from harness import BUILD, app, clean_environment, finish, start

CLSID = "{0C9E6F0B-8B0B-4E64-9E0F-5A3C0D7A6B11}"
PROFILER = BUILD / "values_profiler" / "libvalues.so"
LEAST = 279  # calls


def run(tfm: str, hide: str = "*password*", **extra: str) -> tuple[list, list]:
    """What the program said of its calls, and what was taken of them."""
    program = app("values", tfm, "framework" if tfm == "net10.0" else "selfcontained")
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "values.jsonl"
        done = finish(start(program, env=clean_environment(
            CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER=CLSID, CORECLR_PROFILER_PATH=str(PROFILER), VALUES_ONLY="/values.dll",
            VALUES_HIDE=hide, VALUES_REPORT=str(report), **extra)), 300)
        assert done.returncode == 0, done
        lines = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    return done.stdout.splitlines(), lines


def said_as(call: dict) -> str:
    parts = [call["method"].removeprefix("Signatures."), *(f"{name}={text}" for name, _, text, _ in call["arguments"])]
    return "|".join(parts + [f"={text}" for _, _, text, _ in call["result"]])


class Values(unittest.TestCase):
    def check(self, tfm: str, **extra: str) -> None:
        said, taken = run(tfm, **extra)
        self.assertGreaterEqual(len(said), LEAST)
        self.assertEqual(taken[-1]["problems"], [])
        self.assertEqual(collections.Counter(said) - collections.Counter(said_as(call) for call in taken[:-1]), collections.Counter())

    def test_all_signatures(self) -> None:
        for tfm in ("net8.0", "net9.0", "net10.0"):
            with self.subTest(tfm):
                self.check(tfm)

    def test_optimized_code(self) -> None:
        self.check("net10.0", DOTNET_TieredCompilation="0")

    def test_collections_all_the_time(self) -> None:
        self.check("net10.0", DOTNET_GCgen0size="40000")

    def test_types_of_objects_and_what_is_cut(self) -> None:
        _, taken = run("net10.0")
        values = {(call["method"], name): (kind, text, cut) for call in taken[:-1] for name, kind, text, cut in call["arguments"]}
        self.assertEqual(values["Dog.Speak", "this"], ("Dog", "Dog", False))
        self.assertEqual(values["Signatures.Find", "all"], ("int[]", "int[2]", False))
        self.assertEqual(values["Signatures.TryGet", "value"], ("ref int", "5", False))
        long_texts = [one for one in values.values() if one[1].startswith('"xxx')]
        self.assertTrue(long_texts)
        for _, text, cut in long_texts:
            self.assertEqual((text, cut), ('"' + "x" * 64 + '"…', True))

    def test_what_is_hidden(self) -> None:
        """By the parameter's name, its type, a field's name, and all of a method."""
        _, taken = run("net10.0", hide="password\nPoint\nOwner\nSignatures.Same")
        shown = "\n".join(said_as(call) for call in taken[:-1])
        self.assertIn('Login|user="anna"|password=[redacted]|attempts=3', shown)
        self.assertIn("Account.Add|this={ Id = 1, Owner = [redacted] }|amount=4|=5", shown)
        self.assertIn("Same|value=[redacted]|=[redacted]", shown)
        self.assertIn("|a0=[redacted]", shown)
        self.assertNotIn("secret", shown)


if __name__ == "__main__":
    unittest.main()
