#!/usr/bin/env python3
"""What `walkabout trace --all` costs: every call hooked, no precompiled code, nothing inlined.

  trace_all.py [ROUNDS]   default 5

CPU time of whole programs, with all over plain: one that ends at once, the C# compiler, and one that works steadily (tests/apps/counted). And the
nanoseconds that a call of a method costs more, as the program measures it itself: the least of many short runs. Medians of rounds.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

from common import figure, median
from harness import app, clean_environment, compiler, with_agent

COUNTED = [*app("counted"), "2", "2000"]
PROGRAMS = {"hello": app("hello"), "compiler": compiler(300), "counted": COUNTED}


def environment(traced: bool, folder: str) -> dict[str, str]:
    return with_agent(WALKABOUT_STREAM=str(pathlib.Path(folder) / "raw"), WALKABOUT_TRACE_ALL="1") if traced else clean_environment()


def cpu_seconds(command: list, env: dict[str, str]) -> float:
    process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{command}: exit {process.returncode}")
    return used.ru_utime + used.ru_stime


def spin(env: dict[str, str]) -> float:
    process = subprocess.Popen([*app("counted"), "1", "1", "wait"], env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process.stdout.readline()
    answers = []
    for _ in range(2):
        process.stdin.write("spin\n")
        process.stdin.flush()
        answers.append(float(process.stdout.readline()))
    process.communicate()
    return min(answers)


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as folder:
        for name, command in PROGRAMS.items():
            seconds = {traced: [cpu_seconds(command, environment(traced, folder)) for _ in range(rounds)] for traced in (False, True)}
            figure(f"all_{name}_plain", median(seconds[False]), "s")
            figure(f"all_{name}", median(seconds[True]) / median(seconds[False]), "ratio")
        figure("all_call_more", median([spin(environment(True, folder)) - spin(environment(False, folder)) for _ in range(rounds)]), "ns")


if __name__ == "__main__":
    main()
