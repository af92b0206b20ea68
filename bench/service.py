#!/usr/bin/env python3
"""What the default set of events costs a web service under constant load, and what dotnet-trace costs with the same kinds.

  service.py [ROUNDS]   default 30; service_constant.py is the same with a client that sends at a constant rate

One ASP.NET Core service and its client on the same machine. The client has four connections, each of which asks again as soon
as it is answered: what a profiler takes is missing in the requests that are answered. At a constant rate it sends a third as many
requests a second as that, whatever the answers take (the two cores are half used then): so a service with room to spare is
used, and the latency tells. In each round two windows without a profiler, one with `walkabout attach --events default`, one with an agent that takes ticks and wall
time but none of the runtime's events (tests/deaf: what the runtime itself spends on them), and one with `dotnet-trace collect`,
the order at random. Of a window the seconds count that begin two seconds or more behind the profiler's start and end before
its end. A tool's figures are of all these seconds of all rounds: the mean of the requests that were answered, and the median of
the 99th percentiles of latency (single windows differ threefold in it). The ratio is to those of both windows without a profiler, with
the range of nine tenths of the ratios of rounds that are drawn anew. That of the two windows without one to one another is what the
machine makes of nothing. A profiler's own process is on the machine too.
"""
import pathlib
import random
import subprocess
import sys
import threading
import time

from common import BUILD, CLI, app, clean_environment, fail, figure, median, note, workplace
from attaching import Service
from peers_tools import DOTNET_TRACE, install_dotnet_trace

WARM_SECONDS = 20
BEGINS, COUNTS, ENDS = 2.0, 4, 1.0  # of a window: seconds that do not count, that do, and until the profiler is gone
DRAWN = 1000
# GC, exceptions, contention, threads, samples of allocations; and the stacks of all threads.
PROVIDERS = "Microsoft-Windows-DotNETRuntime:0x8000001C001:4,Microsoft-DotNETCore-SampleProfiler"


class Client:
    """The seconds of the load: when each ended, requests, 99th percentile in us."""

    def __init__(self, port: str, seconds: float, rate: float | None = None) -> None:
        command = [*app("load"), port, str(seconds), "4", "each", *([] if rate is None else [f"{rate:.0f}"])]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment())
        self.seconds: list[tuple[float, int, float]] = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for line in self.process.stdout:
            if line.startswith("second "):
                _, requests, latency = line.split()
                self.seconds.append((time.monotonic(), int(requests), float(latency)))

    def between(self, begin: float, end: float) -> list[tuple[int, float]]:
        """Of each second in there: requests and latency."""
        inside = [(requests, latency) for at, requests, latency in self.seconds if begin + 1 <= at <= end]
        if not inside:
            fail("the client has told of no second: is the machine too busy?")
        return inside


def requests_of(seconds: list[tuple[int, float]]) -> float:
    return sum(requests for requests, _ in seconds) / len(seconds)


def latency_of(seconds: list[tuple[int, float]]) -> float:
    return median([latency for _, latency in seconds])


def together(windows: list[list[tuple[int, float]]]) -> list[tuple[int, float]]:
    return [second for window in windows for second in window]


def print_ratios(prefix: str, taken: dict[str, list[list[tuple[int, float]]]], tool: str) -> None:
    """taken: the seconds of each round's windows, by tool."""
    beside = ["alone"] if tool == "alone_again" else ["alone", "alone_again"]
    rounds, draw = len(taken[tool]), random.Random(1)
    for name, of in [("throughput", requests_of), ("p99", latency_of)]:
        def ratio(numbers: list[int], of=of) -> float:
            return of(together([taken[tool][n] for n in numbers])) / of(together([taken[one][n] for one in beside for n in numbers]))
        drawn = sorted(ratio(draw.choices(range(rounds), k=rounds)) for _ in range(DRAWN))
        figure(f"{prefix}_{name}_{tool}", ratio(list(range(rounds))), "ratio")
        figure(f"{prefix}_{name}_{tool}_low", drawn[DRAWN // 20], "ratio")
        figure(f"{prefix}_{name}_{tool}_high", drawn[-DRAWN // 20], "ratio")


def profiled(command: list, seconds: float) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=clean_environment(), timeout=seconds + 60, check=False)
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {command}\n{done.stdout}{done.stderr}")


def main(constant: bool = False) -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    prefix = "service_constant" if constant else "service"
    install_dotnet_trace()
    service = Service()
    length = BEGINS + COUNTS + 1
    load_seconds = WARM_SECONDS + rounds * 5 * (length + ENDS + 8)
    client = Client(service.port, load_seconds)
    try:
        with workplace() as name:
            folder = pathlib.Path(name)
            def attached(cli: pathlib.Path) -> list:
                return [cli, "attach", service.pid, "-q", "--events", "default", "-d", f"{length}s", "-o", folder / "out.walk"]

            tools = {
                "alone": ["sleep", length],
                "walkabout": attached(CLI),
                "deaf": attached(BUILD / "deaf" / "walkabout"),
                "alone_again": ["sleep", length],
                "dotnet_trace": [DOTNET_TRACE, "collect", "-p", service.pid, "--providers", PROVIDERS,
                                 "--duration", f"00:00:00:{length:02.0f}", "-o", folder / "out.nettrace"],
            }
            begins = time.monotonic()
            time.sleep(WARM_SECONDS)
            if constant:
                most = requests_of(client.between(begins + WARM_SECONDS - COUNTS, time.monotonic()))
                client.process.kill()
                client.process.wait()
                client = Client(service.port, load_seconds, most / 3)
                note(f"{most / 3:.0f} requests a second, of {most:.0f}")
                time.sleep(WARM_SECONDS)
            taken: dict[str, list[list[tuple[int, float]]]] = {tool: [] for tool in tools}
            names, order = list(tools), random.Random(1)
            for number in range(rounds):
                for tool in order.sample(names, len(names)):
                    began = time.monotonic()
                    running = threading.Thread(target=profiled, args=(tools[tool], length))
                    running.start()
                    time.sleep(length)
                    taken[tool].append(client.between(began + BEGINS, began + length))
                    running.join()
                    time.sleep(ENDS)
                note(f"round {number + 1} of {rounds}: " + "  ".join(
                    f"{tool} {requests_of(taken[tool][-1]):.0f}/s p99 {latency_of(taken[tool][-1]):.0f} us" for tool in names))
    finally:
        client.process.kill()
        service.stop()
    figure(f"{prefix}_requests_alone", requests_of(together(taken["alone"])), "per_second")
    figure(f"{prefix}_p99_alone", latency_of(together(taken["alone"])), "us")
    for tool in ["walkabout", "deaf", "dotnet_trace", "alone_again"]:
        print_ratios(prefix, taken, tool)


if __name__ == "__main__":
    main()
