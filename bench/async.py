#!/usr/bin/env python3
"""Async stacks against what a program's names say, at 1 kHz with small generations: how many are whole, ended, unknown, wrong.

  async.py [SECONDS] [TFM]         default 10, net10.0; others are self-contained
  async.py cost [SECONDS] [TFM] [ROUNDS]   default 10, net10.0, 5: what the chains cost

Shares are of the samples inside of async methods, those while all threads are stopped included. An unknown one is counted by why.
Cost: of a chain of ten that lives long, and of one of new objects, in a gen0 of 1 MB and in the usual one: the handlers' time a
sample with --async less that without, in runs by turns. The agent's share at 99 Hz with --async: of the program of all constructs, all of whose time is in async methods.
"""
import collections
import pathlib
import re
import sys

from common import CLI, ROOT, app, clean_environment, figure, interleaved, median, note, record, run, stats, workplace

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from async_test import Judge  # noqa: E402
from harness import Recording  # noqa: E402

UNKNOWN = re.compile(r"\[(unknown awaiters.*|unknown frames|completed)\]$")


def program_of(tfm: str) -> list:
    return app("async", tfm, "framework" if tfm == "net10.0" else "selfcontained")


def cost(seconds: str, tfm: str, rounds: int) -> None:
    cycles_a_second = 1e6 * float(re.search(r"^cpu MHz\s*: ([\d.]+)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1])
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"

        def recorded(interval: str, *options: str, arguments: tuple = (), before: tuple = ()) -> dict:
            record(path, interval, [*before, *program_of(tfm), seconds, *arguments], *options)
            return stats(path)

        def cycles_a_sample(*options: str, chain: str, before: tuple) -> float:
            result = recorded("1ms", *options, arguments=(chain,), before=before)
            return cycles_a_second * result["handler_cpu_seconds"] / result["samples"]

        def share(*options: str) -> float:
            result = recorded("99hz", *options)
            return 100 * result["agent_cpu_seconds"] / result["process_cpu_seconds"]

        small = ("env", "DOTNET_GCgen0size=0x100000")
        for name, chain, before in (("deep", "deep", ()), ("churn", "churn", small), ("churn_usual_gen0", "churn", ())):
            taken = interleaved(rounds, {"with": lambda c=chain, b=before: cycles_a_sample("--async", chain=c, before=b),
                                         "without": lambda c=chain, b=before: cycles_a_sample(chain=c, before=b)})
            for which, values in taken.items():
                figure(f"async_handler_{which}_{name}", median(values), "cycles")
            figure(f"async_chain_{name}", median([a - b for a, b in zip(taken["with"], taken["without"])]), "cycles")
        taken = interleaved(rounds, {"with": lambda: share("--async"), "without": share})
        for which, values in taken.items():
            figure(f"async_share_99hz_{which}", median(values), "percent")


def main() -> None:
    if sys.argv[1:2] == ["cost"]:
        seconds, tfm, rounds = (sys.argv[2:] + ["10", "net10.0", "5"][len(sys.argv) - 2:])[:3]
        return cost(seconds, tfm, int(rounds))
    seconds = sys.argv[1] if len(sys.argv) > 1 else "10"
    tfm = sys.argv[2] if len(sys.argv) > 2 else "net10.0"
    why: collections.Counter = collections.Counter()
    with workplace() as name:
        recording = Recording(pathlib.Path(name) / "out.walk", None)
        run([CLI, "run", "-q", "--async", "-i", "1ms", "-o", recording.path, "--", *program_of(tfm), seconds],
            env=clean_environment(DOTNET_GCgen0size="0x100000"))
        judge = Judge(recording.stacks("--async"))
        for frames, weight in recording.stacks("--async", "--unfold"):
            if UNKNOWN.match(frames[0]):
                why[frames[0]] += weight
    wrong = sum(judge.wrong.values())
    total = judge.whole + judge.ended + judge.delegates + judge.unknown + wrong
    figure("async_total", total, "us")
    for kind, weight in (("whole", judge.whole), ("ended", judge.ended), ("delegates", judge.delegates), ("unknown", judge.unknown), ("wrong", wrong)):
        figure(f"async_{kind}", 100 * weight / max(total, 1), "percent")
    for cause, weight in why.most_common():
        figure("async_because_" + re.sub(r"\W+", "_", cause).strip("_"), 100 * weight / max(total, 1), "percent")
    for stack, weight in judge.wrong.most_common(5):
        note(f"wrong, {weight}: {stack}")


if __name__ == "__main__":
    main()
