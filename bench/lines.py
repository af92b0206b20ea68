#!/usr/bin/env python3
"""How often the line of a generated method's only hot statement is told, and how sure: each statement of METHODS methods in turn.

  lines.py [METHODS] [MILLISECONDS] [net8.0 | net9.0 | net10.0]   default 200, and 20 of the processor's time for each statement, .NET 10;
                                                                  in three kinds of code

right: this line, said to be certain. unsure: one of some, this among them. wrong: another line, said to be certain; elsewhere: other
lines, said to be unsure. The light statements and the loop are in both. none: no line. The weight is that of samples with the
method on their stack, at the line it is in.

hot: of that weight what is the hot statement's for certain: in its chain of divisions, as the machine code has it, or in a call of what
is hot (x64; see lines_code.py). hot_right and so on: of that alone, where no other line is right.
"""
import collections
import os
import pathlib
import re
import sys

from common import BUILD, ROOT, figure, note, record, run, workplace
from lines_code import image, in_chain, jitted
from lines_program import program

# Of the machine's .NET; of others the program has the runtime with it. Their ready-to-run code is not measured.
TIERS = {
    "tier_0": ("framework", {"DOTNET_TC_CallCounting": "0", "DOTNET_TC_OnStackReplacement": "0", "DOTNET_TieredPGO": "0", "DOTNET_ReadyToRun": "0"}),
    "optimized": ("framework", {"DOTNET_TieredCompilation": "0"}),
    "ready_to_run": ("readytorun", {"DOTNET_TieredCompilation": "0"}),
}
KINDS = ("right", "unsure", "wrong", "elsewhere", "none")
HEAVY = {"Heavy", "HeavyInlined"}  # what a hot statement calls


class Shares:
    """By method, nanoseconds by how its line is told: of all, and of what is the hot statement's for certain."""

    def __init__(self, recording: pathlib.Path, hot: dict[str, int], listing: pathlib.Path, program_file: pathlib.Path) -> None:
        self.all: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        self.hot: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        codes, precompiled = jitted(listing), image(program_file)
        for row in run([BUILD / "bin" / "line_places", recording, "M"]).splitlines():
            method, code, at, callee, ns, sure, lines = row.split("\t")
            if method not in hot:
                continue
            kind = "none"
            if lines:
                right = hot[method] in map(int, lines.split())
                kind = ("right" if sure == "sure" else "unsure") if right else "wrong" if sure == "sure" else "elsewhere"
            self.all[method][kind] += int(ns)
            machine_code = codes.get(method, b"") if code == "jitted" else precompiled
            if callee in HEAVY or callee == "-" and in_chain(machine_code, int(at)):
                self.hot[method][kind] += int(ns)


def print_shares(tier: str, shares: Shares, hot: dict[str, int]) -> None:
    everything, of_hot = (sum(found.values(), collections.Counter()) for found in (shares.all, shares.hot))
    figure(f"lines_{tier}_methods", len(shares.all), "count")
    for kind in KINDS:
        figure(f"lines_{tier}_{kind}", 100 * everything[kind] / sum(everything.values()), "percent")
    figure(f"lines_{tier}_hot", 100 * sum(of_hot.values()) / sum(everything.values()), "percent")
    for kind in KINDS:
        figure(f"lines_{tier}_hot_{kind}", 100 * of_hot[kind] / sum(of_hot.values()), "percent")
    worst = sorted(shares.all.items(), key=lambda one: one[1]["right"] / sum(one[1].values()))[:40]
    for mark, kinds in worst if "DETAILS" in os.environ else []:
        note(f"{tier} {mark} line {hot[mark]}: {dict(kinds)}, hot: {dict(shares.hot[mark])}")


def record_with_code(path: pathlib.Path, listing: pathlib.Path, command: list, environment: dict[str, str]) -> None:
    """The recording, and what the compiler prints of the methods' code."""
    listing.unlink(missing_ok=True)
    said = environment | {"DOTNET_JitDisasm": "M*", "DOTNET_JitDisasmWithCodeBytes": "1", "DOTNET_JitStdOutFile": str(listing)}
    os.environ.update(said)
    record(path, "1ms", command, "--lines")
    for variable in said:
        del os.environ[variable]


def main() -> None:
    methods = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = (float(sys.argv[2]) if len(sys.argv) > 2 else 20) / 1000
    version = sys.argv[3] if len(sys.argv) > 3 else "net10.0"
    own = version != "net10.0"
    with workplace() as name:
        folder = pathlib.Path(name)
        text = program(methods)
        hot = {mark[1]: number for number, line in enumerate(text.splitlines(), 1) if (mark := re.search(r"// HOT (\w+)", line))}
        figure("lines_statements", len(hot), "count")
        apps = folder / "apps"
        (apps / "generated").mkdir(parents=True)
        for shared in ("shared", "Directory.Build.props", "programs.proj", "build.sh"):
            (apps / shared).symlink_to(ROOT / "tests" / "apps" / shared)
        (apps / "generated" / "generated.csproj").write_text('<Project Sdk="Microsoft.NET.Sdk" />\n')
        (apps / "generated" / "Program.cs").write_text(text)
        path, listing = folder / "out.walk", folder / "code.txt"
        for tier, (mode, environment) in TIERS.items():
            if own and mode != "framework":
                continue
            built = run([apps / "build.sh", "generated", version, "selfcontained" if own else mode, folder / "built"]).strip()
            record_with_code(path, listing, [*([] if own else ["dotnet"]), built, str(seconds)], environment)
            print_shares(tier, Shares(path, hot, listing, pathlib.Path(built).with_suffix(".dll")), hot)


if __name__ == "__main__":
    main()
