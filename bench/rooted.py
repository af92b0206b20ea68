#!/usr/bin/env python3
"""How many stacks are whole, program by program, at 1 kHz.

  rooted.py [SECONDS]   of the demo, the qsort program and the load on Kestrel; default 10

Rooted: the walk reached the thread's entry. For the qsort program also: of the samples that have a comparer on the
stack, those that have libc's qsort below it and the method that called qsort, and Main, below that, in this order.
"""
import pathlib
import sys

from common import app, compiler, each_recorded, figure, run, stats, workplace, CLI

CALLERS = {"NativeSort.Program.ComparePointers(": "NativeSort.Program.SortByPointer(",
           "NativeSort.Program.CompareByDelegate(": "NativeSort.Program.SortByDelegate("}


def position(stack: list[str], wanted: str) -> int:
    return next((i for i, frame in enumerate(stack) if frame.startswith(wanted)), -1)


def whole(stack: list[str], comparer: str, caller: str) -> bool:
    """stack: root first."""
    run_at, caller_at, comparer_at = (position(stack, name) for name in ("NativeSort.Program.Run(", caller, comparer))
    libc = any("qsort" in frame or "msort" in frame for frame in stack[caller_at + 1:comparer_at])
    return 0 <= run_at < caller_at < comparer_at and libc


def callbacks(path: pathlib.Path) -> None:
    collapsed = path.with_suffix(".collapsed")
    run([CLI, "convert", path, collapsed])
    inside = good = 0
    for line in collapsed.read_text().splitlines():
        stack, _, weight = line.rpartition(" ")
        frames = stack.split(";")
        for comparer, caller in CALLERS.items():
            if position(frames, comparer) >= 0:
                inside += int(weight)
                good += int(weight) if whole(frames, comparer, caller) else 0
    figure("callback_whole_qsort", 100 * good / inside, "percent")
    figure("callback_weight_qsort", inside, "weight")


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "10"
    programs = {"demo": [*app("demo"), seconds], "qsort": [*app("qsort"), seconds], "compiler": compiler(300)}
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        for program in each_recorded(path, programs, float(seconds)):
            result = stats(path)
            figure(f"rooted_{program}", 100 * result["rooted"] / result["samples"], "percent")
            figure(f"rooted_samples_{program}", result["samples"], "samples")
            figure(f"weights_over_cpu_{program}", result["cpu_weight_seconds"] / result["process_cpu_seconds"], "ratio")
            if program == "qsort":
                callbacks(path)


if __name__ == "__main__":
    main()
