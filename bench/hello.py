#!/usr/bin/env python3
"""What profiling adds to the run time of hello world.

  hello.py [ROUNDS]   default 21

Counted: wall time from start to end of the target, started directly with the environment `walkabout run` gives it, but
recording to a file: what the agent does in the target, at its start and its end. The whole of `walkabout run`, which
also reads symbols and writes a report after the target has ended, is a figure of its own.
"""
import pathlib
import re
import sys

from common import AGENT, CLI, ROOT, app, clean_environment, figure, interleaved, median, wall, workplace


def agent_environment(output: pathlib.Path) -> dict[str, str]:
    """As cli/linux/run.cc makes it."""
    clsid = re.search(r'kAgentClsid\[\] = "(.*)"', (ROOT / "wire" / "agent_id.h").read_text())[1]
    return clean_environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER=f"{{{clsid}}}", CORECLR_PROFILER_PATH=str(AGENT),
                             WALKABOUT_STREAM=str(output))


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 21
    hello = app("hello")
    with workplace() as name:
        folder = pathlib.Path(name)
        output = folder / "stream"
        environment = agent_environment(output)

        def with_agent() -> float:
            output.unlink(missing_ok=True)
            seconds = wall(hello, environment)
            if not output.stat().st_size:
                raise RuntimeError("the agent recorded nothing")
            return seconds

        taken = interleaved(rounds, {
            "alone": lambda: wall(hello),
            "with_agent": with_agent,
            "walkabout_run": lambda: wall([CLI, "run", "-q", "-o", folder / "out.walk", "--", *hello]),
        })
    for variant, seconds in taken.items():
        figure(f"hello_wall_{variant}", median(seconds) * 1e3, "ms")
    for variant in ["with_agent", "walkabout_run"]:
        added = [a - b for a, b in zip(taken[variant], taken["alone"])]
        figure(f"hello_added_{variant}", median(added) * 1e3, "ms")


if __name__ == "__main__":
    main()
