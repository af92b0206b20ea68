#!/usr/bin/env python3
"""Kills `walkabout attach` at random moments, over and over, and attaches again each time: the process must live on, and
what comes after a kill must work. The seed is printed, so that a run can be repeated.

    tests/e2e/attach_kills.py --build build/release [--count 500] [--seed N]
"""
import argparse
import os
import pathlib
import random
import shutil
import tempfile
import time


def kill_and_attach(folder: pathlib.Path, count: int, seed: int) -> str:
    """So often. Returns a line about it; an AssertionError says the seed."""
    import attaching
    from harness import CLI, app, clean_environment, finish, start

    moments = random.Random(seed)
    place = pathlib.Path(tempfile.mkdtemp(prefix="walkabout-e2e-"))  # short: sockets are in it
    environment = clean_environment(TMPDIR=str(place), XDG_RUNTIME_DIR=str(place))
    program = start([*app("demo"), "3600"], env=environment)
    attached, unfinished = 0, 0
    try:
        attaching.wait_until(lambda: attaching.cpu_seconds(program.pid) > 1, "the program works")
        began = time.monotonic()
        whole(program.pid, folder, environment, "the first")
        span = time.monotonic() - began
        for cycle in range(count):
            where = f"seed {seed}, cycle {cycle}"
            cli = start([CLI, "attach", program.pid, "-q", "-d", "300ms", "-o", folder / "killed.walk"], env=environment)
            time.sleep(moments.uniform(0, span))
            attached += bool(attaching.threads(program.pid) & {"walkabout-leave", "walkabout-catch"})
            unfinished += cli.poll() is None
            cli.kill()
            cli.communicate()
            whole(program.pid, folder, environment, where)
            if program.poll() is not None:
                raise AssertionError(f"{where}: the program has ended: {finish(program)}")
        left = [str(path) for path in place.glob("walkabout-*") if not list(path.glob("*.walk"))]
        if left:
            raise AssertionError(f"seed {seed}: killed ones left {left}")
    finally:
        program.kill()
        program.communicate()
        shutil.rmtree(place, ignore_errors=True)
    return f"seed {seed} killed {count} unfinished {unfinished} in the process {attached}"


def whole(pid: int, folder: pathlib.Path, environment: dict, where: str) -> None:
    """An attach that nobody kills."""
    import attaching
    from harness import Recording

    path = folder / "attached.walk"
    done = attaching.attach(pid, path, "-d", "200ms", "-i", "1ms", env=environment)
    if done.returncode != 0:
        raise AssertionError(f"{where}: {done}")
    stats = Recording(path, done).stats()
    if not stats["complete"] or not stats["samples"]:
        raise AssertionError(f"{where}: {stats}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1 << 32))
    arguments = parser.parse_args()
    os.environ["WALKABOUT_BUILD"] = str(arguments.build)
    with tempfile.TemporaryDirectory() as folder:
        print(f"attach, killed: {kill_and_attach(pathlib.Path(folder), arguments.count, arguments.seed)}", flush=True)


if __name__ == "__main__":
    main()
