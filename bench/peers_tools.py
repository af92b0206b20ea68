"""The profilers that bench/peers.py compares: how each is run around the same target, what its recording is, and how its
stacks become text. Settings are listed in docs/peers.md.
"""
import dataclasses
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

from common import CLI, ROOT, WRAPPER, clean_environment, fail, note, run
from attaching import status_kb
from peers_stacks import Worth, of_dotnet_trace, of_perf, of_walkabout

DOTNET_TRACE = ROOT / "build" / "tools" / "dotnet-trace"
PERF_MAPS = pathlib.Path("/tmp")  # perf(1) looks nowhere else for perf-PID.map
LOOK_EVERY = 0.02  # seconds; a tool that only makes text may be done before that
LOOK_CLOSELY = 0.002
MIB = 1 << 20
# Without a map perf has no name for jitted code; with the runtime's double mapping (W^X) it does not use the map.
FOR_PERF = {"DOTNET_PerfMapEnabled": "1", "DOTNET_EnableWriteXorExecute": "0"}


@dataclasses.dataclass
class Took:
    """A process that has ended: its CPU time in seconds, that of the children it waited for with it; its own peak RSS."""
    cpu: float
    rss_mib: float


@dataclasses.dataclass
class Round:
    target: Took
    tool: Took | None = None
    size_mib: float = 0


@dataclasses.dataclass
class Readable:
    took: Took
    worth: Worth


def install_dotnet_trace() -> None:
    if not DOTNET_TRACE.exists():
        note("installing dotnet-trace")
        run(["dotnet", "tool", "install", "--tool-path", DOTNET_TRACE.parent, "dotnet-trace"])


def peak_rss_mib(pid: int) -> float:
    """Of the process alone, not of its children; 0 when it is gone."""
    try:
        return status_kb(pid, "VmHWM") / 1024
    except OSError:
        return 0


class Process:
    """What it prints goes to `output`, or is shown when it fails."""

    def __init__(self, command: list, env: dict | None = None, output: pathlib.Path | None = None,
                 look_every: float = LOOK_EVERY) -> None:
        self.output = tempfile.TemporaryFile()
        self.rss_mib = 0.0
        self.look_every = look_every
        self.command = [str(part) for part in command]
        with open(output or os.devnull, "wb") as out:
            self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stderr=self.output,
                                            stdout=out if output else self.output, env=env or clean_environment())
        self.watch = threading.Thread(target=self.look, daemon=True)
        self.watch.start()

    def look(self) -> None:
        while now := peak_rss_mib(self.process.pid):
            self.rss_mib = max(self.rss_mib, now)
            time.sleep(self.look_every)

    def failed(self) -> None:
        self.output.seek(0)
        fail(f"{' '.join(self.command)}\n{self.output.read().decode(errors='replace')}")

    def end(self) -> Took:
        _, status, usage = os.wait4(self.process.pid, 0)
        self.watch.join()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        if self.process.returncode != 0:
            self.failed()
        return Took(usage.ru_utime + usage.ru_stime, self.rss_mib)


class Target:
    """A program that does a fixed amount of work, under the wrapper that counts its time."""

    def __init__(self, folder: pathlib.Path, command: list) -> None:
        self.folder = folder
        self.report = folder / "target"
        self.command = [sys.executable, WRAPPER, self.report, *command]
        self.pid = 0

    def wrapped(self, before: list, **env: str) -> Round:
        """Below a tool that is its parent; without one, alone."""
        whole = Process([*before, *self.command], clean_environment(**env)).end()
        cpu, rss_kib, pid, wrapper = self.report.read_text().split()
        self.report.unlink()
        self.pid = int(pid)
        tool = Took(max(0.0, whole.cpu - float(cpu) - float(wrapper)), whole.rss_mib)
        return Round(Took(float(cpu), int(rss_kib) / 1024), tool if before else None)


