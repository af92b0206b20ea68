#!/usr/bin/env python3
"""Functions of every kind that F# names in a way of its own (tests/apps/fsnames)."""
import re

from harness import SOURCES, EndToEnd, app, main


def line(text: str) -> int:
    """Where the program's source has it."""
    lines = (SOURCES / "fsnames" / "Program.fs").read_text().splitlines()
    return next(i for i, one in enumerate(lines, 1) if text in one)


class FSharpNames(EndToEnd):
    def test_every_kind_of_function(self) -> None:
        recording = self.record(app("fsnames") + ["3"], "--interval", "1ms")
        names = {function["name"] for function in recording.report("--top", "100000")["top_total"]}
        listing = "\n".join(sorted(name for name in names if name.startswith("Naming")))
        program = "Naming.Program."
        for wanted in ["main(string[])", "spin(int)", "Shape.Area.get()", "(|Even|Odd|)(int)", "(++>)(int, int)", "mapper("]:
            self.assertTrue(any(name.startswith(program + wanted) for name in names), f"{wanted}\n{listing}")
        for wanted in [rf"mapper\.\(closure( #\d+)? at line {line('List.map')}\)", rf"main\.\(closure( #\d+)? at line {line('List.iter')}\)",
                       r"items\(…\) \[iterator at line \d+\]", r"work\(…\) \[async at line \d+.*\]", r"old\.\(closure( #\d+)? at line \d+\)"]:
            self.assertTrue(any(re.fullmatch(re.escape(program) + wanted, name) for name in names), f"{wanted}\n{listing}")


if __name__ == "__main__":
    main()
