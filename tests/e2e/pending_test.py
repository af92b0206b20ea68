#!/usr/bin/env python3
"""Async methods that wait: `walkabout async` and `report --pending` against what the program knows, on every runtime."""
import json
import pathlib
import re
import subprocess
import time

from harness import CLI, SOURCES, Done, EndToEnd, app, clean_environment, finish, main, start, walkabout

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))


def short(name: str) -> str:
    """"Leaf" of "Waits.Leaf() [async]"; markers as they are."""
    if name.startswith("["):
        return name
    if "lambda" in name:
        return "Lambda"
    return name.split("(")[0].split("<")[0].rsplit(".", 1)[-1]


def stacks_of(pending: dict) -> dict[str, int]:
    """"Leaf#3 Middle#2 Outer#1" and how many operations stand there."""
    found: dict[str, int] = {}
    for stack in pending["stacks"]:
        text = " ".join(short(f["name"]) + (f"#{f['await']}" if f["await"] else "") for f in stack["frames"])
        found[text] = found.get(text, 0) + stack["operations"]
    return found


SOURCE = (SOURCES / "pending" / "Program.cs").read_text().splitlines()


def line_of(method: str, awaited: int) -> int:
    """Where the await of this number stands in the program's own source."""
    begin = next(i for i, line in enumerate(SOURCE) if re.search(rf"\basync [\w<>]+ {method}(<T>)?\(", line))
    places = [i for i, line in enumerate(SOURCE[begin:], begin + 1) for _ in re.findall(r"\bawait\b", line)]
    return places[awaited - 1]


class Program:
    """The program under test, and what it knows."""

    def __init__(self, runtime: tuple[str, str], n: int, others: int = 10_000, before: tuple = (), **environment: str) -> None:
        self.process = start([*before, *app("pending", *runtime), str(n), str(others)], stdin=subprocess.PIPE,
                             env=clean_environment(**environment))
        self.known: dict[str, int] = {}
        self.read()

    def read(self) -> None:
        self.known = {}
        for line in self.process.stdout:
            if line.strip() == "ready":
                return
            count, stack = line.strip().split(" ", 1)
            self.known[stack] = int(count)
        raise AssertionError("the program ended: " + self.process.stderr.read())

    def tell(self, what: str) -> None:
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        if what != "end":
            self.read()

    def look(self, *options: str) -> Done:
        return walkabout("async", str(self.process.pid), "--json", "--top", "1000", *options)

    def end(self) -> Done:
        self.tell("end")
        return finish(self.process)

    def __enter__(self) -> "Program":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()


class Pending(EndToEnd):
    def assert_knows(self, pending: dict, known: dict[str, int]) -> None:
        self.assertEqual(stacks_of(pending), known)
        self.assertEqual(pending["shown"]["operations"], sum(known.values()))
        self.assertTrue(pending["shown"]["whole"])

    def assert_lines(self, pending: dict) -> None:
        for stack in pending["stacks"]:
            for frame in stack["frames"]:
                name = short(frame["name"])
                if frame["await"] is not None and name != "Lambda":
                    self.assertEqual(frame["line"], line_of(name, frame["await"]), frame)
                    self.assertTrue(frame["file"].endswith("Program.cs"), frame)

    def test_attached_finds_what_the_program_knows(self) -> None:
        for runtime in RUNTIMES[:2]:
            for environment in ({}, {"DOTNET_gcServer": "1"}, {"DOTNET_GCgen0size": "0x100000"}, {"DOTNET_gcConcurrent": "0"}):
                if environment and runtime != RUNTIMES[0]:
                    continue
                with self.subTest(runtime=runtime, environment=environment), Program(runtime, 7, **environment) as program:
                    for _ in range(2):
                        done = program.look()
                        self.assertEqual(done.returncode, 0, done)
                        self.assert_knows(json.loads(done.stdout), program.known)
                        self.assert_lines(json.loads(done.stdout))
                        program.tell("start 3")
                    for what in ("background", "collectible", "unload", "collect"):
                        program.tell(what)
                        done = program.look()
                        self.assertEqual(done.returncode, 0, done)
                        self.assert_knows(json.loads(done.stdout), program.known)
                    ended = program.end()
                    self.assertEqual((ended.returncode, ended.stderr), (0, ""))

    def test_net8_waits_for_a_collection(self) -> None:
        with Program(RUNTIMES[2], 5) as program:
            none = program.look("--timeout", "1s")
            self.assertEqual(none.returncode, 1)
            self.assertIn("end of a collection", none.stderr)
            cli = start([CLI, "async", str(program.process.pid), "--json", "--top", "1000"])
            while cli.poll() is None:
                program.tell("collect")
            done = finish(cli)
            self.assertEqual(done.returncode, 0, done)
            self.assert_knows(json.loads(done.stdout), program.known)
            self.assertEqual(program.end().returncode, 0)

    def test_from_the_start_and_again_and_again(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                path = self.folder / "out.walk"
                with Program(runtime, 4, before=(CLI, "run", "-q", "--events", "async=300ms", "-o", path, "--")) as program:
                    if runtime == RUNTIMES[2]:
                        for _ in range(3):
                            self.settle()
                            program.tell("collect")
                    known = program.known
                    self.settle()
                    if runtime == RUNTIMES[2]:
                        program.tell("collect")
                    self.settle()
                    self.assertEqual(program.end().returncode, 0)
                last = self.report(path, "--pending")
                at_rest = [s["time"] for s in last["snapshots"] if s["operations"] == sum(known.values())]
                self.assertTrue(at_rest, last["snapshots"])
                pending = self.report(path, "--pending", "--to", f"{at_rest[-1]:.6f}")
                self.assert_knows(pending, known)
                # Who waits at two looks waits since the first; .NET 8 has no handles to tell them by.
                since = {stack["seen_since"] for stack in pending["stacks"]}
                self.assertEqual(since == {None}, runtime == RUNTIMES[2], since)
                if runtime != RUNTIMES[2]:
                    self.assertLess(max(since), at_rest[-1])
                # The same as an event of its own.
                event = self.report(path, "--event", "async", "--value", "operations")
                self.assertEqual(event["total"]["count"], sum(s["operations"] for s in last["snapshots"]))

    def report(self, path: pathlib.Path, *options: str) -> dict:
        done = walkabout("report", path, *options, "--json", "--top", "1000")
        self.assertEqual(done.returncode, 0, done)
        return json.loads(done.stdout)

    def settle(self) -> None:
        time.sleep(0.8)


if __name__ == "__main__":
    main()
