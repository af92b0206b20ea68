#!/usr/bin/env python3
"""What a clock of 99 Hz adds to each switch of a thread: a perf event, and the CPU timer that threads have which are switched
often. Two threads on one processor hand a byte to and fro.

  switches.py [ROUNDS]   default 30, the variants by turns; the medians are the figures
"""
import sys

from common import BUILD, figure, run


def main() -> None:
    for line in run([BUILD / "bin" / "switches_bench", sys.argv[1] if len(sys.argv) > 1 else "30"]).splitlines():
        name, value, unit = line.split()
        figure(name, float(value), unit)


if __name__ == "__main__":
    main()
