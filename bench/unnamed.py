#!/usr/bin/env python3
"""How much CPU time ends in frames whose name is only a library's, or [stub], without any symbol server; at 1 kHz.

  unnamed.py [SECONDS]   of the demo, the C# compiler and Kestrel under load; default 10

Libraries of the system count too. A name with what the runtime was doing ("[libcoreclr.so] collecting") is one.
"""
import pathlib
import re
import sys

from common import CLI, app, compiler, each_recorded, figure, run, workplace

NAMELESS = re.compile(r"\[(stub|[^\]: ]*\.(so|dll)\b[^\]: ]*)\]")


def unnamed(path: pathlib.Path) -> tuple[dict[str, int], int]:
    """By name of the frame, the weight that ends there; all weight."""
    collapsed = path.with_suffix(".collapsed")
    run([CLI, "convert", path, collapsed])
    found: dict[str, int] = {}
    total = 0
    for line in collapsed.read_text().splitlines():
        stack, _, weight = line.rpartition(" ")
        leaf = stack.rpartition(";")[2]
        total += int(weight)
        if NAMELESS.fullmatch(leaf):
            found[leaf] = found.get(leaf, 0) + int(weight)
    return found, total


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "10"
    programs = {"demo": [*app("demo"), seconds], "compiler": compiler(300)}
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        for program in each_recorded(path, programs, float(seconds)):
            found, total = unnamed(path)
            figure(f"unnamed_{program}", 100 * sum(found.values()) / total, "percent")
            for leaf, weight in sorted(found.items(), key=lambda one: -one[1])[:5]:
                figure(f"unnamed_{program}_{leaf.strip('[]').replace(' ', '_')}", 100 * weight / total, "percent")


if __name__ == "__main__":
    main()
