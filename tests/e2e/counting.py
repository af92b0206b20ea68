"""What the tests and the benchmark of `walkabout count` share: a program that knows how often it calls what."""
import collections
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import tempfile
import uuid

from harness import CLI, Done, app, clean_environment, finish, start

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))


class Counted:
    """tests/apps/counted, or another of its kind, which works when it is told to."""

    def __init__(self, runtime: tuple = RUNTIMES[0], threads: int = 8, rounds: int = 300, name: str = "counted", **environment: str) -> None:
        self.process = start([*app(name, *runtime), str(threads), str(rounds), "wait"], stdin=subprocess.PIPE,
                             env=clean_environment(**environment))
        if self.process.stdout.readline().strip() != "ready":
            raise AssertionError("the program did not start")
        self.pid = self.process.pid

    def ask(self, what: str = "go") -> str:
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def work(self, how: str = "go") -> dict:
        """The calls it made, by name."""
        return json.loads(self.ask(how))

    def end(self) -> Done:
        return finish(self.process)  # closes its input

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


class Counter:
    """`walkabout count` of a process, in the background; counting when this returns."""
    verb, says = "count", "counting the calls of"

    def __init__(self, pid: int, *patterns: str, options: tuple = ()) -> None:
        methods = [word for pattern in patterns for word in ("-m", pattern)]
        self.process = start([CLI, self.verb, *methods, "--json", "--top", "100000", *options, str(pid)])
        self.said = ""
        for line in self.process.stderr:  # what it waits for may come before
            self.said += line
            if line.startswith(self.says):
                break

    def end(self) -> Done:
        os.killpg(self.process.pid, signal.SIGINT)
        return self.wait()

    def wait(self) -> Done:
        done = finish(self.process)
        return Done(done.returncode, done.stdout, self.said + done.stderr)


def load_profiler(pid: int, clsid: str, library: pathlib.Path) -> None:
    """By the diagnostics port, as walkabout does it."""
    port, = pathlib.Path(tempfile.gettempdir()).glob(f"dotnet-diagnostic-{pid}-*-socket")
    path = (str(library) + "\0").encode("utf-16-le")
    payload = struct.pack("<I", 5000) + uuid.UUID(clsid).bytes_le + struct.pack("<I", len(path) // 2) + path + struct.pack("<I", 0)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(port))
        connection.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 20 + len(payload), 3, 1, 0) + payload)
        reply = connection.recv(4096, socket.MSG_WAITALL)
    if struct.unpack("<I", reply[20:24]) != (0,):
        raise AssertionError(f"the profiler was not loaded: {reply[20:].hex()}")


def calls_of(said: dict) -> dict[str, int]:
    """By the names that patterns have, those that were called."""
    sums: collections.Counter = collections.Counter()
    for method in said["methods"]:
        sums[method["match"]] += method["calls"]
    return {name: calls for name, calls in sums.items() if calls}


def report(path: pathlib.Path) -> dict:
    done = finish(start([CLI, "report", path, "--json", "--top", "100000"]))
    if done.returncode != 0:
        raise AssertionError(str(done))
    return json.loads(done.stdout)
