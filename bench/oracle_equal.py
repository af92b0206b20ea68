#!/usr/bin/env python3
"""Managed frames against the CLR's own walk on the same registers, wherever it answers.

  oracle_equal.py [SECONDS]   of the demo and the load on Kestrel; default 20
"""
import json
import pathlib
import subprocess
import sys

from common import CLI, app, clean_environment, compiler, fail, figure, record, record_kestrel, workplace

INTERVAL = "2ms"


def verify(path: pathlib.Path) -> dict:
    done = subprocess.run([CLI, "verify", path, "--json", "--examples", "0"], capture_output=True, text=True,
                          env=clean_environment(), check=False)
    if done.returncode not in (0, 3):  # 3: there are unexplained differences; they are counted below
        fail(done.stderr)
    return json.loads(done.stdout)


def main() -> None:
    seconds = sys.argv[1] if len(sys.argv) > 1 else "20"
    with workplace() as name:
        path = pathlib.Path(name) / "out.walk"
        for program in ["demo", "compiler", "kestrel"]:
            if program == "kestrel":
                record_kestrel(path, INTERVAL, float(seconds), "--oracle")
            else:
                record(path, INTERVAL, [*app("demo"), seconds] if program == "demo" else compiler(300), "--oracle")
            result = verify(path)
            figure(f"oracle_compared_{program}", result["compared"], "samples")
            figure(f"oracle_frames_{program}", result["frames"], "frames")
            figure(f"oracle_equal_{program}", 100 * result["frames_equal"] / result["frames"], "percent")
            figure(f"oracle_samples_equal_{program}", 100 * result["equal"] / result["compared"], "percent")
            for rule, count in result["explained"].items():
                figure(f"oracle_explained_{program}_{rule}", count, "samples")
            figure(f"oracle_unexplained_{program}", result["unexplained"], "samples")
            figure(f"oracle_refused_{program}", sum(result["refused"].values()), "samples")


if __name__ == "__main__":
    main()
