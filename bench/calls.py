#!/usr/bin/env python3
"""What `walkabout count` and `walkabout trace` cost: a call, code that is left alone, and a service while a thousand methods of it are taken up.

  calls.py [ROUNDS]   default 15; of the service half as many

One program (tests/apps/counted) measures itself: the nanoseconds of a call of a method that is not inlined, the microseconds of
work of the framework's, each the least of many short runs. In each round: without walkabout, while another method alone is
counted, while that one is, also by caller, behind that, and while it is traced. What a count costs is of the least of all rounds, ratios are of medians.

The service (tests/apps/web) has one client, which asks again as soon as it is answered. Of the second before walkabout begins, and
from then until a second after the methods are counted, the longest that an answer took; and how long after that until a
tenth of a second has as many answers as nine tenths of those before (its 90th percentile).
"""
import http.client
import json
import sys
import threading
import time

from common import figure, median, note
from attaching import Service
from counting import Counted, Counter
from tracing import Tracer

SETTLES = 3  # of what is measured: until all of it is compiled as it stays
METHODS = ["System.Linq!*"]


def least(program: Counted, what: str) -> float:
    return min(float(program.ask(what)) for _ in range(SETTLES))


def measure_calls(rounds: int) -> None:
    """In each round with and without walkabout, by turns first."""
    spins: dict[str, list[float]] = {name: [] for name in ("plain", "counted", "by_caller", "reverted", "unmatched", "traced", "untraced")}
    mixed: dict[str, list[float]] = {name: [] for name in ("plain", "unmatched")}
    program = Counted(threads=1, rounds=1)

    def measure(name: str) -> None:
        spins[name].append(least(program, "spin"))
        if name in mixed:
            mixed[name].append(least(program, "mixed"))

    try:
        for _ in range(SETTLES):
            program.ask("spin"), program.ask("mixed")
        for n in range(rounds):
            for name in ("plain", "unmatched") if n % 2 else ("unmatched", "plain"):
                counter = Counter(program.pid, "Work.Plain.Static") if name == "unmatched" else None
                measure(name)
                if counter:
                    counter.end()
            counter = Counter(program.pid, "Work.Spun.Counted")
            measure("counted")
            counter.end()
            counter = Counter(program.pid, "Work.Spun.Counted", options=("--by-caller",))
            measure("by_caller")
            counter.end()
            measure("reverted")
            for name, pattern in (("traced", "Work.Spun.Counted"), ("untraced", "Work.Plain.Static")):
                tracer = Tracer(program.pid, pattern)
                measure(name)
                tracer.end()
    finally:
        program.kill()
    figure("call_plain", min(spins["plain"]), "ns")
    figure("call_counted_more", min(spins["counted"]) - min(spins["plain"]), "ns")
    figure("call_by_caller_more", min(spins["by_caller"]) - min(spins["plain"]), "ns")
    figure("call_traced_more", min(spins["traced"]) - min(spins["plain"]), "ns")
    figure("untraced_call", median(spins["untraced"]) / median(spins["plain"]), "ratio")
    figure("call_reverted", median(spins["plain"]) / median(spins["reverted"]), "ratio")
    figure("unmatched_call", median(spins["unmatched"]) / median(spins["plain"]), "ratio")
    figure("unmatched_work", median(mixed["unmatched"]) / median(mixed["plain"]), "ratio")


class Client(threading.Thread):
    """Asks without a pause. answers: when each came, and how long it took."""

    def __init__(self, port: str) -> None:
        super().__init__(daemon=True)
        self.port, self.answers, self.ends = port, [], False

    def run(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port))
        while not self.ends:
            begin = time.monotonic()
            connection.request("GET", "/average/40")
            connection.getresponse().read()
            end = time.monotonic()
            self.answers.append((end, end - begin))

    def longest(self, begin: float, end: float) -> float:
        return max(took for at, took in self.answers if begin <= at <= end)

    def tenths(self, begin: float, end: float) -> list[int]:
        counts = [0] * int((end - begin) * 10)
        for at, _ in self.answers:
            if begin <= at < begin + len(counts) / 10:
                counts[int((at - begin) * 10)] += 1
        return counts


def measure_service(rounds: int, kind: type[Counter], name_of: str) -> None:
    service = Service()
    before, during, methods, back, took = [], [], [], [], []
    try:
        client = Client(service.port)
        client.start()
        time.sleep(8)
        for _ in range(rounds):
            time.sleep(3)
            begin = time.monotonic()
            counter = kind(service.pid, *METHODS)
            counted = time.monotonic()
            time.sleep(3)
            ends = time.monotonic()
            said = json.loads(counter.end().stdout)
            methods.append(said["chosen"])
            took.append(counted - begin)
            before.append(client.longest(begin - 2, begin))
            during.append(client.longest(begin, counted + 1))
            usual = sorted(client.tenths(begin - 2, begin))[2]
            back.append(next((i / 10 for i, count in enumerate(client.tenths(counted, ends)) if count >= 0.9 * usual), 9.9))
        client.ends = True
        client.join()
    finally:
        service.kill()
    note(f"longest answers before {before} and while methods are taken up {during}")
    figure(f"{name_of}_methods", median(methods), "count")
    figure(f"{name_of}_begins", median(took), "s")
    for name, longest in (("before", before), ("during", during)):
        figure(f"{name_of}_longest_{name}", median(longest) * 1e3, "ms")
        figure(f"{name_of}_longest_{name}_least", min(longest) * 1e3, "ms")
    figure(f"{name_of}_back", median(back), "s")


if __name__ == "__main__":
    ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    measure_calls(ROUNDS)
    measure_service((ROUNDS + 1) // 2, Counter, "service")
    measure_service((ROUNDS + 1) // 2, Tracer, "traced_service")
