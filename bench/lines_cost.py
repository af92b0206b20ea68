#!/usr/bin/env python3
"""What `run --lines` costs more than `run`: CPU time of the target, interleaved; and the recorded bytes a sample with everything on.

  lines_cost.py [ROUNDS]   default 15; of Kestrel a third of them

CPU time is the target's, of the whole process, its own work and the agent's (hello world, the C# compiler); of Kestrel under load it
is that for each request. Figures: the median over the rounds of with / without, both of the same round, and its quartiles. Bytes a
sample: of whole recordings at 1 kHz, of 10 s and more, with names, lines and inlined functions.
"""
import json
import pathlib
import subprocess
import sys

from common import CLI, app, clean_environment, compiler, fail, figure, interleaved, median, record, run, stats, workplace
from peers_tools import Target, Walkabout

LINES = ("--lines",)
SECONDS = 12  # of a recording whose size is measured


class WithOptions(Walkabout):
    def __init__(self, *options: str) -> None:
        super().__init__("1ms")
        self.options = options

    def __call__(self, target: Target) -> float:
        path = self.recording(target)
        return target.wrapped([CLI, "run", "-q", "-o", path, "-i", self.interval, *self.options, "--"]).target.cpu


def kestrel(path: pathlib.Path, seconds: float, options: tuple[str, ...]) -> float:
    """CPU time for each request, in microseconds, of the recording that it leaves there."""
    service = subprocess.Popen([CLI, "run", "-q", "-o", path, "-i", "1ms", *options, "--", *app("web"), "300"],
                               stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, env=clean_environment())
    line = service.stdout.readline().split()
    if line[:1] != ["listening"]:
        service.kill()
        fail("the web service did not start")
    requests = json.loads(run([*app("load"), line[1], str(seconds)]))["requests"]
    service.send_signal(2)
    service.communicate()
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
            variants = {"without": lambda: WithOptions()(target), "lines": lambda: WithOptions(*LINES)(target)}
            show(program, interleaved(rounds, variants), "ms", 1e3)
        variants = {"without": lambda: kestrel(path, 5, ()), "lines": lambda: kestrel(path, 5, LINES)}
        show("kestrel", interleaved(max(3, rounds // 3), variants), "us")


if __name__ == "__main__":
    main()
