#!/usr/bin/env python3
"""Writes the tables of docs/peers.md from the figures that bench/peers.py left.

Fails, and leaves the page as it is, when a figure is missing.
"""
import pathlib
import sys

from figures import Figures, write_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAMS = {"fixedwork": "`tests/apps/fixedwork`: JSON and LINQ, regular expressions, qsort with managed comparers, in two threads",
            "compiler": "the SDK's C# compiler, 300 generated classes"}
TOOLS = {"walkabout_1khz": "walkabout, 1 kHz", "perf_1khz": "perf, 999 Hz, fp", "perf_dwarf_1khz": "perf, 999 Hz, dwarf",
         "walkabout_99hz": "walkabout, 99 Hz", "perf_99hz": "perf, 99 Hz, fp", "dotnet_trace": "dotnet-trace, ~100 Hz"}
# Who is compared with whom: the same rate, or as near as there is.
RIVALS = {"walkabout_1khz": ["perf_1khz", "perf_dwarf_1khz"], "walkabout_99hz": ["dotnet_trace", "perf_99hz"]}
ABSENT = "shows none"


class Of:
    """One tool's figures on one program."""

    def __init__(self, figures: Figures, program: str, tool: str) -> None:
        self.figures = figures
        self.prefix = f"peers_{program}_{tool}_"

    def __getitem__(self, name: str) -> float:
        return self.figures[self.prefix + name]

    def percent(self, name: str) -> str:
        return f"{self[name]:.1f}%" if self.prefix + name in self.figures else ABSENT

    def overhead(self) -> str:
        low, high = ((self[f"overhead_quartile{n}"] - 1) * 100 for n in (1, 3))
        return f"{(self['overhead'] - 1) * 100:+.1f}% ({low:+.1f} … {high:+.1f})"

    def until_readable(self) -> float:
        return self["tool_cpu"] + self["reading_cpu"]


ROWS = {
    "CPU time of the target, with / without (quartiles)": Of.overhead,
    "peak RSS of the target, added, MiB": lambda of: f"{of['rss_added']:+.1f}",
    "CPU time of the tool, recording, s": lambda of: f"{of['tool_cpu']:.2f}",
    "the same until text with names is there, s": lambda of: f"{of.until_readable():.2f}",
    "peak RSS of the tool, recording, MiB": lambda of: f"{of['tool_rss']:.0f}",
    "size of the recording, MiB": lambda of: f"{of['size']:.2f}",
    "stacks that are rooted": lambda of: of.percent("rooted"),
    "native frames with a function's name": lambda of: of.percent("native_named"),
    "managed frames with a method's name": lambda of: of.percent("managed_named"),
}
# What has to be lower, in the unit of its row.
CONTESTS = {"target's CPU": lambda of: (of["overhead"] - 1) * 100, "tool's CPU": lambda of: of["tool_cpu"],
            "tool's CPU until text": Of.until_readable, "size": lambda of: of["size"]}


def distinguishable(a: Of, b: Of) -> bool:
    """Whether the middle halves of the rounds lie beside each other."""
    return a["overhead_quartile3"] < b["overhead_quartile1"] or b["overhead_quartile3"] < a["overhead_quartile1"]


def verdict(contest: str, ours: Of, theirs: Of) -> str:
    a, b = CONTESTS[contest](ours), CONTESTS[contest](theirs)
    if contest == "target's CPU":
        text = f"{a:+.1f}% : {b:+.1f}%"
        if not distinguishable(ours, theirs):
            return f"{text}, not told apart"
    else:
        text = f"{a:.2f} : {b:.2f}"
    return f"{text}, lower" if a < b else f"**{text}, not lower**"


def line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def of_program(f: Figures, program: str) -> list[str]:
    tools = {tool: Of(f, program, tool) for tool in TOOLS}
    without = Of(f, program, "alone")["cpu"]
    lines = [f"### {PROGRAMS[program][0].upper() + PROGRAMS[program][1:]}",
             f"Without a profiler: {without:.2f} s of CPU time; for perf, with W^X off: "
             f"{Of(f, program, 'alone_for_perf')['cpu']:.2f} s.\n",
             line(["", *TOOLS.values()]), line(["---"] * (1 + len(TOOLS)))]
    lines += [line([what, *(cell(of) for of in tools.values())]) for what, cell in ROWS.items()]
    lines += ["", line(["ours : theirs", *CONTESTS]), line(["---"] * (1 + len(CONTESTS)))]
    lines += [line([f"{TOOLS[ours]} : {TOOLS[theirs]}", *(verdict(c, tools[ours], tools[theirs]) for c in CONTESTS)])
              for ours, rivals in RIVALS.items() for theirs in rivals]
    return [*lines, ""]


def table(f: Figures) -> str:
    lines = [f.measured(["peers"]), f"Medians of {f['peers_rounds']:.0f} rounds.\n"]
    for program in PROGRAMS:
        lines += of_program(f, program)
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(write_page(ROOT / "docs" / "peers.md", table))
