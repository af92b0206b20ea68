#!/usr/bin/env python3
"""Every body of the shared frameworks of .NET 8, 9 and 10 and of eleven libraries, rewritten in every way and compiled.

  all_bodies.py [NAME…]

For each: what `prepare` says of the plain and of the rewritten methods is the same, the runtime refuses none, and each call that
was counted when it began was counted when it ended. Prints a row for each. `./dev soak` runs it.
"""
import pathlib
import sys
import tempfile

from bodies import NEVER_LEFT, REFUSED, libraries, run_plain, run_rewritten, shared_framework
from harness import app

MODES = (("count", "1"), ("wrap", "1"), ("both", "0"))  # and whether tiers are used; without, all is optimized


def programs() -> dict[str, list]:
    return {".NET 10": app("prepare") + shared_framework(), ".NET 9": app("prepare", "net9.0", "selfcontained"),
            ".NET 8": app("prepare", "net8.0", "selfcontained"), "libraries": app("prepare") + libraries()}


def check(name: str, command: list, folder: pathlib.Path) -> list[str]:
    """What is wrong."""
    wrong = []
    plain = run_plain(command)
    print(f"{name}: {' '.join(plain.stdout.split()[:2])}", flush=True)
    if plain.returncode != 0 or REFUSED in plain.stdout:
        wrong.append(f"{name}: {plain}")
    for mode, tiered in MODES:
        found = run_rewritten(command, mode, folder / "report.json", DOTNET_TieredCompilation=tiered)
        report = found.report
        print(f"{name}, {mode}{'' if tiered == '1' else ', optimized'}: {report}", flush=True)
        if (found.done.returncode, found.done.stdout) != (0, plain.stdout):
            wrong.append(f"{name}, {mode}: {found.done}")
        elif report["refused_by_runtime"] or report["without_places"] or set(report["not_left"]) - NEVER_LEFT:
            wrong.append(f"{name}, {mode}: {report}")
    return wrong


def main() -> None:
    chosen = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        wrong = [line for name, command in programs().items() if not chosen or name in chosen
                 for line in check(name, command, pathlib.Path(folder))]
    for line in wrong:
        print(line)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
