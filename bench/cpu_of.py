#!/usr/bin/env python3
"""Runs a command and writes its CPU time (user and system, of it and of the children it waited for) to a file.

  cpu_of.py FILE COMMAND…

Stands between a profiler and its target, so that the target's time alone is counted, whoever started it.
"""
import os
import sys

child = os.fork()
if child == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
with open(sys.argv[1], "w", encoding="ascii") as out:
    out.write(f"{usage.ru_utime + usage.ru_stime:.6f}\n")
sys.exit(os.waitstatus_to_exitcode(status) & 0xff)
