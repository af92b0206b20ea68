#!/usr/bin/env python3
"""Proves what the signal handler can call.    check_handler_symbols.py ALLOWLIST FILE…

FILE…: the archives and objects of everything that runs in the handler. What they need from outside of themselves must
stand in ALLOWLIST: one symbol a line, '#' begins a comment that says why it is safe.
"""
import pathlib
import subprocess
import sys

from tree import finish


def symbols(paths: list[str]) -> tuple[set[str], set[str]]:
    """(defined, needed) by these files, names as the linker sees them."""
    defined, needed = set(), set()
    for line in subprocess.check_output(["nm", "--format=posix", *paths], text=True).splitlines():
        fields = line.split()
        if len(fields) < 2 or len(fields[1]) != 1:
            continue  # an archive member's heading
        if fields[1] in "Uwv":
            needed.add(fields[0])
        else:
            defined.add(fields[0])
    return defined, needed


def read_allowlist(text: str) -> set[str]:
    return {line.split("#")[0].strip() for line in text.splitlines()} - {""}


def problems(defined: set[str], needed: set[str], allowed: set[str]) -> list[str]:
    if not defined:
        return ["the files define no symbol at all: is this what runs in the handler?"]
    return [f"{name}: called from the signal handler, but not known to be safe there (tools/handler_symbols.txt)"
            for name in sorted(needed - defined - allowed)]


def main() -> None:
    allowed = read_allowlist(pathlib.Path(sys.argv[1]).read_text())
    defined, needed = symbols(sys.argv[2:])
    unused = allowed - needed
    if unused:
        print("allowed but not called in this build:", ", ".join(sorted(unused)))
    finish(problems(defined, needed, allowed), "symbols of the handler")


if __name__ == "__main__":
    main()
