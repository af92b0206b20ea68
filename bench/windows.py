#!/usr/bin/env python3
"""The figures of docs/windows.md: walkabout.dll under Wine, as Wine is and, with the tests' shim, as Windows would be.

  windows.py [SECONDS]   of each program; default 8

Programs and checks are those of tests/windows; needs build/windows (./dev build windows).
"""
import collections
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ["WALKABOUT_BUILD"] = str(ROOT / "build" / "windows")
sys.path.insert(0, str(ROOT / "tests" / "windows"))
from common import figure, note  # noqa: E402
from clr_comparison import Comparison, compare  # noqa: E402
from walk_figures import answers, percentile, share, stood, walks_of  # noqa: E402
from wine_programs import Run, wrong_stacks  # noqa: E402

KNOWN = ("managed", "alloc", "exceptions", "native")  # modes of winstack, which knows its own stacks
THREADS = 10_000
PARTS = {"in all": "all", "the system's calls": "system", "walkabout with the CLR": "ours", "of that copying": "copying",
         "the CLR's walk": "clr"}


def programs() -> dict[str, tuple[str, ...]]:
    return {mode: ("winstack", mode) for mode in KNOWN} | {"demo": ("demo",)}


def report_walks(seconds: str, way: str, shim: bool) -> None:
    """Right, whole, how long threads stood, and what DoStackSnapshot returned."""
    checked, wrong, whole, samples, counts = 0, 0, 0, 0, collections.Counter()
    for name, command in programs().items():
        run = Run(*command, seconds, shim=shim)
        if name in KNOWN:
            known, mistaken = wrong_stacks(run)
            checked += known
            wrong += len(mistaken)
            figure(f"windows_right_{name}_{way}", known - len(mistaken), "samples")
        walks = walks_of(run.stream, list(run.stream.by_thread))
        whole += walks.whole
        samples += walks.samples
        counts.update(answers(run.stream))
        for part, (p50, p99) in stood(run.stream).items():
            figure(f"windows_stood_{PARTS[part]}_{name}_{way}_p50", p50, "us")
            figure(f"windows_stood_{PARTS[part]}_{name}_{way}_p99", p99, "us")
        for part, times in zip(("without_system", "system_of_clr"), zip(*run.stood)):
            figure(f"windows_stood_{part}_{name}_{way}_p50", percentile(times, 50) / 1e3, "us")
            figure(f"windows_stood_{part}_{name}_{way}_p99", percentile(times, 99) / 1e3, "us")
    figure(f"windows_checked_{way}", checked, "samples")
    figure(f"windows_right_{way}", 100 * share(checked - wrong, checked), "%")
    figure(f"windows_samples_{way}", samples, "samples")
    figure(f"windows_whole_{way}", 100 * share(whole, samples), "%")
    for (seeded, answer), count in sorted(counts.items()):
        figure(f"windows_{'seeded' if seeded else 'unseeded'}_{answer}_{way}", count, "walks")


def report_comparison(seconds: str) -> None:
    found = Comparison()
    for command in programs().values():
        found += compare(Run(*command, seconds, shim=True, oracle="1").stream)
    note(found.summary())
    refused = sum(managed for _, managed, _ in found.refused)
    figure("windows_seeded", found.seeded, "walks")
    figure("windows_seeded_answered", 100 * share(found.answered, found.seeded), "%")
    figure("windows_seeded_in_managed_code", found.in_managed_code, "walks")
    figure("windows_seeded_in_managed_code_answered", 100 * (1 - share(refused, found.in_managed_code)), "%")
    figure("windows_compared_frames", found.frames, "frames")
    figure("windows_frames_equal", 100 * share(found.frames_equal, found.frames), "%")
    figure("windows_frames_equal_in_method", 100 * share(found.methods_equal, found.frames), "%")
    figure("windows_frames_equal_or_explained", 100 * (1 - share(found.frames_different, found.frames)), "%")
    figure("windows_walks_different", len(found.different), "walks")
    for rule, count in sorted(found.by_rule.items()):
        figure(f"windows_explained_{rule}", count, "walks")


def report_threads() -> None:
    run = Run("winstack", "threads", str(THREADS), interval="1ms")
    figure("windows_threads_gone", int(run.done.stdout.split()[0]), "threads")
    figure("windows_threads_seconds", run.seconds, "s")


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "8"
    report_walks(seconds, "wine", False)
    report_walks(seconds, "shim", True)
    report_comparison(seconds)
    report_threads()


if __name__ == "__main__":
    main()
