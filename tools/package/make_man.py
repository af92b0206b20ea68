#!/usr/bin/env python3
"""Writes walkabout(1) from what the program's own help says.    make_man.py WALKABOUT VERSION > walkabout.1"""
import pathlib
import sys

from cli_help import Option, Verb, read_verbs

HEAD = """.TH WALKABOUT 1 "" "walkabout {version}" "User Commands"
.SH NAME
walkabout \\- CPU profiler for .NET that shows whole stacks: managed, native and runtime frames
.SH SYNOPSIS
{synopsis}
.SH DESCRIPTION
walkabout runs a .NET program with a small agent inside it, which walks the stack of each thread as it uses CPU time, and
explains in another process where the time went. It needs no root, does not stop the runtime, and changes nothing in the
program. What it cannot see is counted and shown.
.SH COMMANDS
"""
TAIL = """.SH ENVIRONMENT
Without the command line the agent is started by the runtime's own variables (CORECLR_ENABLE_PROFILING, CORECLR_PROFILER,
CORECLR_PROFILER_PATH) and these:
.TP
.B WALKABOUT_EVENTS
what to sample, as --events
.TP
.B WALKABOUT_INTERVAL
CPU time between samples, 100us to 1s
.TP
.B WALKABOUT_ENGINE
auto, perf or timer
.TP
.B WALKABOUT_DEPTH
frames kept of one stack
.TP
.B WALKABOUT_ORACLE
1: also run the CLR's own walk
.TP
.B WALKABOUT_LINES
1: also the source lines of managed code
.TP
.B WALKABOUT_BESIDE
1: be loaded as a notification profiler, next to the one in the profiler slot
.SH SEE ALSO
.BR perf (1)
"""


def escape(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def option(one: Option) -> list[str]:
    names = ", ".join(f"\\fB{escape(name)}\\fR" for name in one.names)
    value = f" \\fI{escape(one.placeholder)}\\fR" if one.value else ""
    return [".TP", names + value, escape(one.text)]


def footer(text: str) -> list[str]:
    lines = []
    indented = False
    for line in text.splitlines():
        if line.startswith("  ") != indented:
            indented = not indented
            lines.append(".nf" if indented else ".fi")
        lines.append(escape(line) if line else ".PP")
    return [".PP", *lines] + ([".fi"] if indented else [])


def command(verb: Verb) -> list[str]:
    lines = [f".SS {verb.usage}", escape(verb.text[:1].upper() + verb.text[1:] + "."), ""]
    for one in verb.positionals + [one for one in verb.options if "--help" not in one.names]:
        lines += option(one)
    return lines + footer(verb.footer)


def main() -> None:
    verbs = read_verbs(pathlib.Path(sys.argv[1]))
    synopsis = "\n.br\n".join(f".B walkabout {verb.name}\n{escape(verb.usage.split(maxsplit=2)[2])}" for verb in verbs)
    print(HEAD.format(version=sys.argv[2], synopsis=synopsis), end="")
    for verb in verbs:
        print("\n".join(command(verb)))
    print(TAIL, end="")


if __name__ == "__main__":
    main()
