#!/usr/bin/env python3
"""How often the line of a generated method's only hot statement is told, and how sure: each statement of METHODS methods in turn.

  lines.py [METHODS] [MILLISECONDS] [net8.0 | net9.0 | net10.0]   default 200, and 20 of the processor's time for each statement, .NET 10;
                                                                  in three kinds of code

right: this line, said to be certain. unsure: one of some, this among them. wrong: another line, said to be certain; elsewhere: other
lines, said to be unsure. The light statements and the loop are in both. none: no line. The weight is that of samples with the
method on their stack, at the line it is in.
"""
import collections
import json
import os
import pathlib
import re
import sys

from common import CLI, ROOT, figure, note, record, run, workplace
from lines_program import program

# Of the machine's .NET; of others the program has the runtime with it. Their ready-to-run code is not measured.
TIERS = {
    "tier_0": ("framework", {"DOTNET_TC_CallCounting": "0", "DOTNET_TC_OnStackReplacement": "0", "DOTNET_TieredPGO": "0", "DOTNET_ReadyToRun": "0"}),
    "optimized": ("framework", {"DOTNET_TieredCompilation": "0"}),
    "ready_to_run": ("readytorun", {"DOTNET_TieredCompilation": "0"}),
}
MARK = re.compile(r"\bM\d+_\d+\b")


def shares(report: dict, hot: dict[str, int]) -> dict[str, collections.Counter]:
    """By method, the weight by how its line is told, in the innermost frame of each stack that is its."""
    tree = report["tree"]
    own: list[int | None] = []  # by row, the nearest row of a method above it, or itself
    told: dict[int, tuple[str, str]] = {}
    seconds: collections.Counter = collections.Counter()
    for at, row in enumerate(tree):
        above = own[row["parent"]] if 0 <= row["parent"] < at else None
        mark = MARK.search(row["name"]) if not row["hidden"] and "Generated." in row["name"] else None
        own.append(above if mark is None else at)
        if mark is None:
            continue
        lines = row.get("lines", [])
        kind = "none"
        if lines:
            kind = ("right" if row["sure"] else "unsure") if hot[mark[0]] in lines else "wrong" if row["sure"] else "elsewhere"
        told[at] = mark[0], kind
        seconds[at] += row["total"]["seconds"]
        if above is not None:
            seconds[above] -= row["total"]["seconds"]
    found: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
    for at, (mark, kind) in told.items():
        found[mark][kind] += seconds[at]
    return found


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
        for tier, (mode, environment) in TIERS.items():
            if own and mode != "framework":
                continue
            built = run([apps / "build.sh", "generated", version, "selfcontained" if own else mode, folder / "built"]).strip()
            path = folder / "out.walk"
            os.environ.update(environment)
            record(path, "1ms", [*([] if own else ["dotnet"]), built, str(seconds)], "--lines")
            for variable in environment:
                del os.environ[variable]
            report = json.loads(run([CLI, "report", path, "--lines", "--tree", "--min", "0", "--json", "--all-frames"]))
            found = shares(report, hot)
            everything = sum(found.values(), collections.Counter())
            total = sum(everything.values())
            figure(f"lines_{tier}_methods", len(found), "count")
            for kind in ("right", "unsure", "wrong", "elsewhere", "none"):
                figure(f"lines_{tier}_{kind}", 100 * everything[kind] / total, "percent")
            worst = sorted(found.items(), key=lambda one: one[1]["right"] / sum(one[1].values()))[:40]
            for mark, kinds in worst if "DETAILS" in os.environ else []:
                note(f"{tier} {mark} line {hot[mark]}: {dict(kinds)}")


if __name__ == "__main__":
    main()
