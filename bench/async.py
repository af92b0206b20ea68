#!/usr/bin/env python3
"""Async stacks against what a program's names say, at 1 kHz with small generations: how many are whole, ended, unknown, wrong.

  async.py [SECONDS] [TFM]   default 10, net10.0; others are self-contained

Shares are of the samples inside of async methods, those while all threads are stopped included. An unknown one is counted by why.
"""
import collections
import pathlib
import re
import sys

from common import CLI, ROOT, app, clean_environment, figure, note, run, workplace

sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from async_test import Judge  # noqa: E402

UNKNOWN = re.compile(r"^\[unknown awaiters[^;]*\]|^\[unknown frames\]|^\[completed\]")


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "10"
    tfm = sys.argv[2] if len(sys.argv) > 2 else "net10.0"
    program = app("async", tfm, "framework" if tfm == "net10.0" else "selfcontained")
    with workplace() as name:
        path, collapsed = pathlib.Path(name) / "out.walk", pathlib.Path(name) / "out.collapsed"
        run([CLI, "run", "-q", "--async", "-i", "1ms", "-o", path, "--", *program, seconds],
            env=clean_environment(DOTNET_GCgen0size="0x100000"))
        run([CLI, "convert", "--async", path, collapsed])
        judge = Judge(collapsed)
        why: collections.Counter = collections.Counter()
        run([CLI, "convert", "--async", "--unfold", path, collapsed])
        for line in collapsed.read_text().splitlines():
            found = UNKNOWN.match(line)
            if found:
                why[found[0]] += int(line.rsplit(" ", 1)[1])
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
