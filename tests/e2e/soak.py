#!/usr/bin/env python3
"""The long run: programs under test at the highest rate, over and over, until the time is over.    ./dev soak [MINUTES]

Each round must end as without walkabout, account for every tick and leave a readable recording. Prints a line a round
and, at the end, the totals. Then a web service is attached to a hundred times under load, `walkabout attach` is killed
five hundred times at random moments, a program that unloads modules all the time is attached to a hundred times on each
runtime, and the program `step` is single-stepped through whole calls in every mode of compilation.
"""
import argparse
import collections
import os
import pathlib
import random
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

ATTACH_CYCLES = 100
ATTACH_KILLS = 500
ATTACHES_BESIDE_UNLOADS = 100  # of each runtime


def attach_over_and_over(folder: pathlib.Path, cycles: int) -> str:
    """A service under load is attached to so often; no request may be lost, and it ends in good order."""
    import attaching

    service = attaching.Service()
    try:
        service.begin_load(cycles * attaching.SECONDS_A_CYCLE)
        totals = collections.Counter()
        for _ in range(cycles):
            stats = attaching.cycle(service, folder / "attach.walk", "300ms")
            if stats["attempts"] != stats["samples"] + sum(stats["drops"].values()) or not stats["complete"]:
                raise SystemExit(f"attach: ticks are unaccounted for: {stats}")
            totals.update(cycles=1, samples=stats["samples"], rooted=stats["rooted"])
        load = service.end_load()
        ended = service.stop()
    finally:
        service.kill()
    if load["failures"] or ended.returncode:
        raise SystemExit(f"attach: {load} {ended}")
    return " ".join(f"{name} {value}" for name, value in totals.items()) + f" requests {load['requests']}"


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
    print(f"attach: {attach_over_and_over(folder, ATTACH_CYCLES)}", flush=True)
    import attach_kills

    print(f"attach, killed: {attach_kills.kill_and_attach(folder, ATTACH_KILLS, random.SystemRandom().randrange(1 << 32))}",
          flush=True)
    from attaching import attach_beside
    from events_test import RUNTIMES

    for runtime in RUNTIMES:
        print(f"attach: {attach_beside(folder, ATTACHES_BESIDE_UNLOADS, runtime, 'unloads', '36000')}", flush=True)
        # Broken by a question that takes the lock which a suspension holds: each collection waited for a second.
        print(f"attach: {attach_beside(folder, 10, runtime, 'gc', '1000000000')}", flush=True)
    import stepping  # every instruction of whole calls, more than a million in all

    print(f"step: {stepping.line(stepping.every_mode(folder, 2, 2_000_000))}", flush=True)
    shutil.rmtree(folder)
    print(" ".join(f"{name} {value}" for name, value in totals.items()))


main()
