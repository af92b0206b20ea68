#!/usr/bin/env python3
"""`walkabout trace` keeps arguments, results and exceptions of slow calls: all of a program that says what they are (tests/apps/values)."""
import collections
import json
import re
import subprocess
import unittest

from harness import CLI, app, finish, start
from tracing import Tracer

RUNTIMES = (("net8.0", "selfcontained"), ("net9.0", "selfcontained"), ("net10.0", "framework"))
# Two MoveNexts, of which each says the half.
SPLIT = ("LastsLonger|delay=5|=?", "LastsLonger|delay=?|=6")
WHOLE = ("LastsLonger|delay=5|=6",)
# Iterators are traced where they are enumerated.
NOT_ENUMERATED = "Numbers|"


PATTERNS = ("Signatures.*", "Account.*", "Store.*", "Waiting.*", "Cell.*", "*Square.*", "IShape.*", "Circle.*", "Dog.*", "Animal.*", "Indexed.*")


def trace(runtime: tuple, *options: str) -> tuple[list, dict]:
    """What the program said of its calls, and what was traced."""
    patterns = [part for pattern in PATTERNS for part in ("-m", pattern)]
    done = finish(start([CLI, "trace", *patterns, "--latency", "0ns", "--top", "100000", "--json", *options, "--", *app("values", *runtime)]), 300)
    assert done.returncode == 0, done
    report = done.stderr[done.stderr.index("\n{\n") + 1 if "\n{\n" in done.stderr else done.stderr.index("{"):]
    return done.stdout.splitlines(), json.loads(report)


def simple(name: str) -> str:
    """"Store<TKey, TValue>.Put(TKey, TValue)", "Signatures+<Soon>.MoveNext" → "Put", "Soon"."""
    if machine := re.search(r"\+<(\w+)>\.MoveNext$", name):
        return machine[1]
    if accessor := re.search(r"\.this\[.*\]\.([gs]et)", name):
        return f"{accessor[1]}_Item"
    name = re.sub(r"\(.*", "", name)
    while "<" in name:
        name = re.sub(r"<[^<>]*>", "", name)
    owner, _, method = name.rpartition(".")
    return ".ctor" if owner.endswith(".") or owner.rsplit(".", 1)[-1] == method else method


def said_as(call: dict) -> str:
    parts = [simple(call["name"]), *(f"{one['name']}={one['text']}" for one in call["arguments"])]
    ended = call["result"] or call["exception"]
    return "|".join(parts + ([f"={ended['text']}"] if ended else []))


def end(process: subprocess.Popen) -> None:
    if process.poll() is None:
        process.kill()
        process.communicate()


class TraceValues(unittest.TestCase):
    maxDiff = None

    def check(self, said: list, traced: dict) -> None:
        wanted = collections.Counter(f"{simple(line.split('|')[0])}|{line.split('|', 1)[1]}" if "|" in line else simple(line) for line in said)
        wanted -= collections.Counter([*SPLIT, *(line for line in wanted if line.startswith(NOT_ENUMERATED))])
        wanted += collections.Counter(WHOLE)
        self.assertGreater(wanted.total(), 280)
        self.assertEqual((traced["not_kept"], traced["refused"]), (0, 0))
        self.assertEqual(wanted - collections.Counter(said_as(call) for call in traced["slow_calls"]), collections.Counter())

    def test_all_signatures(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                self.check(*trace(runtime, "--redact", "*password*"))

    def test_all_signatures_of_a_process_that_runs(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                process = start([*app("values", *runtime), "wait"], stdin=subprocess.PIPE)
                self.addCleanup(end, process)
                self.assertEqual(process.stdout.readline(), "ready\n")
                tracer = Tracer(process.pid, *PATTERNS, options=("--latency", "0ns", "--redact", "*password*"))
                process.stdin.write("\n")
                process.stdin.flush()
                said = list(iter(lambda lines=process.stdout: lines.readline().rstrip("\n"), ""))
                done = tracer.end()
                self.assertEqual(done.returncode, 0, done)
                self.check(said, json.loads(done.stdout))
                self.assertEqual(finish(process).returncode, 0)

    def test_what_is_redacted_is_not_in_the_recording(self) -> None:
        _, traced = trace(RUNTIMES[2], "--redact", "*password*", "--redact", "Signatures.Same")
        texts = {said_as(call) for call in traced["slow_calls"]}
        self.assertIn('Login|user="anna"|password=[redacted]|attempts=3', texts)
        self.assertIn("Same|value=[redacted]|=[redacted]", texts)
        self.assertNotIn("secret", json.dumps(traced["slow_calls"]))

    def test_no_arguments(self) -> None:
        _, traced = trace(RUNTIMES[2], "--no-arguments")
        self.assertTrue(traced["slow_calls"])
        self.assertEqual([call for call in traced["slow_calls"] if call["arguments"] or call["result"] or call["exception"]], [])


if __name__ == "__main__":
    unittest.main()
