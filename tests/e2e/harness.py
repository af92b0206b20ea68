"""What the end-to-end tests share: programs under test, `walkabout` runs, and what recordings say.

WALKABOUT_BUILD is the build tree: bin/walkabout and the agent are in it, programs under test are built into apps/.
"""
import dataclasses
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ.get("WALKABOUT_BUILD", "build/release")).resolve()
CLI = BUILD / "bin" / "walkabout"
AGENT = BUILD / "bin" / "libwalkabout.so"
APPS = BUILD / "apps"
SOURCES = pathlib.Path(__file__).resolve().parent.parent / "apps"
TIMEOUT = 300
signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background inherits that it is ignored


def clean_environment(**extra: str) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("CORECLR_", "WALKABOUT_", "DOTNET_Profil"))}
    return environment | {"DOTNET_NOLOGO": "1"} | extra


def with_agent(**settings: str) -> dict[str, str]:
    """The environment that loads the agent without the CLI."""
    clsid = re.search(r'kAgentClsid\[\] = "([^"]+)"', (SOURCES.parent.parent / "wire" / "agent_id.h").read_text())[1]
    return clean_environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER="{" + clsid + "}",
                             CORECLR_PROFILER_PATH=str(AGENT), **settings)


def app(name: str, tfm: str = "net10.0", mode: str = "framework") -> list[str]:
    """The command that runs a program under test; builds it if need be."""
    made = subprocess.run([SOURCES / "build.sh", name, tfm, mode, APPS], capture_output=True, text=True,
                          env=clean_environment(), check=False)
    if made.returncode != 0:
        raise AssertionError(f"{name} {tfm} {mode} does not build:\n{made.stderr}")
    product = made.stdout.strip()
    return ["dotnet", product] if product.endswith(".dll") else [product]


def compiler(classes: int) -> list[str]:
    """The command that compiles a generated project of that many classes with the SDK's C# compiler."""
    folder = APPS / f"compile-{classes}"
    made = subprocess.run(["python3", "-B", SOURCES / "compile" / "generate.py", folder, str(classes)],
                          capture_output=True, text=True, check=True)
    return made.stdout.splitlines()


@dataclasses.dataclass
class Done:
    """A program that has ended."""
    returncode: int
    stdout: str
    stderr: str

    def __str__(self) -> str:
        return f"exit {self.returncode}\nstdout: {self.stdout[-2000:]}\nstderr: {self.stderr[-4000:]}"


def start(command: list, **options) -> subprocess.Popen:
    """In a process group of its own, as a shell does it, so that a Ctrl-C can be sent to it."""
    options.setdefault("env", clean_environment())
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            start_new_session=True, **options)


def finish(process: subprocess.Popen, timeout: float = TIMEOUT) -> Done:
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"{process.args} hangs\n{Done(-1, out, err)}") from None
    return Done(process.returncode, out or "", err or "")  # None of those that the test has closed


def execute(*command, **options) -> Done:
    return finish(start(list(command), **options))


def runtimes() -> list[tuple[str, pathlib.Path]]:
    """Name and folder of each that `dotnet` has, the oldest first."""
    lines = (line.split(maxsplit=2) for line in execute("dotnet", "--list-runtimes").stdout.splitlines())
    return [(name, pathlib.Path(folder.strip("[]"), version)) for name, version, folder in lines]


def walkabout(*arguments, **options) -> Done:
    return execute(CLI, *arguments, **options)


class Recording:
    """A .walk file, read through the CLI as a user's script would."""

    def __init__(self, path: pathlib.Path, run: Done) -> None:
        self.path = path
        self.run = run

    def _json(self, *verb: str, fine: tuple[int, ...] = (0,)) -> dict:
        done = walkabout(*verb, self.path, "--json")
        if done.returncode not in fine:
            raise AssertionError(f"{verb}: {done}")
        return json.loads(done.stdout)

    def stats(self) -> dict:
        return self._json("stats")

    def verify(self) -> dict:
        return self._json("verify", fine=(0, 3))  # 3: there are differences without an explanation

    def report(self, *options: str) -> dict:
        return self._json("report", *options)

    def stacks(self, *options: str) -> list[tuple[list[str], int]]:
        """(frames root first, weight) of every distinct stack. options: of `walkabout convert`."""
        collapsed = self.path.with_suffix(".collapsed")
        done = walkabout("convert", self.path, collapsed, *options)
        if done.returncode != 0:
            raise AssertionError(str(done))
        found = []
        for line in collapsed.read_text().splitlines():
            stack, _, weight = line.rpartition(" ")
            found.append((stack.split(";"), int(weight)))
        return found

    def processes(self) -> list["Recording"]:
        """Itself, or where it is an index the recordings that it names, in the order of their beginning."""
        head, *lines = self.path.read_bytes()[:1 << 20].split(b"\n")
        if not head.startswith(b"walkabout index "):
            return [self]
        fields = [line.decode().split("\t") for line in lines]
        folder = self.path.parent / next(f[1] for f in fields if f[0] == "folder")
        return [Recording(folder / f[2], self.run) for f in fields if f[0] == "process"]

    def frames(self) -> set[str]:
        return {frame for stack, _ in self.stacks() for frame in stack}


