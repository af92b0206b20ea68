"""What the tests under Wine share: programs for Windows, run with the agent in them, and their streams."""
import dataclasses
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import time

from stream import Stream

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("WALKABOUT_BUILD", HERE.parents[1] / "build" / "windows")).resolve()
AGENT = BUILD / "bin" / "walkabout.dll"
SHIM = BUILD / "bin" / "context_shim.dll"
CALLBACK_WALKS = BUILD / "bin" / "callback_walks.dll"
LINUX = BUILD.parent / "release" / "bin" / "walkabout"  # reads recordings
CLSID = "{8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B94}"
TIMEOUT = 240
# With it the runtime crashes under Wine when a dynamic method is freed, with or without a profiler (docs/windows.md).
NEEDS = {name: {"DOTNET_EnableWriteXorExecute": "0"} for name in ("demo", "emit", "kinds")}


def windows_path(path: pathlib.Path) -> str:
    return "Z:" + str(path).replace("/", "\\")


def app(name: str) -> pathlib.Path:
    made = subprocess.run([HERE.parent / "apps" / "build.sh", name, "net10.0", "windows", BUILD / "apps"],
                          capture_output=True, text=True, check=False)
    if made.returncode != 0:
        raise AssertionError(f"{name} does not build:\n{made.stderr}")
    return pathlib.Path(made.stdout.strip())


# Of Wine, in place of the program: its server ended with its last client just when this one came.
NO_SERVER = "wine client error:0: recvmsg: Connection reset by peer"


def wine(*command, environment=None, timeout=TIMEOUT) -> subprocess.CompletedProcess:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("CORECLR_", "WALKABOUT_"))}
    while True:
        done = subprocess.run([HERE / "wine.sh", *map(str, command)], capture_output=True, text=True, timeout=timeout,
                              check=False, env=clean | {"WALKABOUT_BUILD": str(BUILD)} | (environment or {}))
        if done.returncode != 1 or done.stderr.strip() != NO_SERVER:
            return done


class Run:
    """A program that ran with the agent in it, sampled every `interval`."""

    def __init__(self, name: str, *arguments, shim: bool = False, agent: pathlib.Path = AGENT, interval: str = "5ms",
                 **options: str):
        with tempfile.TemporaryDirectory() as folder:
            output, times = pathlib.Path(folder) / "out.stream", pathlib.Path(folder) / "times"
            environment = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID,
                           "CORECLR_PROFILER_PATH": windows_path(SHIM if shim else agent),
                           "WALKABOUT_STREAM": windows_path(output), "WALKABOUT_INTERVAL": interval,
                           "WALKABOUT_SHIM_TIMES": windows_path(times)}
            environment |= NEEDS.get(name, {})
            environment |= {f"WALKABOUT_{key.upper()}": value for key, value in options.items()}
            program, begin = app(name), time.monotonic()
            self.done = wine(program, *arguments, environment=environment)
            self.seconds = time.monotonic() - begin
            if self.done.returncode != 0 or not output.exists():
                raise AssertionError(f"{name}: exit {self.done.returncode}\n{self.done.stdout[-2000:]}\n"
                                     f"{self.done.stderr[-4000:]}")
            self.stream = Stream(output)
            # Of each walk with the shim, nanoseconds (stood_times.h).
            self.stood = list(struct.iter_unpack("<2I", times.read_bytes())) if shim else []

    def json(self) -> dict:
        return json.loads(self.done.stdout.splitlines()[-1])


def long_enough(run, enough, amount: int, most: int = 8):
    """What run(amount) answers, of twice as much each time until it is enough, or `most` times as much was not: how many
    samples a program gets in its seconds is up to what else the machine does."""
    last = amount * most
    while not enough(answer := run(amount)) and amount < last:
        amount *= 2
    return answer


def drive_c() -> pathlib.Path:
    """The folder that programs under Wine see as C:."""
    wine("cmd", "/c", "ver")  # makes it
    return BUILD / "wine" / "drive_c"


class Installed:
    """walkabout.exe and walkabout.dll in a folder of their own on Wine's C:, where no folder above is one that others may write
    to, as /tmp is. What remove() is called for. With the shim walkabout.exe loads that."""

    def __init__(self, shim: bool = False) -> None:
        self.above = pathlib.Path(tempfile.mkdtemp(dir=drive_c()))
        self.folder = self.above / "walkabout"
        self.folder.mkdir()
        shutil.copy(BUILD / "bin" / "walkabout.exe", self.folder)
        shutil.copy(AGENT, self.folder / ("agent.dll" if shim else "walkabout.dll"))
        if shim:
            shutil.copy(SHIM, self.folder / "walkabout.dll")
        for folder in (self.above, self.folder):
            os.chmod(folder, 0o700)
        self.recording = self.folder / "out.walk"

    def remove(self) -> None:
        shutil.rmtree(self.above)

    def walkabout(self, *words, **options) -> subprocess.CompletedProcess:
        return wine(self.folder / "walkabout.exe", *words, **options)

    def run(self, options, *command, **environment: str) -> subprocess.CompletedProcess:
        return self.walkabout("run", *options, "-o", windows_path(self.recording), "--", *command, environment=environment)


@dataclasses.dataclass
class CallbackWalk:
    """What one line of callback_walks.cc says; frames leaf first."""
    callback: str
    kind: str
    answer: str
    end: int
    frames: list[str]
    clr_frames: list[str]


class CallbackRun(Run):
    """A Run whose threads also walk themselves inside callbacks."""

    def __init__(self, name: str, *arguments, interval: str = "1ms"):
        with tempfile.TemporaryDirectory() as folder:
            walks = pathlib.Path(folder) / "walks"
            super().__init__(name, *arguments, agent=CALLBACK_WALKS, interval=interval, walks=windows_path(walks))
            lines = [line.split("\t") for line in walks.read_text(encoding="utf-8").splitlines()]
        self.walks = [self._walk(*words) for words in lines if words[0] != "FrameInfo"]
        # Of whose frame; its method as the CLR says it without and with the frame.
        self.frame_infos = [tuple(words[1:]) for words in lines if words[0] == "FrameInfo"]

    @staticmethod
    def _walk(callback: str, kind: str, answer: str, end: str, frames: str, clr_frames: str) -> CallbackWalk:
        return CallbackWalk(callback, kind, answer, int(end), frames.split("|"), clr_frames.split("|") if clr_frames else [])


def wrong_stacks(run: Run, thread: str = "known") -> tuple[int, list[str]]:
    """How many samples of the thread were in its known methods, and those whose methods are no way through them."""
    edges = {tuple(edge) for edge in run.json()["edges"]}
    checked, wrong = 0, []
    for number in run.stream.threads_named(thread):
        for sample in run.stream.by_thread[number]:
            ways = [name for name in run.stream.managed(sample) if name.startswith("Known.")]
            if not ways:
                continue
            checked += 1
            if any(edge not in edges for edge in zip([""] + ways, ways)):
                wrong.append(" > ".join(run.stream.names(sample)))
    return checked, wrong
