#!/usr/bin/env python3
"""How long a program stands for a look at its async methods that wait: 100,000 of them, a million objects (tests/apps/pending).

  pending.py [LOOKS]   default 20

On .NET 10 and 9. `run`: a look each 500 ms. `attach`: each look by an agent of its own, the longest of the walks it takes to know the
classes. `cpu` is the CPU time in a pause: what it takes where the machine is not busy.
"""
import json
import pathlib
import statistics
import sys
import time

from common import CLI, figure, run, workplace
from pending_test import RUNTIMES, Program

EACH, OTHERS = 4167, 865_000  # 24 methods of each kind


def figures(name: str, shown: list[dict]) -> None:
    pauses = [1000 * s["pause_seconds"] for s in shown]
    figure(f"{name}_objects", shown[-1]["objects"], "objects")
    figure(f"{name}_methods", shown[-1]["methods"], "methods")
    cpu = [1000 * s["cpu_seconds"] for s in shown]
    figure(f"{name}_cpu_least", min(cpu), "ms")
    figure(f"{name}_cpu_median", statistics.median(cpu), "ms")
    figure(f"{name}_cpu_most", max(cpu), "ms")
    figure(f"{name}_pause_least", min(pauses), "ms")
    figure(f"{name}_pause_median", statistics.median(pauses), "ms")
    figure(f"{name}_pause_most", max(pauses), "ms")


def main() -> None:
    looks = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for runtime in RUNTIMES[:2]:
        version = runtime[0].removeprefix("net").removesuffix(".0")
        with workplace() as folder:
            path = pathlib.Path(folder) / "out.walk"
            with Program(runtime, EACH, OTHERS, before=(CLI, "run", "-q", "--max-pause", "5s", "--events", "async=500ms", "-o", path, "--")) as program:
                time.sleep(0.6 * looks)
                program.end()
                total = sum(program.known.values())
            pending = json.loads(run([CLI, "report", path, "--pending", "--json"]))
            figures(f"pending_run_{version}", [s for s in pending["snapshots"] if s["operations"] == total])
        with Program(runtime, EACH, OTHERS) as program:
            total = sum(program.known.values())
            shown = []
            for _ in range(looks):
                done = program.look("--max-pause", "5s")
                shown.append(json.loads(done.stdout)["shown"])
                if shown[-1]["operations"] != total:
                    raise AssertionError(f"{shown[-1]} of {total} operations")
            figures(f"pending_attach_{version}", shown)
            program.end()


if __name__ == "__main__":
    main()
