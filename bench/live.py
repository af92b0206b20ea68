#!/usr/bin/env python3
"""Objects that still exist (`--live`) of a program that keeps a tenth of what it allocates and knows how much that is.

  live.py [ROUNDS]   default 5

A round runs the program (100 MiB of small objects a second, 20 seconds, one in ten kept) with CPU time alone and with `live` too.
Figures: bytes that the report has of what is kept over what is kept; whether the method that keeps is the one with most; the
memory of the process at its end, with `live` over without.
"""
import json
import pathlib
import re
import sys

from common import CLI, app, figure, median, run, workplace

LEAK = ["leak", "20", "10"]


def number(name: str, printed: str) -> int:
    return int(re.search(rf"^{name} (?:\d+ )?(\d+)$", printed, re.M).group(1))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    ratios, right, memory = [], [], []
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        for turn in range(rounds):
            rss = {}
            for events in ("cpu", "cpu,live") if turn % 2 == 0 else ("cpu,live", "cpu"):
                printed = run([CLI, "run", "-q", "-o", path, "--events", events, "--", *app("kinds"), *LEAK])
                rss[events] = number("rss_kib", printed) / 1024
                if events == "cpu":
                    continue
                report = json.loads(run([CLI, "report", path, "--live", "--json", "--top", "1000"]))
                types = {row["text"]: row["bytes"] for row in report["by_label"]["type"]}
                ratios.append(types["Kept"] / number("kept", printed))
                own = [row["name"] for row in report["top_total"] if row["name"].startswith("Leak.")]
                right.append(own[1] == "Leak.Keep()")
            memory.append(rss["cpu,live"] - rss["cpu"])
    figure("live_bytes_least", min(ratios), "ratio")
    figure("live_bytes_most", max(ratios), "ratio")
    figure("live_right_stack_on_top", 100 * sum(right) / len(right), "%")
    figure("live_rss_added", median(memory), "MiB")


if __name__ == "__main__":
    main()
