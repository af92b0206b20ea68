#!/usr/bin/env python3
"""walkabout, dotnet-trace and perf on the same programs in the same interleaved rounds.

  peers.py [ROUNDS]   default 7

Of each, the median over the rounds: CPU time and peak RSS of the target, of the tool's own process, and the size of what
it wrote; CPU over the CPU without a profiler is taken round by round. After the last round each tool makes text of its
last recording: what that takes, and the stacks' worth (bench/peers_stacks.py). bench/write_peers.py makes docs/peers.md
of the figures; bench/all.sh calls it.
"""
import functools
import pathlib
import sys

from common import app, compiler, figure, interleaved, median, note, workplace
from peers_stacks import share
from peers_tools import ALONE, TOOLS, Readable, Round, Target, baseline, install_dotnet_trace

SECONDS_A_RUN = 5.5  # about, of each program
SECONDS_OF_READING = 60


def quartiles(values: list[float]) -> tuple[float, float]:
    values = sorted(values)
    return values[len(values) // 4], values[-1 - len(values) // 4]


def print_rounds(prefix: str, taken: list[Round], without: list[Round]) -> None:
    figure(prefix + "cpu", median([r.target.cpu for r in taken]), "s")
    figure(prefix + "rss", median([r.target.rss_mib for r in taken]), "MiB")
    if taken is without or taken[0].tool is None:
        return
    ratios = [a.target.cpu / b.target.cpu for a, b in zip(taken, without)]
    figure(prefix + "overhead", median(ratios), "ratio")
    for name, value in zip(("overhead_quartile1", "overhead_quartile3"), quartiles(ratios)):
        figure(prefix + name, value, "ratio")
    figure(prefix + "rss_added", median([a.target.rss_mib - b.target.rss_mib for a, b in zip(taken, without)]), "MiB")
    figure(prefix + "tool_cpu", median([r.tool.cpu for r in taken]), "s")
    figure(prefix + "tool_rss", median([r.tool.rss_mib for r in taken]), "MiB")
    figure(prefix + "size", median([r.size_mib for r in taken]), "MiB")


def print_stacks(prefix: str, text: Readable) -> None:
    figure(prefix + "reading_cpu", text.took.cpu, "s")
    figure(prefix + "reading_rss", text.took.rss_mib, "MiB")
    worth = text.worth
    for name, part, whole in [("rooted", worth.rooted, worth.stacks), ("native_named", worth.native_named, worth.native),
                              ("managed_named", worth.managed_named, worth.managed)]:
        if (percent := share(part, whole)) is not None:
            figure(prefix + name, percent, "percent")


def compare(program: str, command: list, rounds: int) -> None:
    with workplace() as name:
        # A folder for each: the last recording is read after the last round.
        targets = {}
        for variant in [*ALONE, *TOOLS]:
            folder = pathlib.Path(name) / variant
            folder.mkdir()
            targets[variant] = Target(folder, command)
        variants = {variant: functools.partial(how, targets[variant]) for variant, how in (ALONE | TOOLS).items()}
        taken = interleaved(rounds, variants, lambda r: r.target.cpu)
        for variant, runs in taken.items():
            print_rounds(f"peers_{program}_{variant}_", runs, taken[baseline(variant)])
        for variant, tool in TOOLS.items():
            print_stacks(f"peers_{program}_{variant}_", tool.read(targets[variant]))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    programs = {"fixedwork": [*app("fixedwork"), "60"], "compiler": compiler(300)}
    install_dotnet_trace()
    seconds = len(programs) * (rounds * len(ALONE | TOOLS) * SECONDS_A_RUN + SECONDS_OF_READING)
    note(f"{rounds} rounds of {len(ALONE | TOOLS)} variants of {len(programs)} programs, about {seconds / 60:.0f} minutes")
    figure("peers_rounds", rounds, "rounds")
    for program, command in programs.items():
        compare(program, command, rounds)


if __name__ == "__main__":
    main()
