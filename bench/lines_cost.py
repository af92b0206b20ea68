#!/usr/bin/env python3
"""What `run --lines` costs more than `run`: CPU time of the target, interleaved; and the recorded bytes a sample with everything on.

  lines_cost.py [ROUNDS]   default 15; of Kestrel a third of them

CPU time is the target's, of the whole process, its own work and the agent's (hello world, the C# compiler); of Kestrel under load it
is that for each request. Figures: the median over the rounds of with / without, both of the same round, and its quartiles. Bytes a
sample: of whole recordings at 1 kHz, of 10 s and more, with names, lines and inlined functions.
"""
import pathlib
import sys

from common import app, compiler, figure, interleaved, median, record, record_kestrel, stats, workplace
from peers_tools import Target, Walkabout

LINES = ("--lines",)
SECONDS = 12  # of a recording whose size is measured


def kestrel(path: pathlib.Path, seconds: float, options: tuple[str, ...]) -> float:
    """CPU time for each request, in microseconds, of the recording that it leaves there."""
    requests = record_kestrel(path, "1ms", seconds, *options)
    return 1e6 * stats(path)["process_cpu_seconds"] / requests


def show(program: str, taken: dict[str, list[float]], unit: str, scale: float = 1) -> None:
    ratios = sorted(a / b for a, b in zip(taken["lines"], taken["without"]))
    added = [a - b for a, b in zip(taken["lines"], taken["without"])]
    figure(f"lines_cost_{program}_without", scale * median(taken["without"]), unit)
    figure(f"lines_cost_{program}_added", scale * median(added), unit)
    figure(f"lines_cost_{program}_ratio", median(ratios), "ratio")
    figure(f"lines_cost_{program}_ratio_quartile1", ratios[len(ratios) // 4], "ratio")
    figure(f"lines_cost_{program}_ratio_quartile3", ratios[-1 - len(ratios) // 4], "ratio")


def show_bytes(program: str, path: pathlib.Path) -> None:
    result = stats(path)
    figure(f"lines_bytes_{program}_samples", result["samples"], "samples")
    figure(f"lines_bytes_{program}", path.stat().st_size / result["samples"], "bytes")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    with workplace() as name:
        folder = pathlib.Path(name)
        path = folder / "lines.walk"
        for program, command in (("demo", [*app("demo"), str(SECONDS)]), ("compiler", compiler(2_000))):
            record(path, "1ms", command, *LINES)
            show_bytes(program, path)
        kestrel(path, SECONDS, LINES)
        show_bytes("kestrel", path)
        for program, command in (("hello", app("hello")), ("compiler", compiler(300))):
            target = Target(folder, command)
            variants = {"without": lambda: Walkabout("1ms")(target).target.cpu, "lines": lambda: Walkabout("1ms", *LINES)(target).target.cpu}
            show(program, interleaved(rounds, variants), "ms", 1e3)
        variants = {"without": lambda: kestrel(path, 5, ()), "lines": lambda: kestrel(path, 5, LINES)}
        show("kestrel", interleaved(max(3, rounds // 3), variants), "us")


if __name__ == "__main__":
    main()
