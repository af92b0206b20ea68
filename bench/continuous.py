#!/usr/bin/env python3
"""Whether memory stays flat over days, in short: a program that compiles and drops code all the time, a file every 2 s.

  continuous.py [SECONDS [SITUATION]]   default 40, dynamicmethod; what else there is: tests/apps/emit

RSS of the program and of the collector, medians of the second and of the last quarter of the run (the first has the start
in it); for comparison the program's without walkabout, and with all in one file. The runtime compiles the program's loop
again when it has gone round often enough, which takes 3 MiB that malloc keeps: on a slow machine take a longer run.
"""
import pathlib
import subprocess
import sys
import time

from common import CLI, app, clean_environment, fail, figure, median, note, stats, workplace
from attaching import status_kb
from rings import child_of


def watch(processes: dict[str, int], seconds: float) -> dict[str, list[float]]:
    seen: dict[str, list[float]] = {name: [] for name in processes}
    end = time.monotonic() + seconds - 2
    while time.monotonic() < end:
        for name, pid in processes.items():
            seen[name].append(status_kb(pid, "VmRSS") / 1024)
        time.sleep(0.25)
    return seen


def growth(values: list[float]) -> tuple[float, float]:
    quarter = len(values) // 4
    return median(values[quarter:2 * quarter]), median(values[-quarter:])


def run(command: list, seconds: float, inner: bool) -> dict[str, list[float]]:
    process = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, env=clean_environment(), text=True)
    time.sleep(1)
    seen = watch({"collector": process.pid, "program": child_of(process.pid)} if inner else {"program": process.pid},
                 seconds)
    output = process.communicate()[1]
    if process.returncode != 0:
        fail(output)
    return seen


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 40
    program = [*app("emit"), sys.argv[2] if len(sys.argv) > 2 else "dynamicmethod", str(seconds)]
    with workplace() as folder:
        record = [CLI, "run", "-q", "-i", "1ms"]
        alone = run(program, seconds, False)
        seen = run([*record, "--every", "2s", "-o", pathlib.Path(folder) / "%n.walk", "--", *program], seconds, True)
        files = sorted(pathlib.Path(folder).glob("*.walk"), key=lambda path: int(path.stem))
        one = run([*record, "-o", pathlib.Path(folder) / "one.walk", "--", *program], seconds, True)
        all_stats = [stats(path) for path in files]
        note(f"{len(files)} files; nodes {[s['stack_nodes'] for s in all_stats]}")
        for name, values in (("program_alone", alone["program"]), ("program", seen["program"]),
                             ("collector", seen["collector"]), ("program_one_file", one["program"]),
                             ("collector_one_file", one["collector"])):
            early, late = growth(values)
            figure(f"continuous_{name}_early", round(early, 1), "MiB")
            figure(f"continuous_{name}_late", round(late, 1), "MiB")
        figure("continuous_files", len(files), "files")
        figure("continuous_unaccounted_ticks",
               sum(s["attempts"] - s["samples"] - sum(s["drops"].values()) for s in all_stats), "ticks")


if __name__ == "__main__":
    main()
