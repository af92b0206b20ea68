#!/usr/bin/env python3
"""CPU time of a program that does a fixed amount of work, alone and under profilers at about 1 kHz, interleaved.

  overhead.py [ROUNDS]   default 15

Counted: user and system time of the target process, not of the profiler's own processes. A round runs every variant
RUNS times, by turns, and adds its times up, so that the machine's moods of some seconds meet all of them. Figures: the
median of each and the median over the rounds of with / without, both of the same round.
"""
import functools
import pathlib
import sys

from common import app, figure, interleaved, median, workplace
from peers_tools import ALONE, DotnetTrace, Perf, Target, Walkabout, install_dotnet_trace

WORK = "60"
RUNS = 4
VARIANTS = {"alone": ALONE["alone"], "walkabout": Walkabout("1ms"), "dotnet_trace": DotnetTrace(),
            "perf": Perf("999", "fp", {}), "perf_map": Perf("999", "fp", {"DOTNET_PerfMapEnabled": "1"})}


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    install_dotnet_trace()
    with workplace() as name:
        target = Target(pathlib.Path(name), [*app("fixedwork"), WORK])
        variants = {variant: functools.partial(how, target) for variant, how in VARIANTS.items()}
        runs = interleaved(rounds * RUNS, variants, lambda r: r.target.cpu)
    taken = {variant: [sum(r.target.cpu for r in done[i:i + RUNS]) for i in range(0, len(done), RUNS)]
             for variant, done in runs.items()}
    for variant, seconds in taken.items():
        figure(f"overhead_cpu_{variant}", median(seconds) / RUNS, "s")
    for variant, seconds in taken.items():
        if variant == "alone":
            continue
        ratios = sorted(a / b for a, b in zip(seconds, taken["alone"]))
        figure(f"overhead_ratio_{variant}", median(ratios), "ratio")
        figure(f"overhead_ratio_{variant}_quartile1", ratios[len(ratios) // 4], "ratio")
        figure(f"overhead_ratio_{variant}_quartile3", ratios[-1 - len(ratios) // 4], "ratio")


if __name__ == "__main__":
    main()
