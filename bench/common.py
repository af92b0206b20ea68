"""What the benchmarks share: programs under test, one run of a program with its CPU time, and how figures are printed.

Programs and paths are those of the end-to-end tests. WALKABOUT_BUILD is the build tree (default build/release).
"""
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
os.environ.setdefault("WALKABOUT_BUILD", str(ROOT / "build" / "release"))
sys.path.insert(0, str(ROOT / "tests" / "e2e"))
from harness import AGENT, APPS, BUILD, CLI, app, clean_environment, compiler  # noqa: E402,F401 (the benches take them from here)

WRAPPER = ROOT / "bench" / "cpu_of.py"


def figure(name: str, value: float, unit: str) -> None:
    """One line a script can read."""
    print(f"{name} {value:.6g} {unit}", flush=True)


def note(text: str) -> None:
    print(f"{pathlib.Path(sys.argv[0]).name}: {text}", file=sys.stderr, flush=True)


def fail(text: str) -> None:
    note(text)
    sys.exit(1)


def workplace() -> tempfile.TemporaryDirectory:
    """A folder for what a bench records; on the disk of the build, as a user's recording is."""
    (BUILD / "bench").mkdir(parents=True, exist_ok=True)
    return tempfile.TemporaryDirectory(dir=BUILD / "bench")


def run(command: list, env: dict | None = None) -> str:
    """Runs it to its end and returns what it printed; a failure ends the bench."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env=env or clean_environment(), check=False)
    if done.returncode != 0:
        fail(f"exit code {done.returncode} of {' '.join(str(part) for part in command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def wall(command: list, env: dict | None = None) -> float:
    """Seconds from start to end."""
    before = time.monotonic()
    run(command, env)
    return time.monotonic() - before


def record(path: pathlib.Path, interval: str, command: list, *options: str) -> str:
    """`walkabout run` of the command into a .walk file."""
    return run([CLI, "run", "-q", "-o", path, "-i", interval, *options, "--", *command])


def stats(path: pathlib.Path) -> dict:
    return json.loads(run([CLI, "stats", path, "--json"]))


def record_kestrel(path: pathlib.Path, interval: str, seconds: float, *options: str) -> int:
    """The web service under load from a second process, profiled. How many requests it served."""
    load = app("load")
    service = subprocess.Popen([CLI, "run", "-q", "-o", path, "-i", interval, *options, "--", *app("web"), "300"],
                               stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL, env=clean_environment())
    line = service.stdout.readline().split()
    if line[:1] != ["listening"]:
        service.kill()
        fail("the web service did not start")
    requests = json.loads(run([*load, line[1], str(seconds)]))["requests"]
    service.send_signal(2)  # walkabout passes it on; the service shuts down in good order
    service.communicate()
    if service.returncode != 0:
        fail(f"the web service ended with {service.returncode}")
    return requests


def each_recorded(path: pathlib.Path, programs: dict[str, list], seconds: float):
    """The name of each program, and of Kestrel under load for so long, once it is recorded at 1 kHz at that path."""
    for program, command in programs.items():
        record(path, "1ms", command)
        yield program
    record_kestrel(path, "1ms", seconds)
    yield "kestrel"


def median(values: list[float]) -> float:
    return statistics.median(values)


def interleaved(rounds: int, variants: dict, shown=float) -> dict[str, list]:
    """Every variant once a round, each round beginning with another one, so that drift and order favour none.

    shown: the number to print of what a variant returns.
    """
    taken: dict[str, list] = {name: [] for name in variants}
    names = list(variants)
    for i in range(rounds):
        for name in names[i % len(names):] + names[:i % len(names)]:
            taken[name].append(variants[name]())
        note(f"round {i + 1} of {rounds}: " + "  ".join(f"{name} {shown(taken[name][-1]):.3f}" for name in names))
    return taken
