#!/usr/bin/env python3
"""CPU time of a program that does a fixed amount of work, alone and under profilers at about 1 kHz, interleaved.

  overhead.py [ROUNDS]   default 15

Counted: user and system time of the target process, not of the profiler's own processes. A round runs every variant
RUNS times, by turns, and adds its times up, so that the machine's moods of some seconds meet all of them. Figures: the
median of each and the median over the rounds of with / without, both of the same round.
"""
import functools
import pathlib
import subprocess
import sys
import time

from common import CLI, WRAPPER, app, clean_environment, fail, figure, interleaved, median, run, workplace
from peers_tools import DOTNET_TRACE, install_dotnet_trace

WORK = "60"
RUNS = 4


class Variants:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.cpu = folder / "cpu"
        self.target = [sys.executable, WRAPPER, self.cpu, *app("fixedwork"), WORK]

    def taken(self) -> float:
        seconds = float(self.cpu.read_text().split()[0])
        self.cpu.unlink()
        return seconds

    def wrapped(self, before: list, **env: str) -> float:
        run([*before, *self.target], clean_environment(**env))
        return self.taken()

    def alone(self) -> float:
        return self.wrapped([])

    def walkabout(self) -> float:
        return self.wrapped([CLI, "run", "-q", "-o", self.folder / "out.walk", "-i", "1ms", "--"])

    def perf(self, **env: str) -> float:
        return self.wrapped(["perf", "record", "-q", "-F", "999", "-g", "-o", self.folder / "perf.data", "--"], **env)

    def dotnet_trace(self) -> float:
        """The runtime waits at a port of dotnet-trace's until the session is on; with `--` dotnet-trace would have to be
        the target's parent, and its time could not be told from the target's."""
        port = self.folder / "port"
        tool = subprocess.Popen([DOTNET_TRACE, "collect", "--diagnostic-port", port, "--profile", "dotnet-sampled-thread-time",
                                 "-o", self.folder / "out.nettrace"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, env=clean_environment())
        try:
            while not port.exists():
                if tool.poll() is not None:
                    fail(f"dotnet-trace does not start: {tool.stdout.read()}")
                time.sleep(0.01)
            seconds = self.wrapped([], DOTNET_DiagnosticPorts=str(port))
            tool.communicate(timeout=60)
        finally:
            tool.kill()
        if not (self.folder / "out.nettrace").exists():
            fail("dotnet-trace recorded nothing")
        (self.folder / "out.nettrace").unlink()
        port.unlink(missing_ok=True)
        return seconds


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    install_dotnet_trace()
    with workplace() as name:
        v = Variants(pathlib.Path(name))
        runs = interleaved(rounds * RUNS, {"alone": v.alone, "walkabout": v.walkabout, "dotnet_trace": v.dotnet_trace,
                                           "perf": v.perf,
                                           "perf_map": functools.partial(v.perf, DOTNET_PerfMapEnabled="1")})
    taken = {variant: [sum(seconds[i:i + RUNS]) for i in range(0, len(seconds), RUNS)]
             for variant, seconds in runs.items()}
    for variant, seconds in taken.items():
        figure(f"overhead_cpu_{variant}", median(seconds) / RUNS, "s")
    for variant, seconds in taken.items():
        if variant == "alone":
            continue
        ratios = sorted(a / b for a, b in zip(seconds, taken["alone"]))
        figure(f"overhead_ratio_{variant}", median(ratios), "ratio")
        figure(f"overhead_ratio_{variant}_quartile1", ratios[len(ratios) // 4], "ratio")
        figure(f"overhead_ratio_{variant}_quartile3", ratios[-1 - len(ratios) // 4], "ratio")


if __name__ == "__main__":
    main()
