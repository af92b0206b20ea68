#!/usr/bin/env python3
"""What the runtime's events cost where they are as many as can be: storms of each kind, with and without the source.

  events.py [ROUNDS]   default 15

A round runs each storm four times, in turns: without a profiler, with one that samples next to nothing (one tick a second
of CPU time), with one that asks the runtime for the event too and does nothing with it (tests/deaf), and with the event. Each
lasts three seconds and says how often it did what it does. A figure is the median over the rounds of (how often with the quiet
profiler) / (how often with the event): 1.02 is 2% less done. `quiet` is the same of the quiet profiler against none, `own` of the
runtime's own part of the event, `beyond` of the event against that.
"""
import pathlib
import sys

from common import BUILD, CLI, app, figure, median, run, workplace

SECONDS = "3"
DEAF = BUILD / "deaf" / "walkabout"
STORMS = {"storm": "exceptions", "allocate": "alloc", "uncontended": "locks", "contended": "locks"}


def done(command: list) -> int:
    return int(run(command).split()[-1])


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    kinds = app("kinds")
    taken: dict[str, list[tuple[int, ...]]] = {storm: [] for storm in STORMS}
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        for number in range(rounds):
            for storm, event in STORMS.items():
                program = [*kinds, storm, SECONDS]
                options = ["run", "-q", "-i", "1s", "-o", path, "--events"]
                variants = [program, [CLI, *options, "cpu", "--", *program], [DEAF, *options, f"cpu,{event}", "--", *program],
                            [CLI, *options, f"cpu,{event}", "--", *program]]
                results = [0] * len(variants)
                for turn in range(len(variants)):
                    which = (turn + number) % len(variants)
                    results[which] = done(variants[which])
                taken[storm].append(tuple(results))
    for storm, event in STORMS.items():
        figure(f"events_{storm}_{event}", median([quiet / with_it for _, quiet, _, with_it in taken[storm]]), "ratio")
        figure(f"events_{storm}_own", median([quiet / own for _, quiet, own, _ in taken[storm]]), "ratio")
        figure(f"events_{storm}_beyond", median([own / with_it for *_, own, with_it in taken[storm]]), "ratio")
        figure(f"events_{storm}_quiet", median([none / quiet for none, quiet, *_ in taken[storm]]), "ratio")
        figure(f"events_{storm}_per_second", median([none / float(SECONDS) for none, *_ in taken[storm]]), "count")


if __name__ == "__main__":
    main()
