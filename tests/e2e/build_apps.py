#!/usr/bin/env python3
"""Builds every program the end-to-end tests use, so that no test's time is a build's."""
import subprocess
import sys

from harness import APPS, SOURCES, clean_environment, compiler

PROGRAMS = ["demo", "hello", "qsort", "alloc", "deep", "osr", "generics", "shortthreads", "knownstack", "exitcode", "web", "load", "step",
            "exceptions", "emit", "tasks", "io", "native", "marks", "life", "hijack", "syscalls", "collections", "owns", "wall",
            "allocations", "kinds", "late", "owners", "pool", "unhandled", "framework", "runtimework", "names", "fsnames", "lines", "prepare",
            "async", "pending", "runtimeasync", "counted", "callers", "covered", "values", "unwound", "tails"]
LONGEST = ("qsort", "net10.0", "composite")
PUBLISHED = [("qsort", "net8.0", "selfcontained"), ("qsort", "net9.0", "selfcontained"),
             ("qsort", "net10.0", "selfcontained"), ("qsort", "net10.0", "singlefile"),
             ("generics", "net8.0", "selfcontained"), ("step", "net8.0", "selfcontained"),
             ("hijack", "net8.0", "selfcontained"), ("hijack", "net9.0", "selfcontained"),
             ("collections", "net8.0", "selfcontained"), ("collections", "net9.0", "selfcontained"),
             ("allocations", "net8.0", "selfcontained"), ("allocations", "net9.0", "selfcontained"),
             ("kinds", "net8.0", "selfcontained"), ("kinds", "net9.0", "selfcontained"),
             ("runtimework", "net8.0", "selfcontained"), ("runtimework", "net9.0", "selfcontained"), ("runtimework", "net10.0", "singlefile"),
             ("late", "net8.0", "selfcontained"), ("late", "net9.0", "selfcontained"),
             ("owners", "net8.0", "selfcontained"), ("owners", "net9.0", "selfcontained"),
             ("pool", "net8.0", "selfcontained"), ("pool", "net9.0", "selfcontained"),
             ("unhandled", "net8.0", "selfcontained"), ("unhandled", "net9.0", "selfcontained"),
             ("framework", "net8.0", "selfcontained"), ("framework", "net9.0", "selfcontained"),
             ("names", "net8.0", "selfcontained"),
             ("async", "net8.0", "selfcontained"), ("async", "net9.0", "selfcontained"),
             ("pending", "net8.0", "selfcontained"), ("pending", "net9.0", "selfcontained"),
             ("counted", "net8.0", "selfcontained"), ("counted", "net9.0", "selfcontained"),
             ("values", "net8.0", "selfcontained"), ("values", "net9.0", "selfcontained"),
             ("unwound", "net8.0", "selfcontained"), ("unwound", "net9.0", "selfcontained"),
             ("tails", "net8.0", "selfcontained"), ("tails", "net9.0", "selfcontained"),
             ("callers", "net8.0", "selfcontained"), ("callers", "net9.0", "selfcontained"),
             ("lines", "net10.0", "readytorun"), ("lines", "net8.0", "selfcontained"), ("lines", "net9.0", "selfcontained"),
             ("covered", "net10.0", "readytorun"), ("covered", "net8.0", "selfcontained"), ("covered", "net9.0", "selfcontained")]

programs = [LONGEST] + [(name, "net10.0", "framework") for name in PROGRAMS] + PUBLISHED
made = subprocess.run([SOURCES / "build.sh", "--all", APPS, *("/".join(one) for one in programs)], env=clean_environment(), check=False)
print(*compiler(300))
sys.exit(made.returncode)
