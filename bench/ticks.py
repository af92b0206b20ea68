#!/usr/bin/env python3
"""What ticks cost the program they interrupt, found inside one process: a quarter of a second with ticks, one without.

  ticks.py [PAIRS]   default 120

Runs of the same program differ by more than a profiler costs (docs/overhead.md). Here both halves of a pair are the same
process in the same half second: its CPU time, the agent's threads and the kernel's share included, for the same work. Not
in it is what a profiler costs at the start. `nothing` is the same without a profiler and without a switch: what the
measurement makes of nothing.
"""
import os
import pathlib
import sys

from common import CLI, app, figure, median, run, workplace


def pairs_of(printed: str) -> list[float]:
    lines = printed.splitlines()
    assert lines[-1].startswith("cpus "), lines[-1]
    return [float(line) for line in lines[:-1]]


def nothing(folder: pathlib.Path, pairs: str) -> str:
    return run([*app("ticks"), pairs, "none"])


def walkabout(interval: str):
    return lambda folder, pairs: run([CLI, "run", "-q", "-i", interval, "-o", folder / "out.walk", "--",
                                      *app("ticks"), pairs, "events"])


def perf(call_graph: str):
    def of(folder: pathlib.Path, pairs: str) -> str:
        control, ack = folder / "control", folder / "ack"
        for path in (control, ack):
            os.mkfifo(path)
        printed = run(["perf", "record", "-q", "-F", "999", "--call-graph", call_graph, "-o", folder / "perf.data",
                       f"--control=fifo:{control},{ack}", "--", *app("ticks"), pairs, control, ack])
        for path in folder.iterdir():
            path.unlink()
        return printed
    return of


VARIANTS = {"nothing": nothing, "walkabout": walkabout("1ms"), "walkabout_99hz": walkabout("99hz"), "perf": perf("fp"),
            "perf_dwarf": perf("dwarf")}
PARTS = 5  # runs of each, by turns


def main() -> None:
    pairs = int(sys.argv[1]) if len(sys.argv) > 1 else 120
    taken: dict[str, list[float]] = {name: [] for name in VARIANTS}
    with workplace() as name:
        for part in range(PARTS):
            names = list(VARIANTS)
            for variant in names[part:] + names[:part]:
                taken[variant] += pairs_of(VARIANTS[variant](pathlib.Path(name), str(pairs // PARTS)))
    for variant, ratios in taken.items():
        ratios.sort()
        figure(f"ticks_ratio_{variant}", median(ratios), "ratio")
        figure(f"ticks_ratio_{variant}_quartile1", ratios[len(ratios) // 4], "ratio")
        figure(f"ticks_ratio_{variant}_quartile3", ratios[-1 - len(ratios) // 4], "ratio")


if __name__ == "__main__":
    main()
