#!/usr/bin/env python3
"""The long run: programs under test at the highest rate, over and over, until the time is over.    ./dev soak [MINUTES]

Each round must end as without walkabout, account for every tick and leave a readable recording. Prints a line a round
and, at the end, the totals. Then the program `step` is single-stepped through whole calls in every mode of compilation.
"""
import argparse
import collections
import os
import pathlib
import shutil
import tempfile
import time

ROUNDS = [
    (["shortthreads", "2000", "2"], ["--interval", "100us"]),
    (["alloc", "8", "4"], ["--interval", "100us"]),
    (["generics", "5"], ["--interval", "100us", "--oracle"]),
    (["demo", "10"], ["--interval", "100us"]),
    (["deep", "20000", "8"], ["--interval", "1ms"]),
    (["demo", "10"], ["--engine", "timer", "--interval", "4ms"]),
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--minutes", type=float, default=10)
    arguments = parser.parse_args()
    os.environ["WALKABOUT_BUILD"] = str(arguments.build)
    import harness  # reads the variable

    (harness.BUILD / "e2e").mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="soak-", dir=harness.BUILD / "e2e"))
    totals = collections.Counter()
    end = time.monotonic() + 60 * arguments.minutes
    while time.monotonic() < end or not totals:
        for (program, *rest), options in ROUNDS:
            path = folder / "out.walk"
            done = harness.walkabout("run", "-o", path, *options, "--", *harness.app(program), *rest)
            if done.returncode != 0:
                raise SystemExit(f"{program} {options}: {done}\nthe recording is kept: {path}")
            stats = harness.Recording(path, done).stats()
            drops = sum(stats["drops"].values())
            if stats["attempts"] != stats["samples"] + drops:
                raise SystemExit(f"{program} {options}: ticks are unaccounted for: {stats}")
            print(f"{program:12} {' '.join(options):36} samples {stats['samples']:8} rooted {stats['rooted']:8} drops {drops}",
                  flush=True)
            totals.update(rounds=1, samples=stats["samples"], rooted=stats["rooted"], drops=drops)
    import stepping  # every instruction of whole calls, more than a million in all

    print(f"step: {stepping.line(stepping.every_mode(folder, 2, 2_000_000))}", flush=True)
    shutil.rmtree(folder)
    print(" ".join(f"{name} {value}" for name, value in totals.items()))


main()