class Walkabout:
    def __init__(self, interval: str, *options: str) -> None:
        self.interval = interval
        self.options = options

    def recording(self, target: Target) -> pathlib.Path:
        return target.folder / "out.walk"

    def __call__(self, target: Target) -> Round:
        path = self.recording(target)
        done = target.wrapped([CLI, "run", "-q", "-o", path, "-i", self.interval, *self.options, "--"])
        done.size_mib = path.stat().st_size / MIB
        return done

    def read(self, target: Target) -> Readable:
        text = target.folder / "out.speedscope.json"
        took = Process([CLI, "convert", "--unfold", self.recording(target), text], look_every=LOOK_CLOSELY).end()
        return Readable(took, of_walkabout(text.read_text()))


class Perf:
    def __init__(self, rate: str, call_graph: str, env: dict[str, str] = FOR_PERF) -> None:
        self.rate = rate
        self.call_graph = call_graph
        self.env = env

    def __call__(self, target: Target) -> Round:
        path = target.folder / "perf.data"
        for stale in target.folder.glob("perf*.map"):
            stale.unlink()
        done = target.wrapped(["perf", "record", "-q", "-F", self.rate, "--call-graph", self.call_graph, "-o", path, "--"],
                              **self.env)
        for kind in ("perf", "perfinfo"):
            written = PERF_MAPS / f"{kind}-{target.pid}.map"
            if written.exists():
                shutil.move(written, target.folder)
        done.size_mib = sum(file.stat().st_size for file in [path, *target.folder.glob("perf*.map")]) / MIB
        return done

    def read(self, target: Target) -> Readable:
        text = target.folder / "perf.txt"
        maps = [pathlib.Path(shutil.move(path, PERF_MAPS)) for path in target.folder.glob("perf*.map")]
        took = Process(["perf", "script", "-i", target.folder / "perf.data", "--no-inline", "-F", "pid,tid,ip,sym,dso"],
                       output=text, look_every=LOOK_CLOSELY).end()
        with open(text, encoding="utf-8", errors="replace") as lines:
            worth = of_perf(lines, target.pid)
        for used in maps:
            used.unlink()
        return Readable(took, worth)


class DotnetTrace:
    def __call__(self, target: Target) -> Round:
        """The runtime waits at a port of dotnet-trace's until the session is on; with `--` dotnet-trace would have to be
        the target's parent, and its time could not be told from the target's."""
        port, path = target.folder / "port", target.folder / "out.nettrace"
        path.unlink(missing_ok=True)
        tool = Process([DOTNET_TRACE, "collect", "--diagnostic-port", port, "--profile", "dotnet-sampled-thread-time",
                        "-o", path])
        try:
            while not port.exists():
                if tool.process.poll() is not None:
                    tool.failed()
                time.sleep(LOOK_EVERY)
            done = target.wrapped([], DOTNET_DiagnosticPorts=str(port))
            done.tool = tool.end()
        finally:
            if tool.process.returncode is None:
                tool.process.kill()
            port.unlink(missing_ok=True)
        if not path.exists():
            fail("dotnet-trace recorded nothing")
        done.size_mib = path.stat().st_size / MIB
        return done

    def read(self, target: Target) -> Readable:
        took = Process([DOTNET_TRACE, "convert", "--format", "Speedscope", target.folder / "out.nettrace", "-o",
                        target.folder / "trace"], look_every=LOOK_CLOSELY).end()
        return Readable(took, of_dotnet_trace((target.folder / "trace.speedscope.json").read_text()))


ALONE: dict[str, Callable[[Target], Round]] = {
    "alone": lambda target: target.wrapped([]),
    "alone_for_perf": lambda target: target.wrapped([], DOTNET_EnableWriteXorExecute="0"),
}
TOOLS = {
    "walkabout_1khz": Walkabout("1ms"),
    "walkabout_99hz": Walkabout("99hz"),
    "dotnet_trace": DotnetTrace(),
    "perf_1khz": Perf("999", "fp"),
    "perf_99hz": Perf("99", "fp"),
    "perf_dwarf_1khz": Perf("999", "dwarf"),
}


def baseline(tool: str) -> str:
    """What the target's time under a tool is compared with: the same program under the same settings of the runtime."""
    return "alone_for_perf" if tool.startswith("perf") else "alone"
