#!/usr/bin/env python3
"""What `walkabout count` costs: a counted call, code that is not counted, and a service while a thousand methods of it are taken up.

  calls.py [ROUNDS]   default 5

One program (tests/apps/counted) measures itself: the nanoseconds of a call of a method that is not inlined, the microseconds of
work of the framework's, each the least of many short runs. In each round: without walkabout, while that method is counted,
behind it, while another method alone is counted, and behind that. The figures are the least of all rounds; ratios are
of these.

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

SETTLES = 3  # of what is measured: until all of it is compiled as it stays
METHODS = ["System.Linq!*"]


def least(program: Counted, what: str) -> float:
    return min(float(program.ask(what)) for _ in range(SETTLES))


def measure_calls(rounds: int) -> None:
    taken: dict[str, list[float]] = {name: [] for name in ("plain", "counted", "mixed", "unmatched_spin", "unmatched_mixed", "reverted")}
    program = Counted(threads=1, rounds=1)
    try:
        for _ in range(SETTLES):
            program.ask("spin"), program.ask("mixed")
        for _ in range(rounds):
            taken["plain"].append(least(program, "spin"))
            taken["mixed"].append(least(program, "mixed"))
            counter = Counter(program.pid, "Work.Spun.Counted")
            taken["counted"].append(least(program, "spin"))
            counter.end()
            taken["reverted"].append(least(program, "spin"))
            counter = Counter(program.pid, "Work.Plain.Static")
            taken["unmatched_spin"].append(least(program, "spin"))
            taken["unmatched_mixed"].append(least(program, "mixed"))
            counter.end()
            taken["mixed"].append(least(program, "mixed"))
    finally:
        program.kill()
    best = {name: min(values) for name, values in taken.items()}
    figure("call_plain", best["plain"], "ns")
    figure("call_counted_more", best["counted"] - best["plain"], "ns")
    figure("call_reverted", best["plain"] / best["reverted"], "ratio")
    figure("unmatched_call", best["unmatched_spin"] / best["plain"], "ratio")
    figure("unmatched_work", best["unmatched_mixed"] / best["mixed"], "ratio")


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


def measure_service(rounds: int) -> None:
    service = Service()
    before, during, methods, back, took, after = [], [], [], [], [], []
    try:
        client = Client(service.port)
        client.start()
        time.sleep(8)
        for _ in range(rounds):
            time.sleep(3)
            begin = time.monotonic()
            counter = Counter(service.pid, *METHODS)
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
            time.sleep(1)
            left = time.monotonic()
            time.sleep(1)
            after.append(median(client.tenths(left, left + 1)) / median(client.tenths(begin - 2, begin)))
        client.ends = True
        client.join()
    finally:
        service.kill()
    note(f"longest answers before {before} and while methods are taken up {during}")
    figure("service_methods", median(methods), "count")
    figure("service_begins", median(took), "s")
    figure("service_longest_before", median(before) * 1e3, "ms")
    figure("service_longest", median(during) * 1e3, "ms")
    figure("service_back", median(back), "s")
    figure("service_reverted", median(after), "ratio")


if __name__ == "__main__":
    ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    measure_calls(ROUNDS)
    measure_service(ROUNDS)
