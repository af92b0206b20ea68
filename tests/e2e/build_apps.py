#!/usr/bin/env python3
"""Builds every program the end-to-end tests use, so that no test's time is a build's."""
import concurrent.futures
import os

from harness import app, compiler

PROGRAMS = ["demo", "hello", "qsort", "alloc", "deep", "osr", "generics", "shortthreads", "knownstack", "exitcode", "web", "load", "step",
            "exceptions", "emit", "tasks", "io", "native", "marks", "life", "hijack", "syscalls", "collections", "owns", "wall",
            "allocations", "kinds", "late", "owners", "pool", "unhandled", "framework"]
LONGEST = ("qsort", "net10.0", "composite")
PUBLISHED = [("qsort", "net8.0", "selfcontained"), ("qsort", "net9.0", "selfcontained"),
             ("qsort", "net10.0", "selfcontained"), ("qsort", "net10.0", "singlefile"),
             ("generics", "net8.0", "selfcontained"), ("step", "net8.0", "selfcontained"),
             ("hijack", "net8.0", "selfcontained"), ("hijack", "net9.0", "selfcontained"),
             ("collections", "net8.0", "selfcontained"), ("collections", "net9.0", "selfcontained"),
             ("allocations", "net8.0", "selfcontained"), ("allocations", "net9.0", "selfcontained"),
             ("kinds", "net8.0", "selfcontained"), ("kinds", "net9.0", "selfcontained"),
             ("late", "net8.0", "selfcontained"), ("late", "net9.0", "selfcontained"),
             ("owners", "net8.0", "selfcontained"), ("owners", "net9.0", "selfcontained"),
             ("pool", "net8.0", "selfcontained"), ("pool", "net9.0", "selfcontained"),
             ("unhandled", "net8.0", "selfcontained"), ("unhandled", "net9.0", "selfcontained"),
             ("framework", "net8.0", "selfcontained"), ("framework", "net9.0", "selfcontained")]

with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    made = [pool.submit(compiler, 300)]
    made += [pool.submit(app, *one) for one in [LONGEST] + [(name,) for name in PROGRAMS] + PUBLISHED]
    for one in made:
        print(*one.result(), flush=True)
