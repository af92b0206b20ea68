#!/usr/bin/env python3
"""Median cost of our walk and of the CLR's DoStackSnapshot in the target at 99 Hz.

  handler_cost.py [SECONDS]   of the program with forty-frame stacks (tests/apps/mixed) and of the demo; default 60

Of samples interrupted in managed code: both walks begin at the same frame there. They take turns in going first: the
first finds the caches as the program left them, the second finds the stack in them. The figure is first over first; the
CLR's walk behind ours, on the very same samples, stands beside it. Cycles of the time stamp counter.
"""
import json
import pathlib
import subprocess
import sys

from common import CLI, app, clean_environment, figure, note, record, workplace

DEPTH = "40"


def report_cost(group: str, cost: dict | None) -> None:
    if not cost or not cost["samples"] or not cost["clr_samples"]:
        note(f"no samples of {group}")
        return
    figure(f"handler_samples_{group}", cost["samples"] + cost["clr_samples"], "samples")
    for name in ("our", "clr", "clr_second", "our_second"):
        figure(f"handler_cycles_{name}_{group}", cost[f"{name}_cycles_p50"], "cycles")
    figure(f"handler_ours_over_clr_{group}", cost["our_cycles_p50"] / cost["clr_cycles_p50"], "ratio")
    figure(f"handler_ours_over_clr_second_{group}", cost["our_cycles_p50"] / cost["clr_second_cycles_p50"], "ratio")


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "60"
    for program in ("mixed", "demo"):
        with workplace() as name:
            path = pathlib.Path(name) / "out.walk"
            record(path, "99hz", [*app(program), seconds], "--oracle")
            # Exit code 3, differences, is not this bench's matter.
            result = json.loads(subprocess.run([CLI, "verify", path, "--json"], capture_output=True, text=True,
                                             env=clean_environment(), check=False).stdout)
        report_cost(f"{program}_all", result["cost"]["all"])
        report_cost(f"{program}_{DEPTH}_frames", result["cost"].get(DEPTH))


if __name__ == "__main__":
    main()
