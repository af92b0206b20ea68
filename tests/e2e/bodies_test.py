#!/usr/bin/env python3
"""Bodies of methods: read and written back, and rewritten ones that a runtime compiles and runs."""
from bodies import NEVER_LEFT, REFUSED, check_bodies, libraries, run_plain, run_rewritten, shared_framework
from harness import BUILD, EndToEnd, app, execute, main

SOME = ("Dapper", "Mono.Cecil", "Newtonsoft.Json", "Serilog")
SOME_METHODS = 9000  # of these


class Bodies(EndToEnd):
    def check(self, files: list, least: int) -> dict:
        found = check_bodies(files)
        print(found, flush=True)
        self.assertEqual((found["not_read"], found["wrong"]), ({}, 0), found["shown"])
        self.assertEqual(found["equal"], found["bodies"])
        self.assertEqual(found["counted"], found["bodies"])
        self.assertGreater(found["bodies"], least)
        return found

    def test_the_frameworks(self) -> None:
        found = self.check(shared_framework(), 100_000)
        self.assertEqual(found["wrapped"] + sum(found["not_wrapped"].values()), found["bodies"])
        self.assertLess(found["bodies"] - found["wrapped"], 100)

    def test_libraries(self) -> None:
        found = self.check(libraries(), 40_000)
        self.assertEqual(found["wrapped"], found["bodies"])
        self.assertGreater(found["tail_calls"], 1000)  # F#'s

    def test_instructions_are_the_runtimes(self) -> None:
        known = execute(BUILD / "bin" / "check_bodies", "--opcodes").stdout.splitlines()
        runtimes = execute(*app("prepare"), "--opcodes").stdout.splitlines()
        self.assertGreater(len(runtimes), 200)
        self.assertEqual([line for line in known if line != "fe19 no. 1 prefix"], runtimes)  # which it does not have

    def test_rewritten_libraries_are_compiled(self) -> None:
        command = app("prepare") + libraries(SOME)
        plain = run_plain(command)
        self.assertIn("compiled", plain.stdout)
        self.assertNotIn(REFUSED, plain.stdout)
        for mode, tiered in (("count", "1"), ("both", "0")):
            with self.subTest(mode=mode):
                found = run_rewritten(command, mode, self.folder / f"{mode}.json", DOTNET_TieredCompilation=tiered)
                self.assertEqual((found.done.returncode, found.done.stdout), (0, plain.stdout), found.done)
                print(mode, found.report, flush=True)
                self.assertGreater(found.report["rewritten"], SOME_METHODS)
                self.assertEqual(found.report["refused_by_runtime"], 0)
                self.assertLessEqual(set(found.report["not_left"]), NEVER_LEFT)

    def test_what_is_wrong_is_refused(self) -> None:
        name = "Serilog"
        found = run_rewritten(app("prepare") + libraries((name,)), "broken", self.folder / "broken.json", REWRITE_ONLY=f"/{name}.dll")
        refused = found.done.stdout.count(REFUSED)
        self.assertGreater(refused, 0.9 * found.report["rewritten"], found.done)

    def test_programs_run_as_before(self) -> None:
        for command in (app("names") + ["1"], app("fsnames") + ["1"], app("generics") + ["1"], app("exitcode") + ["7"]):
            with self.subTest(command=command):
                plain = run_plain(command)
                for mode in ("wrap", "both"):
                    found = run_rewritten(command, mode, self.folder / "report.json")
                    self.assertEqual((found.done.returncode, found.done.stderr), (plain.returncode, plain.stderr), found.done)
                    self.assertEqual(found.report["refused_by_runtime"], 0)
                    self.assertGreater(found.report["rewritten"], 500)


if __name__ == "__main__":
    main()
