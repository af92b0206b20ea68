#!/usr/bin/env python3
"""Every end-to-end test again and again on a machine that has something else to do: no test may fail.

  busy_rounds.py [--rounds 20] [--minutes N] [--loops 4] [--workers 3] [--outputs FOLDER] [TEST…]

Beside `--loops` busy loops of lower priority, `--workers` tests at a time, in a new order each round; `wall`, whose threads
measure their own lives, by itself at the end of one. TEST: names as in `ctest -R e2e`, without "e2e."; default: all of them and the
quick part of the corpus. Prints a line a test, and at the end how often tests ran and which failed; the output of a failure is kept in
FOLDER. With `--minutes` no test begins later than that, nor after SIGTERM. WALKABOUT_BUILD is the build tree (default build/release): a copy of
one lets others build meanwhile.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ALONE = "wall"
MOST_SECONDS = 3600
# It ends with the process that began it.
LOOP = "import os\nparent = os.getppid()\nwhile os.getppid() == parent: sum(range(100_000))"


def all_tests() -> dict[str, list[str]]:
    tests = {path.stem.removesuffix("_test"): [str(path)] for path in sorted(HERE.glob("*_test.py"))}
    tests["corpus"] = [str(HERE.parent / "corpus" / "corpus.py"), "--quick"]
    return tests


class Rounds:
    def __init__(self, arguments: argparse.Namespace) -> None:
        self.tests = {name: command for name, command in all_tests().items() if not arguments.tests or name in arguments.tests}
        unknown = set(arguments.tests) - set(self.tests)
        if unknown:
            sys.exit(f"busy_rounds.py: there is no test {', '.join(sorted(unknown))}; there are: {' '.join(all_tests())}")
        self.outputs = arguments.outputs
        self.outputs.mkdir(parents=True, exist_ok=True)
        self.until = time.monotonic() + arguments.minutes * 60 if arguments.minutes else None
        self.ran: collections.Counter = collections.Counter()
        self.failed: collections.Counter = collections.Counter()

    def stop(self) -> None:
        """No further test begins."""
        self.until = time.monotonic()

    def run(self, number: int, name: str) -> None:
        if self.until and time.monotonic() > self.until:
            return
        begun = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="busy", ignore_cleanup_errors=True) as folder:
            os.chmod(folder, 0o1777)  # some tests work as another user
            test = subprocess.Popen([sys.executable, "-B", *self.tests[name]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                    errors="replace", stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder}, start_new_session=True)
            try:
                output, _ = test.communicate(timeout=MOST_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(test.pid, signal.SIGKILL)
                output = f"{test.communicate()[0]}\nnot done after {MOST_SECONDS} s"
            code = test.returncode
        self.ran[name] += 1
        if code != 0:
            self.failed[name] += 1
            (self.outputs / f"{number}.{name}").write_text(output)
        print(f"round {number} {name}: {'ok' if code == 0 else f'FAILED ({code})'}, {time.monotonic() - begun:.0f} s", flush=True)

    def round(self, number: int, workers: int) -> None:
        names = [name for name in self.tests if name != ALONE]
        random.Random(number).shuffle(names)
        with concurrent.futures.ThreadPoolExecutor(workers) as pool:
            list(pool.map(lambda name: self.run(number, name), names))
        if ALONE in self.tests:
            self.run(number, ALONE)

    def summary(self) -> str:
        counts = collections.Counter(self.ran.values())
        failures = "; ".join(f"{name} {count} of {self.ran[name]}" for name, count in self.failed.most_common()) or "none"
        return (f"{sum(self.ran.values())} runs of {len(self.ran)} tests ({', '.join(f'{tests} of them {n} times' for n, tests in sorted(counts.items()))}); "
                f"failed: {failures}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", metavar="TEST")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--loops", type=int, default=4)
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--outputs", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "busy_rounds")
    arguments = parser.parse_args()
    rounds = Rounds(arguments)
    signal.signal(signal.SIGTERM, lambda *_: rounds.stop())
    loops: list[subprocess.Popen] = []
    try:
        for _ in range(arguments.loops):
            loops.append(subprocess.Popen(["nice", "-n", "5", sys.executable, "-c", LOOP]))
        for number in range(1, arguments.rounds + 1):
            rounds.round(number, arguments.workers)
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
        print(rounds.summary(), flush=True)
    return 1 if rounds.failed else 0


if __name__ == "__main__":
    sys.exit(main())
