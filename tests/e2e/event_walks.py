#!/usr/bin/env python3
"""The walks of events against the CLR's own in the same callback, until a million were compared: every one equal or
explained, none cut off.    event_walks.py --build FOLDER [--walks N]
"""
import argparse
import itertools
import os
import pathlib
import sys
import tempfile

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
WORK = (("allocate", "10"), ("storm", "10"), ("exceptions", "20000"), ("locks", "50", "5"), ("waits", "50", "5"), ("gc", "300"), ("threads", "300"))
COUNTS = ("compared", "equal", "unexplained", "cut", "shortened", "missing", "not_asked")


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--walks", type=int, default=1_000_000)
    options = parser.parse_args()
    os.environ["WALKABOUT_BUILD"] = str(options.build)
    from harness import Recording, app, walkabout  # noqa: PLC0415  (reads the environment)

    totals: dict[str, dict[str, int]] = {}
    refused: dict[str, int] = {}
    bad: list[dict] = []
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "a.walk")
        compared, each = 0, list(itertools.product(RUNTIMES, WORK))
        for number, (runtime, work) in enumerate(itertools.cycle(each)):
            if number >= len(each) and compared >= options.walks:
                break
            run = walkabout("run", "--oracle", "--events", "all", "-i", "1ms", "-o", str(path), "--", *app("kinds", *runtime), *work)
            if run.returncode != 0:
                print(run.stdout, run.stderr, sep="\n")
                return 1
            verdict = Recording(path, run).verify()
            bad += [one for one in verdict["examples"] if one["verdict"] == "unexplained"]
            for event, counts in verdict["events"].items():
                if event == "cpu":
                    continue
                total = totals.setdefault(event, dict.fromkeys(COUNTS, 0))
                for name in COUNTS:
                    total[name] += counts[name]
                for name, number in counts["refused"].items():
                    refused[name] = refused.get(name, 0) + number
            compared = sum(total["compared"] for total in totals.values())
            print(f"{runtime[0]} {' '.join(work)}: {compared:,} compared", flush=True)
    for event, total in totals.items():
        print(event, total)
    print("not asked, or refused:", refused)
    for one in bad[:3]:
        print(one)
    failures = sum(total["unexplained"] + total["cut"] for total in totals.values())
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
