#!/usr/bin/env python3
"""What a short thread costs the target: CPU time of a program that starts and ends many, alone and profiled at 99 Hz.

  births.py [ROUNDS] [THREADS]   default 9, 4000

Their start and end alone (no work of their own), in batches of four; user and system time of the target as the kernel has it when
it is waited for.
"""
import pathlib
import sys

from common import CLI, WRAPPER, app, figure, interleaved, median, run, workplace


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 9
    threads = int(sys.argv[2]) if len(sys.argv) > 2 else 4000
    with workplace() as name:
        folder = pathlib.Path(name)
        target = [sys.executable, "-B", WRAPPER, folder / "cpu", *app("shortthreads"), threads, 0]

        def microseconds_a_thread(*profiler) -> float:
            run([*profiler, *target])
            return float((folder / "cpu").read_text().split()[0]) / threads * 1e6

        taken = interleaved(rounds, {
            "alone": microseconds_a_thread,
            "profiled": lambda: microseconds_a_thread(CLI, "run", "-q", "-i", "10ms", "-o", folder / "out.walk", "--"),
        })
    figure("births_alone", median(taken["alone"]), "us")
    figure("births_added", median([a - b for a, b in zip(taken["profiled"], taken["alone"])]), "us")


if __name__ == "__main__":
    main()
