#!/usr/bin/env python3
"""The corpus of hostile programs: each profiled, at every rate, with and without the oracle, under the runtime's settings; at the
highest rate also with every kind of event.

  corpus.py --quick                each program once at 10 kHz with the oracle, every second one with all kinds of events (a part of
                                   ./dev test)
  corpus.py --minutes M            every combination in an order of its own, as long as there is time
  corpus.py --compared N           until N samples were compared with the CLR's walk
  corpus.py --once                 every combination (of --only) once
  corpus.py --probed VERB          every program, build and setting once with all methods rewritten: count, trace
  corpus.py --only REGEX           programs (and builds and settings) whose line matches
  corpus.py --once --part 2/20     the second twentieth of them, for runs side by side or one after the other
A line a run, then the totals. Recordings of runs that went wrong are kept. Exit code: 0 nothing went wrong, 1 something.
"""
import argparse
import collections
import itertools
import os
import pathlib
import random
import re
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "e2e"))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=os.environ.get("WALKABOUT_BUILD", "build/release"))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--probed", choices=["count", "trace"], default="")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--compared", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=1, help="how long each program works")
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--part", default="1/1", metavar="K/N")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the combinations")
    return parser.parse_args()


def every_case(judge, programs):
    """All combinations: (build and its programs) x settings x rates x oracle."""
    builds = [("net10.0", "framework", programs.PROGRAMS)]
    for (tfm, mode), apps in programs.BUILDS.items():
        builds.append((tfm, mode, [p for p in programs.PROGRAMS if p.command[0] in apps]))
    for tfm, mode, some in builds:
        settings = programs.SETTINGS if mode == "framework" else ["default"]
        for program, setting, interval, oracle in itertools.product(some, settings, ["99hz", "1ms", "100us"], [True, False]):
            yield judge.Case(program, tfm, mode, setting, interval, oracle)
            if interval == "100us":
                yield judge.Case(program, tfm, mode, setting, interval, oracle, events=True)


def probed_cases(verb: str, judge, programs):
    """But for the one that has a profiler of its own."""
    return dict.fromkeys(judge.Case(case.program, case.tfm, case.mode, case.setting, probed=verb)
                         for case in every_case(judge, programs) if case.program.agent == "bin")


def the_cases(options, judge, programs):
    if options.probed:
        cases = list(probed_cases(options.probed, judge, programs))
    elif options.quick:
        quick = [program for program in programs.PROGRAMS if program.quick]
        cases = [judge.Case(program, events=number % 2 == 1) for number, program in enumerate(quick)]
    else:
        cases = list(every_case(judge, programs))
    cases = [case for case in cases if re.search(options.only, str(case))]
    if not options.quick and not options.probed:
        random.Random(options.seed).shuffle(cases)
    part, _, parts = options.part.partition("/")
    if not (part.isdecimal() and parts.isdecimal() and 1 <= int(part) <= int(parts)):
        raise SystemExit(f"--part takes K/N, such as 2/20, not {options.part}")
    cases = cases[int(part) - 1::int(parts)]
    if not cases:
        raise SystemExit(f"nothing matches {options.only} in part {options.part}")
    return cases


def print_totals(totals: collections.Counter) -> bool:
    """True if the corpus is as it should be."""
    names = ["runs", "events", "events_rooted", "events_dropped", "samples", "rooted", "gaps", "dropped", "compared", "equal", "explained", "unexplained", "refused", "crashes",
             "hangs", "changed", "probed", "left_alone"]
    print("\n" + " ".join(f"{name} {totals[name]}" for name in names))
    for name, count in sorted(totals.items()):
        if name.startswith(("rule ", "refused ")):
            print(f"  {name}: {count}")
    unexcused = totals["samples"] - totals["rooted"] - totals["gaps"] - totals["excused"]
    wrong = [name for name in ("crashes", "hangs", "changed", "unexplained", "faults") if totals[name]]
    if totals["probed"]:  # nothing was sampled
        print("nothing went wrong" if not wrong else f"wrong: {' '.join(wrong)}")
        return not wrong
    if totals["gaps"] > max(20, totals["samples"] / 200):
        wrong.append("gaps")
    if totals["samples"] == 0 or unexcused > totals["samples"] / 1000:
        wrong.append("rooted")
    print("nothing went wrong" if not wrong else f"wrong: {' '.join(wrong)}")
    return not wrong


def main() -> None:
    options = arguments()
    os.environ["WALKABOUT_BUILD"] = str(options.build)
    import harness  # these read the variable
    import judge
    import programs

    (harness.BUILD / "corpus").mkdir(exist_ok=True)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="run-", dir=harness.BUILD / "corpus"))
    court = judge.Judge(folder, options.seconds)
    cases = the_cases(options, judge, programs)
    totals = collections.Counter()
    end = time.monotonic() + 60 * options.minutes

    def enough() -> bool:
        if options.quick or options.once or options.probed:
            return totals["runs"] >= len(cases)
        return totals["compared"] >= options.compared if options.compared else time.monotonic() >= end

    for case in itertools.cycle(cases):
        if enough():
            break
        verdict = court.judge(case)
        print(verdict.line() + verdict.details, flush=True)
        totals.update(verdict.counts)
        totals["faults"] += any(fault.isupper() for fault in verdict.faults)
    if not any(folder.iterdir()):
        folder.rmdir()
    sys.exit(0 if print_totals(totals) else 1)


main()
