#!/usr/bin/env python3
"""Whether those whom others wait for are found: the thread that the runtime waits for when it stops all, and the owner of a lock.

  culprits.py [TIMES]   default 20

`late` is waited for in five ways, TIMES of each, on .NET 8, 9 and 10. Of the time that the runtime waited 1 ms and more: the
share that has the right thread, and the right method in that thread's stack. `owners` is 20 programs in one (what the owner
does, which lock, which runtime), TIMES waits of each: the share of the waits whose owner has its stack, and that of stacks with
another method than the owner's.
"""
import json
import pathlib
import re
import sys

from common import CLI, app, figure, record, run, workplace

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
KINDS = ("Sleeps", "Reads", "Fills", "Kernel")  # Deep calls Reads
METHODS = ("Computes", "Sleeps", "Allocates")  # Hands calls Sleeps
MILLISECONDS = "20"


def report(path: pathlib.Path, event: str, value: str) -> dict:
    return json.loads(run([CLI, "report", path, "--event", event, "--value", value, "--top", "100000", "--json"]))


def of_methods(shown: dict, kind: str, names: tuple[str, ...], unit: str) -> float:
    return sum(row["total"][unit] for row in shown["top_total"]
               if any(row["name"].startswith(f"{kind}.{name}(") for name in names))


def late(path: pathlib.Path, runtime: tuple[str, str], times: str) -> tuple[float, float, float]:
    """Seconds waited, with the right thread, with the right method."""
    printed = record(path, "10ms", [*app("late", *runtime), times, MILLISECONDS], "--events", "cpu,gc")
    thread = re.search(r"^thread (\d+)$", printed, re.M)[1]
    shown = report(path, "gc", "waited for")
    by_thread = sum(row["seconds"] for row in shown["by_label"]["last thread"] if f"({thread})" in row["text"])
    return shown["total"]["seconds"], by_thread, of_methods(shown, "Late", KINDS, "seconds")


def owners(path: pathlib.Path, runtime: tuple[str, str], times: str) -> tuple[int, int, float, float]:
    """Waits, those whose owner has its stack, seconds held up, those with the owner's method."""
    printed = record(path, "10ms", [*app("owners", *runtime), times, MILLISECONDS], "--events", "cpu,locks")
    waits = sum(int(number) for number in re.findall(r"^\w+ (\d+) \d+$", printed, re.M))
    shown = report(path, "locks", "held up")
    return (waits, int(of_methods(shown, "Owner", METHODS, "samples")), shown["total"]["seconds"],
            of_methods(shown, "Owner", METHODS, "seconds"))


def main() -> None:
    times = sys.argv[1] if len(sys.argv) > 1 else "20"
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        waited, right_thread, right_stack = map(sum, zip(*(late(path, runtime, times) for runtime in RUNTIMES)))
        waits, found, held, right = map(sum, zip(*(owners(path, runtime, times) for runtime in RUNTIMES)))
    figure("late_provoked", 5 * len(RUNTIMES) * int(times), "count")
    figure("late_waited", waited * 1000, "ms")
    figure("late_right_thread", right_thread / waited * 100, "%")
    figure("late_right_stack", right_stack / waited * 100, "%")
    figure("owners_waits", waits, "count")
    figure("owners_found", found / waits * 100, "%")
    figure("owners_wrong", (1 - right / held) * 100 if held else 100, "%")


if __name__ == "__main__":
    main()
