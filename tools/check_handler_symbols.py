#!/usr/bin/env python3
"""Proves what the signal handler can call.    check_handler_symbols.py ALLOWLIST --root NAME… --in FILE…

NAME: functions the handler begins in, or calls through a pointer (as C++ says them, without parameters). FILE: the
archives with their code. The linker finds every function that can be reached from the roots; what these need from
outside must stand in ALLOWLIST: one symbol a line, '#' begins a comment that says why it is safe.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

from tree import finish


def nm(*arguments: str) -> list[list[str]]:
    listing = subprocess.check_output(["nm", "--format=posix", *arguments], text=True)
    return [fields for fields in map(str.split, listing.splitlines()) if len(fields) >= 2 and len(fields[1]) == 1]


def mangled(roots: list[str], archives: list[str]) -> list[str]:
    """The symbols of these functions."""
    names = sorted({fields[0] for fields in nm("--defined-only", *archives) if fields[1] in "Tt"})
    readable = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    found = dict(zip((name.split("(")[0] for name in readable.stdout.splitlines()), names))
    for root in roots:
        if root not in found:
            sys.exit(f"check_handler_symbols: no function {root} in these files; is it what runs in the handler?")
    return [found[root] for root in roots]


def without_initializers(archive: str, copy: str) -> str:
    """What runs at load time is linked in with its object, and is not called by the handler."""
    subprocess.check_call(["objcopy", "--remove-section=.init_array*", "--remove-section=.fini_array*", archive, copy])
    return copy


def needed(roots: list[str], archives: list[str]) -> set[str]:
    """What everything reachable from the roots needs from outside of the archives."""
    symbols = mangled(roots, archives)
    with tempfile.TemporaryDirectory() as folder:
        linked = f"{folder}/reachable.o"
        archives = [without_initializers(archive, f"{folder}/{i}.a") for i, archive in enumerate(archives)]
        keep = [part for symbol in symbols for part in ("-u", symbol)]
        subprocess.check_call(["ld", "-r", "--gc-sections", "-e", symbols[0], *keep, "-o", linked,
                               "--start-group", *archives, "--end-group"])
        undefined = {fields[0] for fields in nm("--undefined-only", linked)}
        # The linker keeps the names of what it dropped; only what code or data still refers to is called.
        return undefined & referred_to(linked)


def referred_to(path: str) -> set[str]:
    """Symbols of relocations in sections that are loaded and run."""
    names, counts = set(), False
    for line in subprocess.check_output(["readelf", "--relocs", "--wide", path], text=True).splitlines():
        if line.startswith("Relocation section"):
            section = line.split("'")[1]
            counts = not section.startswith((".rela.debug", ".rela.eh_frame"))
        fields = line.split()
        if counts and len(fields) > 4 and fields[2].startswith("R_") and fields[2] != "R_X86_64_NONE":
            names.add(fields[4])
    return names


def read_allowlist(text: str) -> set[str]:
    return {line.split("#")[0].strip() for line in text.splitlines()} - {""}


def problems(called: set[str], allowed: set[str]) -> list[str]:
    return [f"{name}: can be called from the signal handler, but is not known to be safe there (tools/handler_symbols.txt)"
            for name in sorted(called - allowed)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("allowlist", type=pathlib.Path)
    parser.add_argument("--root", nargs="+", required=True)
    parser.add_argument("--in", nargs="+", required=True, dest="archives")
    arguments = parser.parse_args()
    allowed = read_allowlist(arguments.allowlist.read_text())
    called = needed(arguments.root, arguments.archives)
    if allowed - called:
        print("allowed but not called in this build:", ", ".join(sorted(allowed - called)))
    finish(problems(called, allowed), "symbols of the handler")


if __name__ == "__main__":
    main()
