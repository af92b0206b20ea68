#!/usr/bin/env python3
"""What the runtime's events cost where they are as many as can be: storms of each kind, with and without the source.

  events.py [ROUNDS]   default 15

A round runs each storm three times, in turns: without a profiler, with one that samples next to nothing (one tick a second
of CPU time), and with the event too. Each lasts three seconds and says how often it did what it does. A figure is the median
over the rounds of (how often with the quiet profiler) / (how often with the event): 1.02 is 2% less done. `quiet` is the same
of the quiet profiler against none.
"""
import pathlib
import sys

from common import CLI, app, figure, median, run, workplace

SECONDS = "3"
STORMS = {"storm": "exceptions", "allocate": "alloc", "uncontended": "locks", "contended": "locks"}


def done(command: list) -> int:
    return int(run(command).split()[-1])


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    kinds = app("kinds")
    taken: dict[str, list[tuple[int, int, int]]] = {storm: [] for storm in STORMS}
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        for number in range(rounds):
            for storm, event in STORMS.items():
                program = [*kinds, storm, SECONDS]
                profiled = [CLI, "run", "-q", "-i", "1s", "-o", path, "--events"]
                variants = [lambda p=program: done(p), lambda p=program: done([*profiled, "cpu", "--", *p]),
                            lambda p=program, e=event: done([*profiled, f"cpu,{e}", "--", *p])]
                results = [0, 0, 0]
                for turn in range(3):
                    which = (turn + number) % 3
                    results[which] = variants[which]()
                taken[storm].append(tuple(results))
    for storm, event in STORMS.items():
        figure(f"events_{storm}_{event}", median([quiet / with_it for _, quiet, with_it in taken[storm]]), "ratio")
        figure(f"events_{storm}_quiet", median([none / quiet for none, quiet, _ in taken[storm]]), "ratio")
        figure(f"events_{storm}_per_second", median([none / float(SECONDS) for none, _, _ in taken[storm]]), "count")


if __name__ == "__main__":
    main()
