#!/usr/bin/env python3
"""What coverage costs: a test project's CPU time plain, under `walkabout cover`, and with coverlet.msbuild.

  bench/cover.py PROJECT_FOLDER [--rounds N] [--filter EXPRESSION] [--coverlet]

The project must be built. The CPU time is that of `dotnet test --no-build` and all it started, walkabout's own included;
rounds are interleaved, and the ratio is the median of the rounds' ratios. --coverlet: the project refers to
coverlet.msbuild; its rewriting of the assemblies is counted. Figures in docs/overhead.md are of Newtonsoft.Json 6.0.8's
sources and tests, from Debian's source package, compiled for .NET 10.
"""
import argparse
import ctypes
import os
import pathlib
import statistics
import subprocess
import tempfile

from common import CLI, clean_environment, fail, figure, note


PR_SET_CHILD_SUBREAPER = 36


def cpu_seconds(command: list, folder: pathlib.Path) -> tuple[float, str]:
    """Of it and all it started, and what it said of its tests."""
    before = os.times()
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True, check=False,
                          stdin=subprocess.DEVNULL, env=clean_environment(MSBUILDDISABLENODEREUSE="1"))
    while True:  # what its parent has not waited for, it is ours
        try:
            os.wait()
        except ChildProcessError:
            break
    after = os.times()
    said = [line for line in done.stdout.splitlines() if "Total:" in line]
    if not said:
        fail(f"exit code {done.returncode}, no test ran:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    seconds = after.children_user + after.children_system - before.children_user - before.children_system
    return seconds, said[-1].split("Duration")[0].strip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("project", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--filter", default="")
    parser.add_argument("--coverlet", action="store_true")
    parser.add_argument("--cover-options", default="", help="of walkabout cover")
    options = parser.parse_args()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    test = ["dotnet", "test", "--no-build"] + (["--filter", options.filter] if options.filter else [])
    with tempfile.TemporaryDirectory() as folder:
        ways = {"plain": test,
                "cover": [CLI, "cover", "-q", "-o", f"{folder}/out.info", *options.cover_options.split(), "--", *test]}
        if options.coverlet:
            ways["coverlet"] = test + ["-p:CollectCoverage=true", f"-p:CoverletOutput={folder}/coverlet.json"]
        taken: dict[str, list[float]] = {way: [] for way in ways}
        results = set()
        for number in range(options.rounds):
            for way, command in ways.items():
                seconds, said = cpu_seconds(command, options.project)
                taken[way].append(seconds)
                results.add(said)
            note(f"round {number + 1}: " + ", ".join(f"{way} {taken[way][-1]:.2f} s" for way in ways))
    if len(results) != 1:
        note(f"the tests' results differ: {sorted(results)}")
    figure("plain", statistics.median(taken["plain"]), "s")
    for way in list(ways)[1:]:
        figure(f"{way}_ratio", statistics.median(a / b for a, b in zip(taken[way], taken["plain"])), "x")


main()
