#!/usr/bin/env python3
"""What the agent costs the process it is in: CPU time, memory, recorded bytes; and whether the samples' weights are its
CPU time.

  agent_cost.py [SHORT LONG ROUNDS]   seconds of the demo's two runs at each rate, rounds for memory; default 10 40 7

CPU: agent_cpu_seconds (handlers, callbacks and the agent's threads) / process_cpu_seconds, of the long run: the median of three such
runs, and the lowest and highest, for what ticks cost goes with what others do to the machine's memory.
Bytes a sample in steady state: by how many bytes the long recording is larger than the short one, over by how many
samples. Memory: VmRSS of a process that has done a fixed amount of work and is idle, with the agent at 1 kHz and
without, interleaved.
"""
import pathlib
import re
import sys

from common import CLI, app, clean_environment, figure, interleaved, median, note, record, run, stats, workplace

RATES = {"99hz": "99hz", "1khz": "1ms"}


LONG_RUNS = 3


def cost_at(rate: str, interval: str, seconds: tuple[int, int], folder: pathlib.Path) -> None:
    size, samples, shares = [], [], []
    for length in [seconds[0]] + [seconds[1]] * LONG_RUNS:
        path = folder / f"{length}.walk"
        record(path, interval, [*app("demo"), str(length)])
        result = stats(path)
        size.append(path.stat().st_size)
        samples.append(result["samples"])
        shares.append(100 * result["agent_cpu_seconds"] / result["process_cpu_seconds"])
        path.unlink()
    shares = sorted(shares[1:])
    if result["process_cpu_seconds"] < 30:
        note(f"only {result['process_cpu_seconds']:.1f} s of CPU time at {rate}; 30 are wanted")
    figure(f"agent_cpu_share_{rate}", median(shares), "percent")
    figure(f"agent_cpu_share_{rate}_lowest", shares[0], "percent")
    figure(f"agent_cpu_share_{rate}_highest", shares[-1], "percent")
    figure(f"agent_cpu_process_{rate}", result["process_cpu_seconds"], "s")
    figure(f"agent_samples_{rate}", result["samples"], "samples")
    figure(f"agent_weights_over_cpu_{rate}", result["cpu_weight_seconds"] / result["process_cpu_seconds"], "ratio")
    figure(f"agent_rooted_{rate}", 100 * result["rooted"] / result["samples"], "percent")
    figure(f"agent_recording_bytes_per_sample_{rate}", (size[-1] - size[0]) / (samples[-1] - samples[0]), "bytes")


def rss_of(command: list) -> float:
    out = run(command, clean_environment())
    return int(re.search(r"^VmRSS (\d+)$", out, re.MULTILINE)[1]) / 1024


def main() -> None:
    short, long, rounds = (int(a) for a in sys.argv[1:4]) if len(sys.argv) > 3 else (10, 40, 7)
    with workplace() as name:
        folder = pathlib.Path(name)
        for rate, interval in RATES.items():
            cost_at(rate, interval, (short, long), folder)
        target = [*app("fixedwork"), "10", "--rss"]
        taken = interleaved(rounds, {
            "without": lambda: rss_of(target),
            "with": lambda: rss_of([CLI, "run", "-q", "-o", folder / "out.walk", "-i", "1ms", "--", *target]),
        })
    figure("agent_rss_without", median(taken["without"]), "MiB")
    figure("agent_rss_with", median(taken["with"]), "MiB")
    figure("agent_rss_added", median([a - b for a, b in zip(taken["with"], taken["without"])]), "MiB")


if __name__ == "__main__":
    main()
