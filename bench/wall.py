#!/usr/bin/env python3
"""What wall-clock time costs the target: 1,000 threads, 990 of them blocked in ten ways, looked at every 50 ms.

  wall.py [SECONDS]   default 20

Of the agent's threads as the kernel has their CPU time over a window in which no thread comes or goes; of the samples whether
blocked threads' stacks are whole, and whether each thread's samples have its life.
"""
import pathlib
import subprocess
import sys
import time

from common import app, clean_environment, fail, figure, workplace
from harness import with_agent
from stream import ROOTED, Stream

THREADS, RUNNING, SETTLE = 1000, 10, 12
BLOCKED = 3  # wire::ThreadState


def agent_ns(pid: int) -> dict[str, int]:
    """CPU time of the agent's threads by name."""
    taken = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            name = (task / "comm").read_text().strip()
            if name.startswith("walkabout"):
                taken[name] = int((task / "schedstat").read_text().split()[0])
        except FileNotFoundError:  # one of the runtime's threads has just ended
            pass
    return taken


def measure(events: str, path: pathlib.Path, window: float) -> tuple[dict[str, float], str]:
    """Per cent of one core that each of the agent's threads takes, and what the program printed."""
    target = subprocess.Popen([*app("wall"), "many", str(int(window) + SETTLE + 4), str(THREADS), str(RUNNING)],
                              stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                              env=with_agent(WALKABOUT_STREAM=str(path), WALKABOUT_EVENTS=events))
    if target.stdout.readline().strip() != "started":
        target.kill()
        fail("the program did not start its threads")
    time.sleep(SETTLE)
    before, begun = agent_ns(target.pid), time.monotonic()
    time.sleep(window)
    after, took = agent_ns(target.pid), time.monotonic() - begun
    output, _ = target.communicate()
    return {name: (ns - before.get(name, 0)) / took / 1e7 for name, ns in after.items()}, output


def main() -> None:
    window = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    with workplace() as name:
        alone, _ = measure("cpu", pathlib.Path(name) / "cpu", window)
        shares, output = measure("cpu,wall", pathlib.Path(name) / "wall", window)
        stream = Stream(pathlib.Path(name) / "wall")
    for thread, share in sorted(shares.items()):
        figure(f"wall_{thread.replace('walkabout-', '')}_share", share, "%")
    figure("wall_added_share", sum(shares.values()) - sum(alone.values()), "%")
    blocked = [s for s in stream.of("wall") if s.labels[0] == BLOCKED]
    with_stack = [s for s in blocked if s.has_stack]
    whole = [s for s in with_stack if s.end == ROOTED]
    figure("wall_blocked_samples", len(blocked), "count")
    figure("wall_blocked_whole", len(whole) / len(with_stack) * 100, "%")
    figure("wall_blocked_time_whole", sum(s.values[0] for s in whole) / sum(s.values[0] for s in blocked) * 100, "%")
    sums: dict[str, int] = {}
    for sample in stream.of("wall"):
        thread = stream.threads[sample.thread]
        sums[thread] = sums.get(thread, 0) + sample.values[0]
    lives = {words[1]: float(words[2]) * 1e6 for words in map(str.split, output.splitlines()) if words[:1] == ["lived"]}
    # Of threads that lived through the window: the runtime's work before and behind a thread's body is some milliseconds.
    ratios = sorted(sums.get(thread, 0) / life for thread, life in lives.items()
                    if thread != "main" and life > window * 1e9)
    figure("wall_lives", len(ratios), "count")
    figure("wall_least_of_a_life", ratios[0], "ratio")
    figure("wall_most_of_a_life", ratios[-1], "ratio")
    attempts, samples, drops = stream.accounts[stream.sources["wall"]]
    figure("wall_attempts", attempts, "count")
    figure("wall_drops", sum(drops), "count")
    if attempts != samples + sum(drops):
        fail(f"{attempts} attempts, {samples} samples, {drops} drops")


if __name__ == "__main__":
    main()
