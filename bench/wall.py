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


def agent_ns(pid: int) -> dict[str, int]:
    """CPU time of the agent's threads by name."""
    taken = {}
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        name = (task / "comm").read_text().strip()
        if name.startswith("walkabout"):
            taken[name] = int((task / "schedstat").read_text().split()[0])
    return taken


def main() -> None:
    window = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    with workplace() as name:
        path = pathlib.Path(name) / "stream"
        target = subprocess.Popen([*app("wall"), "many", str(int(window) + SETTLE + 4), str(THREADS), str(RUNNING)],
                                  stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                  env=with_agent(WALKABOUT_STREAM=str(path), WALKABOUT_EVENTS="cpu,wall"))
        if target.stdout.readline().strip() != "started":
            target.kill()
            fail("the program did not start its threads")
        time.sleep(SETTLE)
        before, begun = agent_ns(target.pid), time.monotonic()
        time.sleep(window)
        after, took = agent_ns(target.pid), time.monotonic() - begun
        output, _ = target.communicate()
        stream = Stream(path)
    for thread, ns in sorted(after.items()):
        figure(f"wall_{thread.replace('walkabout-', '')}_share", (ns - before[thread]) / took / 1e9 * 100, "%")
    figure("wall_agent_share", sum(after.values()) / took / 1e7 - sum(before.values()) / took / 1e7, "%")
    blocked = [s for s in stream.of("wall") if s.labels[0] == 3]
    whole = [s for s in blocked if s.has_stack and s.end == ROOTED]
    with_stack = [s for s in blocked if s.has_stack]
    figure("wall_blocked_samples", len(blocked), "count")
    figure("wall_blocked_whole", len(whole) / len(with_stack) * 100, "%")
    figure("wall_blocked_time_whole", sum(s.values[0] for s in whole) / sum(s.values[0] for s in blocked) * 100, "%")
    sums: dict[str, int] = {}
    for sample in stream.of("wall"):
        thread = stream.threads[sample.thread]
        sums[thread] = sums.get(thread, 0) + sample.values[0]
    lives = {words[1]: float(words[2]) * 1e6 for words in map(str.split, output.splitlines()) if words[:1] == ["lived"]}
    ratios = sorted(sums.get(thread, 0) / life for thread, life in lives.items() if thread != "main")
    figure("wall_least_of_a_life", ratios[0], "ratio")
    figure("wall_most_of_a_life", ratios[-1], "ratio")
    attempts, samples, drops = stream.accounts[stream.sources["wall"]]
    figure("wall_attempts", attempts, "count")
    figure("wall_drops", sum(drops), "count")
    if attempts != samples + sum(drops):
        fail(f"{attempts} attempts, {samples} samples, {drops} drops")


if __name__ == "__main__":
    main()
