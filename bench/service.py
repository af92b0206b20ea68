#!/usr/bin/env python3
"""What the default set of events costs a web service under constant load, and what dotnet-trace costs with the same kinds.

  service.py [ROUNDS]   default 30

One ASP.NET Core service and one client of four connections, which asks again as soon as it is answered, on the same machine. In
each round a window without a profiler, one with `walkabout attach --events default` and one with `dotnet-trace collect`, the
order another one each round. Of a window the seconds count that begin a second or more behind the profiler's start and end
before its end: the requests that were answered in them, and the median of their 99th percentiles of latency. A ratio is taken
between two windows of one round; the figure is the median over the rounds. A profiler's own process is on the machine too.
"""
import pathlib
import subprocess
import sys
import threading
import time

from common import CLI, app, clean_environment, fail, figure, median, note, workplace
from attaching import Service
from peers_tools import DOTNET_TRACE, install_dotnet_trace

WARM_SECONDS = 20
BEGINS, COUNTS, ENDS = 1.0, 4, 1.0  # of a window: seconds that do not count, that do, and until the profiler is gone
# GC, exceptions, contention, threads, samples of allocations; and the stacks of all threads.
PROVIDERS = "Microsoft-Windows-DotNETRuntime:0x8000001C001:4,Microsoft-DotNETCore-SampleProfiler"


class Client:
    """The seconds of the load: when each ended, requests, 99th percentile in us."""

    def __init__(self, port: str, seconds: float) -> None:
        command = [*app("load"), port, str(seconds), "4", "each"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_environment())
        self.seconds: list[tuple[float, int, float]] = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        for line in self.process.stdout:
            if line.startswith("second "):
                _, requests, latency = line.split()
                self.seconds.append((time.monotonic(), int(requests), float(latency)))

    def between(self, begin: float, end: float) -> tuple[float, float]:
        """Requests a second and latency."""
        inside = [(requests, latency) for at, requests, latency in self.seconds if begin + 1 <= at <= end]
        if not inside:
            fail("the client has told of no second: is the machine too busy?")
        return sum(requests for requests, _ in inside) / len(inside), median([latency for _, latency in inside])


def profiled(command: list, seconds: float) -> None:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=clean_environment(), timeout=seconds + 60, check=False)
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {command}\n{done.stdout}{done.stderr}")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    install_dotnet_trace()
    service = Service()
    length = BEGINS + COUNTS + 1
    client = Client(service.port, WARM_SECONDS + rounds * 3 * (length + ENDS + 8))
    try:
        with workplace() as name:
            folder = pathlib.Path(name)
            tools = {
                "alone": ["sleep", length],
                "walkabout": [CLI, "attach", service.pid, "-q", "--events", "default", "-d", f"{length}s", "-o", folder / "out.walk"],
                "dotnet_trace": [DOTNET_TRACE, "collect", "-p", service.pid, "--providers", PROVIDERS,
                                 "--duration", f"00:00:00:{length:02.0f}", "-o", folder / "out.nettrace"],
            }
            time.sleep(WARM_SECONDS)
            taken: dict[str, list[tuple[float, float]]] = {tool: [] for tool in tools}
            names = list(tools)
            for number in range(rounds):
                for tool in names[number % 3:] + names[:number % 3]:
                    began = time.monotonic()
                    running = threading.Thread(target=profiled, args=(tools[tool], length))
                    running.start()
                    time.sleep(length)
                    taken[tool].append(client.between(began + BEGINS, began + length))
                    running.join()
                    time.sleep(ENDS)
                note(f"round {number + 1} of {rounds}: " + "  ".join(
                    f"{tool} {taken[tool][-1][0]:.0f}/s p99 {taken[tool][-1][1]:.0f} us" for tool in names))
    finally:
        client.process.kill()
        service.stop()
    figure("service_requests_alone", median([requests for requests, _ in taken["alone"]]), "per_second")
    figure("service_p99_alone", median([latency for _, latency in taken["alone"]]), "us")
    for tool in ["walkabout", "dotnet_trace"]:
        for part, name in enumerate(["throughput", "p99"]):
            ratios = [with_it[part] / without[part] for with_it, without in zip(taken[tool], taken["alone"])]
            figure(f"service_{name}_{tool}", median(ratios), "ratio")


if __name__ == "__main__":
    main()
