#!/usr/bin/env python3
"""Prints from what ctest wrote (standard input, --output-on-failure) each failed test's line and the last lines of its output.

With many tests a log's reader sees its end only: `./dev test` prints this there."""
import re
import sys

RESULT = re.compile(r"^\s*\d+/\d+ Test\s+#\d+: (?P<name>.*?) ?\.\.+(?P<outcome>.*)$")
KEPT_LINES = 40


def failed(lines):
    """[(the test's line, its output's lines)]"""
    found = []
    current = None
    for line in lines:
        result = RESULT.match(line)
        if result:
            current = None
            if "***" in result["outcome"] and "***Skipped" not in result["outcome"]:
                current = (f"{result['name']} {result['outcome'].strip()}", [])
                found.append(current)
        elif re.match(r"^\s+Start\s+\d+: ", line) or re.match(r"^\d+% tests passed", line):
            current = None
        elif current:
            current[1].append(line)
    return found


def main():
    for name, output in failed(sys.stdin.read().splitlines()):
        print(f"FAILED {name}")
        shown = [line for line in output if line.strip()][-KEPT_LINES:]
        print("\n".join(f"  | {line}" for line in shown))


if __name__ == "__main__":
    main()
