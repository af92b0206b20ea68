#!/usr/bin/env python3
"""What is lost when the target is killed with -9: the demo at 1 kHz, killed at a random moment.

  killed.py [KILLS]   default 20

Against the counters in the target's own shared memory, read after its end: ticks without a sample in the recording.
A tick is a millisecond of CPU time of one thread. killed_recovered: what the CLI took from that memory, which would be
lost without; killed_unnamed: frames of it whose code has no name.
"""
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time

from common import CLI, app, clean_environment, fail, figure, median, note, stats, workplace
from rings import Rings, child_of

FEWEST = 300  # ticks before the kill
MOST_DELAY = 0.7


def rings_of(process: subprocess.Popen) -> tuple[int, Rings]:
    for _ in range(500):
        try:
            target = child_of(process.pid)
            return target, Rings(target)
        except (AssertionError, OSError):
            time.sleep(0.02)
    fail("the demo did not start")


def kill_once(path: pathlib.Path, delay: float) -> tuple[int, int, int]:
    """(ticks lost, samples recovered, their frames without a name)."""
    command = [CLI, "run", "-q", "-o", path, "-i", "1ms", "--", *app("demo"), "60"]
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=clean_environment())
    target, rings = rings_of(process)
    while rings.taken()[0] < FEWEST:
        time.sleep(0.01)
    time.sleep(delay)
    os.kill(target, signal.SIGKILL)
    process.communicate()
    ticks = rings.taken()[0]
    rings.close()
    result = stats(path)
    text = " ".join(result["messages"])
    recovered = re.search(r"the last ([\d,]+) samples? came", text)
    unnamed = re.search(r"([\d,]+) frames? in code that", text)
    return (ticks - result["samples"], *(int(m[1].replace(",", "")) if m else 0 for m in (recovered, unnamed)))


def main() -> None:
    kills = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    random.seed(1)
    results = []
    with workplace() as name:
        for i in range(kills):
            results.append(kill_once(pathlib.Path(name) / "out.walk", random.uniform(0, MOST_DELAY)))
            note(f"kill {i + 1} of {kills}: lost {results[-1][0]} ms, recovered {results[-1][1]}, unnamed {results[-1][2]}")
    lost, recovered, unnamed = zip(*results)
    figure("killed_lost_median", median(lost), "ms")
    figure("killed_lost_max", max(lost), "ms")
    figure("killed_recovered_median", median(recovered), "ms")
    figure("killed_recovered_max", max(recovered), "ms")
    figure("killed_unnamed_max", max(unnamed), "frames")


if __name__ == "__main__":
    main()
