#!/usr/bin/env python3
"""Median cost of our walk and of the CLR's DoStackSnapshot, on the same samples, in the target at 99 Hz.

  handler_cost.py [SECONDS]   of the demo; default 90

Ours walks first, with the caches as the interrupted code left them; the CLR's, seeded with the leaf-most managed frame
that ours found, then meets a warm stack and has no native frames above the seed to walk. Both in cycles of the time
stamp counter. Figures over all samples, and over those of about 40 frames (35 to 44, managed and native).
"""
import json
import pathlib
import subprocess
import sys

from common import CLI, app, clean_environment, figure, note, record, workplace

DEPTH = "40"


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "90"
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        record(path, "99hz", [*app("demo"), seconds], "--oracle")
        # Exit code 3, differences, is not this bench's matter.
        said = json.loads(subprocess.run([CLI, "verify", path, "--json"], capture_output=True, text=True,
                                         env=clean_environment(), check=False).stdout)
    if "our_cycles_p50" not in said:
        note("verify has no cycles")
        sys.exit(1)
    groups = {"all": said, f"{DEPTH}_frames": said["cost"].get(DEPTH)}
    figure("handler_samples_all", sum(cost["samples"] for cost in said["cost"].values()), "samples")
    for group, cost in groups.items():
        if not cost:
            note(f"no samples of {group}")
            continue
        if group != "all":
            figure(f"handler_samples_{group}", cost["samples"], "samples")
        figure(f"handler_cycles_ours_{group}", cost["our_cycles_p50"], "cycles")
        figure(f"handler_cycles_clr_{group}", cost["clr_cycles_p50"], "cycles")
        figure(f"handler_ours_over_clr_{group}", cost["our_cycles_p50"] / cost["clr_cycles_p50"], "ratio")


if __name__ == "__main__":
    main()
