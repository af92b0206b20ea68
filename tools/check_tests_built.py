#!/usr/bin/env python3
"""Every test on disk is one that runs.    check_tests_built.py ROOT BUILD [--windows]

A *_test.cc must be compiled (compile_commands.json of BUILD), a *_test.py must stand in a command of ctest.
"""
import json
import pathlib
import subprocess
import sys

from compile_commands import each_source
from tree import files, finish


def ctest_commands(build: pathlib.Path) -> str:
    listing = subprocess.check_output(["ctest", "--test-dir", str(build), "--show-only=json-v1"], text=True)
    commands = [" ".join(test.get("command", [])) for test in json.loads(listing)["tests"]]
    return "\n".join(commands)


def problems(root: pathlib.Path, compiled: set[pathlib.Path], commands: str, windows: bool = False) -> list[str]:
    """windows: of a build for Windows, which has all tests in folders of that name; other builds have the others."""
    def wanted(path: pathlib.Path) -> bool:
        return ("windows" in path.relative_to(root).parts) == windows

    found = [f"{path.relative_to(root)}: is in no test program" for path in files(root, ".cc")
             if path.name.endswith("_test.cc") and wanted(path) and path not in compiled]
    found += [f"{path.relative_to(root)}: no test of ctest runs it" for path in files(root, ".py")
              if path.name.endswith("_test.py") and wanted(path) and path.name not in commands
              and path.stem not in commands]
    return found


def main() -> None:
    root, build = (pathlib.Path(argument).resolve() for argument in sys.argv[1:3])
    windows = sys.argv[3:] == ["--windows"]
    compiled = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve() for entry in each_source(build)}
    finish(problems(root, compiled, ctest_commands(build), windows), "tests that run")


if __name__ == "__main__":
    main()
