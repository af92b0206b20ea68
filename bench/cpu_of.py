#!/usr/bin/env python3
"""Runs a command and writes what it took to a file: its CPU time in seconds (user and system, of it and of the children
it waited for), its peak RSS in KiB, its process id, and this wrapper's own CPU time in seconds.

  cpu_of.py FILE COMMAND…

Stands between a profiler and its target, so that the target's time alone is counted, whoever started it.
"""
import os
import sys
import time

child = os.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write(f"{usage.ru_utime + usage.ru_stime:.6f} {usage.ru_maxrss} {child} {time.process_time():.6f}\n")
os._exit(os.waitstatus_to_exitcode(status) & 0xff)  # nothing more that nobody counts
