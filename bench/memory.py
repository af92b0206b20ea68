#!/usr/bin/env python3
"""What is held of a day's worth of distinct stacks: by the agent, the collector, and whoever reads the recording.

  memory.py [STACKS [SECONDS]]   default 100,000,000 and 60; 0 leaves one part out

STACKS: bench/memory_bench.cc feeds so many into the agent's own rings and spooler, as fast as they are taken; the
agent's memory before and after, the collector's at its largest, then report, stats and convert on the recording. All
samples must be in it. SECONDS: tests/apps/varied, a .NET program, at the highest rate: its memory in the second and
in the last quarter of the run, with and without walkabout.
"""
import json
import pathlib
import subprocess
import sys
import threading
import time

from common import BUILD, CLI, app, clean_environment, fail, figure, median, run, stats, workplace
from attaching import status_kb

BIN = BUILD / "bin"


def collectors(recording: pathlib.Path) -> list[int]:
    """The process that writes it."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and b"collect" in (entry / "cmdline").read_bytes() and \
                    f"WALKABOUT_OUTPUT={recording}".encode() in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            pass  # it has ended, or is not ours
    return found


def watch(recording: pathlib.Path, done: threading.Event, peak: list[int]) -> None:
    while not done.wait(0.5):
        for pid in collectors(recording):
            try:
                peak[0] = max(peak[0], status_kb(pid, "VmHWM"))
            except OSError:
                pass


def feed(stacks: int, recording: pathlib.Path) -> None:
    env = {**clean_environment(), "WALKABOUT_CLI": str(CLI), "WALKABOUT_OUTPUT": str(recording)}
    done, peak = threading.Event(), [0]
    watcher = threading.Thread(target=watch, args=(recording, done, peak))
    watcher.start()
    print(run([BIN / "memory_bench", stacks], env), end="", flush=True)
    while collectors(recording):  # it names native code and writes the last block
        time.sleep(0.1)
    done.set()
    watcher.join()
    figure("memory_collector_peak_mib", peak[0] / 1024, "MiB")
    result = stats(recording)
    figure("memory_recording_mib", recording.stat().st_size / (1 << 20), "MiB")
    figure("memory_samples", result["samples"], "samples")
    figure("memory_nodes_a_sample", result["stack_nodes"] / result["samples"], "nodes")
    if result["samples"] != stacks or result["attempts"] != stacks:
        fail(f"{stacks} samples were taken, {result['samples']} are in the recording")


def measure(name: str, command: list) -> None:
    for line in run([BIN / "report_bench", "measure", "1", *command]).splitlines():
        key, value = line.split()
        figure(key.replace("report_", f"memory_{name}_"), float(value), "s" if "seconds" in key else "MiB")


def read(recording: pathlib.Path, stacks: int) -> None:
    measure("report", [CLI, "report", recording])
    measure("stats", [CLI, "stats", recording])
    measure("pprof", [CLI, "convert", recording, recording.with_suffix(".pb.gz")])
    measure("html", [CLI, "convert", recording, recording.with_suffix(".html")])
    total = json.loads(run([CLI, "report", recording, "--json", "--top", "1"]))["total"]["samples"]
    if total != stacks:
        fail(f"{stacks} samples were taken, the report counts {total}")


def resident(command: list) -> tuple[float, float]:
    out = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=True,
                         env=clean_environment(), stdin=subprocess.DEVNULL).stdout
    values = [int(line.split()[1]) / 1024 for line in out.splitlines() if line.startswith("VmRSS ")]
    quarter = len(values) // 4
    return median(values[quarter:2 * quarter]), median(values[-quarter:])


def program(seconds: int, folder: pathlib.Path) -> None:
    target = [*app("varied"), seconds]
    for name, command in (("alone", target),
                          ("recorded", [CLI, "run", "-q", "-i", "100us", "-o", folder / "varied.walk", "--", *target])):
        early, late = resident(command)
        figure(f"memory_varied_{name}_early_mib", early, "MiB")
        figure(f"memory_varied_{name}_late_mib", late, "MiB")
    result = stats(folder / "varied.walk")
    figure("memory_varied_samples", result["samples"], "samples")
    figure("memory_varied_nodes", result["stack_nodes"], "nodes")


def main() -> None:
    stacks, seconds = (int(a) for a in (sys.argv[1:] + ["100000000", "60"][len(sys.argv) - 1:])[:2])
    with workplace() as name:
        folder = pathlib.Path(name)
        if stacks:
            feed(stacks, folder / "fed.walk")
            read(folder / "fed.walk", stacks)
        if seconds:
            program(seconds, folder)


if __name__ == "__main__":
    main()