class EndToEnd(unittest.TestCase):
    def setUp(self) -> None:
        (BUILD / "e2e").mkdir(exist_ok=True)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=self.id().split(".")[-1] + "-", dir=BUILD / "e2e"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def record(self, command: list, *options: str, expect: int = 0, env: dict | None = None) -> Recording:
        """Profiles the command into a .walk file."""
        path = self.folder / "out.walk"
        done = walkabout("run", "-o", path, *options, "--", *command, env=clean_environment(**(env or {})))
        self.assertEqual(done.returncode, expect, done)
        return Recording(path, done)

    def assert_accounts(self, stats: dict) -> None:
        """What holds for every recording: nothing counted twice, nothing lost in silence."""
        self.assertEqual(stats["attempts"], stats["samples"] + sum(stats["drops"].values()), stats)
        self.assertEqual(sum(stats["walk_end"].values()), stats["samples"], stats)

    def assert_cpu_time_is_covered(self, stats: dict) -> None:
        """All CPU time of the process is somewhere: in samples, in threads' last moments, in the agent's own threads."""
        self.assertLessEqual(stats["unsampled_cpu_seconds"], stats["cpu_weight_seconds"], stats)
        self.assert_ratio(stats["cpu_weight_seconds"], stats)

    def assert_ratio(self, seconds: float, stats: dict) -> None:
        self.assertGreater(stats["process_cpu_seconds"], 0)
        ratio = seconds / stats["process_cpu_seconds"]
        self.assertTrue(0.99 <= ratio <= 1.01, f"{seconds} of CPU time, {ratio:.4f} of the process's: {stats}")

    def assert_rooted(self, stats: dict, least: float = 0.999) -> None:
        """Gaps are rooted too: a busy machine makes them, which keeps a thread from telling what it compiled."""
        self.assertGreater(stats["samples"], 0)
        gaps = stats["walk_end"]["gap"]
        self.assertLessEqual(gaps, max(20, stats["samples"] / 100), stats)
        share = (stats["rooted"] + gaps) / stats["samples"]
        self.assertGreaterEqual(share, least, f"rooted {share:.5f}: {stats}")

    def assert_equal_to_clr(self, recording: Recording) -> None:
        """The CLR's own walk on the same registers has the same methods; what differs has a name.

        Equal but for what the CLR does not say: frames of methods without metadata, and the ip it keeps of a P/Invoke.
        """
        verdict = recording.verify()
        examples = verdict.pop("examples")
        unexplained = [example for example in examples if example["verdict"] == "unexplained"]
        self.assertGreater(verdict["compared"], 100, verdict)
        self.assertEqual(verdict["compared"], verdict["equal"] + verdict["different"], verdict)
        self.assertEqual(verdict["different"], sum(verdict["explained"].values()) + verdict["unexplained"], verdict)
        self.assertLessEqual(verdict["unexplained"], verdict["compared"] / 1000,
                             f"{verdict}\n{json.dumps(unexplained, indent=1)[:6000]}")
        unreported = {"method_without_metadata", "pinvoke_return_address"}
        equal = verdict["equal"] + sum(count for kind, count in verdict["explained"].items()
                                       if set(kind.split("+")) <= unreported)
        self.assertGreaterEqual(equal / verdict["compared"], 0.9, verdict)

    def assert_whole(self, stats: dict) -> None:
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        self.assert_cpu_time_is_covered(stats)


def share(stacks: list[tuple[list[str], int]], wanted: list[str]) -> float:
    """The weight of the stacks that have these frames in this order, others between them or not.

    A wanted "A.B" stands for the method with any parameters ("A.B(int)") and for a native function of that name.
    """
    def fits(stack: list[str]) -> bool:
        rest = iter(stack)
        return all(any(frame == want or frame.startswith(want + "(") for frame in rest) for want in wanted)

    total = sum(weight for _, weight in stacks)
    return sum(weight for stack, weight in stacks if fits(stack)) / total if total else 0.0


def limit(what: int, value: int):
    """For preexec_fn: a resource limit of the child alone."""
    return lambda: resource.setrlimit(what, (value, value))


def main() -> None:
    unittest.main(verbosity=2)
