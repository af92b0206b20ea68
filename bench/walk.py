#!/usr/bin/env python3
"""Nanoseconds a frame of a warm walk of a native stack of about 40 frames: ours with and without what the handler
remembers between walks, and libunwind's unw_backtrace on the same stack.

  walk.py [REPETITIONS]   default 15, interleaved at random; the medians are the figures
"""
import json
import sys

from common import BUILD, figure, median, run


def main() -> None:
    repetitions = sys.argv[1] if len(sys.argv) > 1 else "15"
    result = json.loads(run([BUILD / "bin" / "walk_bench", "--benchmark_format=json", "--benchmark_min_time=0.2",
                           f"--benchmark_repetitions={repetitions}", "--benchmark_enable_random_interleaving=true"]))
    runs: dict[str, list[dict]] = {}
    for one in result["benchmarks"]:
        if one["run_type"] == "iteration":
            runs.setdefault(one["run_name"], []).append(one)
    for name, all_runs in runs.items():
        figure(f"warm_frames_{name}", all_runs[0]["frames"], "frames")
        figure(f"warm_per_frame_{name}", median([one["ns_per_frame"] for one in all_runs]), "ns")


if __name__ == "__main__":
    main()
