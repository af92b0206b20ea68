#!/usr/bin/env python3
"""Whether ticks disturb system calls.    syscalls.py [--seconds S] [--rates 99hz,1ms,100us] [--users root,user] [--engines perf,timer]

Every kind of call of tests/apps/syscalls for S seconds of its own, alone and at every rate, as root and as nobody, by both
engines. Printed per kind: calls that came back short, were interrupted, answered something else, or lasted 10 ms longer than they
should (the time a thread waited for a processor is left out; as root the calls run before everything else: nice -15). Then, as
root, the share of samples inside calls whose stack ends in the call.
"""
import argparse
import collections
import os
import pathlib
import subprocess

from common import CLI, app, clean_environment, fail, figure, note, stats, workplace

NOBODY = 65534
KINDS = ("short", "interrupted", "wrong", "long")


def as_user() -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def calls(command: list, user: str, folder: pathlib.Path) -> dict[str, collections.Counter]:
    """What the program counted, by kind of call."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=folder,
                          env=clean_environment(HOME=str(folder), XDG_RUNTIME_DIR=str(folder), TMPDIR=str(folder)),
                          preexec_fn=as_user if user == "user" else None, check=False)
    if done.returncode != 0:
        fail(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
    counted = {}
    for line in done.stdout.splitlines():
        name, *fields = line.split()
        if len(fields) == 12:
            counted[name] = collections.Counter({fields[i]: int(fields[i + 1]) for i in range(0, 10, 2)})
    return counted


def report_calls(variant: str, counted: dict[str, collections.Counter]) -> None:
    total = sum(counted.values(), collections.Counter())
    figure(f"syscalls_{variant}_calls", total["calls"], f"of {len(counted)} kinds")
    for kind in KINDS:
        figure(f"syscalls_{variant}_{kind}", total[kind], "calls")
    for name, counts in counted.items():
        if any(counts[kind] for kind in KINDS):
            note(f"{variant}: {name}: {dict(counts)}")


def named(path: pathlib.Path, folder: pathlib.Path) -> None:
    """Of what is below a call of Kind.Run (but for its own waiting loop), the share whose leaf is a system call's function."""
    collapsed = folder / "named.collapsed"
    subprocess.run([CLI, "convert", path, collapsed], check=True, capture_output=True)
    inside = right = 0
    for line in collapsed.read_text().splitlines():
        stack, _, weight = line.rpartition(" ")
        frames = stack.split(";")
        if "Syscalls.Transfers" not in stack or "[P/Invoke stub]" not in stack:
            continue
        inside += int(weight)
        right += int(weight) if frames[-2].startswith("[P/Invoke stub]") and not frames[-1].startswith("[") else 0
    if inside:
        figure("syscalls_named", 100 * right / inside, f"% of {inside / 1e6:.1f} s inside calls")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1)
    parser.add_argument("--rates", default="99hz,1ms,100us")
    parser.add_argument("--users", default="root,user")
    parser.add_argument("--engines", default="perf,timer")
    parser.add_argument("kinds", nargs="*")
    arguments = parser.parse_args()
    if os.getuid() == 0:
        os.setpriority(os.PRIO_PROCESS, 0, -15)
    with workplace() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o777)
        dotnet, program = app("syscalls")
        seconds = arguments.seconds * (len(arguments.kinds) or 34)
        command = [dotnet, program, seconds, *arguments.kinds]
        for user in arguments.users.split(","):
            if user == "root" and os.getuid() != 0:
                note("not root: left out")
                continue
            report_calls(f"{user}_alone", calls(command, user, folder))
            for engine in arguments.engines.split(","):
                for rate in arguments.rates.split(","):
                    path = folder / f"{user}-{engine}-{rate}.walk"
                    report_calls(f"{user}_{engine}_{rate}", calls(
                        [CLI, "run", "-q", "-o", path, "-i", rate, "--engine", engine, "--", *command], user, folder))
                    if user == "root" and engine == "perf" and stats(path)["kernel_ticks"]:
                        named(path, folder)


if __name__ == "__main__":
    main()
