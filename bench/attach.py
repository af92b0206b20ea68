#!/usr/bin/env python3
"""What `walkabout attach` takes, and what it leaves behind in the process.

  attach.py [CYCLES]   attaches and detaches under load; default 100

The target is a web service under load from a second process, from before the first cycle until after the last.
Counted: from the start of the CLI to the first sample (median, 95th percentile and worst over the cycles), requests that
failed, and VmRSS after the last cycle against after the first, each the median over three seconds under load (the garbage
collector moves it up and down). A process also grows by itself while its runtime compiles and its heaps settle, so a second
service, under the same load for as long, is never attached to, and its growth is reported too.
"""
import pathlib
import sys
import time

from common import fail, figure, median, note, workplace
from attaching import SECONDS_A_CYCLE, Service, cycle, descriptors, status_kb

WARM_SECONDS = 20  # until the runtime has compiled what it will and its heap has found its size
LOOKS, PAUSE = 30, 0.1
DURATION = "300ms"


def rss_mib(service: Service) -> float:
    looks = []
    for _ in range(LOOKS):
        looks.append(status_kb(service.pid, "VmRSS") / 1024)
        time.sleep(PAUSE)
    return median(looks)


def growth_without_us(seconds: float) -> float:
    service = Service()
    try:
        service.begin_load(WARM_SECONDS + seconds + 3 * LOOKS * PAUSE)
        time.sleep(WARM_SECONDS)
        first = rss_mib(service)
        time.sleep(seconds)
        added = rss_mib(service) - first
        service.end_load()
        service.stop()
        return added
    finally:
        service.kill()


def main() -> None:
    cycles = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    service = Service()
    try:
        with workplace() as name:
            path = pathlib.Path(name) / "out.walk"
            service.begin_load(WARM_SECONDS + cycles * SECONDS_A_CYCLE + 2 * LOOKS * PAUSE)
            time.sleep(WARM_SECONDS)
            cycle(service, path, DURATION)
            first, files = rss_mib(service), descriptors(service.pid)
            began = time.monotonic()
            waits, samples = [], 0
            for i in range(cycles - 1):
                stats = cycle(service, path, DURATION)
                samples += stats["samples"]
                waits += [stats["to_first_sample"]] if stats["samples"] else []
                if i % 10 == 9:
                    note(f"{i + 1} cycles, first sample after {median(waits) * 1e3:.0f} ms, "
                         f"RSS {status_kb(service.pid, 'VmRSS') / 1024:.1f} MiB")
            lasted = time.monotonic() - began
            last, files = rss_mib(service), descriptors(service.pid) - files
            result = service.end_load()
        ended = service.stop()
        if ended.returncode != 0:
            fail(f"the service ended with {ended}")
    finally:
        service.kill()
    figure("attach_cycles", cycles, "cycles")
    figure("attach_requests", result["requests"], "requests")
    figure("attach_requests_failed", result["failures"], "requests")
    figure("attach_samples", samples, "samples")
    figure("attach_first_sample_median", median(waits) * 1e3, "ms")
    figure("attach_first_sample_p95", sorted(waits)[len(waits) * 95 // 100] * 1e3, "ms")
    figure("attach_first_sample_worst", max(waits) * 1e3, "ms")
    figure("attach_rss_after_first", first, "MiB")
    figure("attach_rss_added_by_the_others", last - first, "MiB")
    figure("attach_rss_added_without_us", growth_without_us(lasted), "MiB")
    figure("attach_descriptors_added", files, "descriptors")


if __name__ == "__main__":
    main()
