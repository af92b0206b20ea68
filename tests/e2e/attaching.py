"""What tests, the soak and the benchmark of `walkabout attach` share: a web service under load that is attached to over
and over."""
import json
import os
import pathlib
import re
import signal
import subprocess
import time

from harness import CLI, Done, app, clean_environment, finish, start

SECONDS_A_CYCLE = 2  # at most, on a busy machine; the load lasts as long
TIMEOUT = 180  # of a machine that has much else to do; a hang is longer


def wait_until(what, why: str) -> None:
    end = time.monotonic() + TIMEOUT
    while not what():
        if time.monotonic() > end:
            raise AssertionError(f"not within {TIMEOUT} s: {why}")
        time.sleep(0.05)


def cpu_seconds(pid: int) -> float:
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_work(pid: int, seconds: float) -> None:
    """Until the process has used so much more CPU time."""
    used = cpu_seconds(pid)
    wait_until(lambda: cpu_seconds(pid) > used + seconds, "it works on")


def status_kb(pid: int, name: str) -> int:
    """0 of a zombie, which has no memory."""
    found = re.search(rf"^{name}:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


def descriptors(pid: int) -> int:
    return len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))


def agents_descriptors(pid: int) -> list[str]:
    """Of the process's, those only the agent has: its clocks and its memory."""
    found = []
    for link in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            target = str(link.readlink())
        except OSError:
            continue  # closed meanwhile
        if "perf_event" in target or "walkabout" in target:
            found.append(target)
    return found


def threads(pid: int) -> set[str]:
    names = set()
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            names.add((task / "comm").read_text().strip())
        except OSError:
            pass  # it has ended meanwhile
    return names


def attach(pid: int, path: pathlib.Path, *options: str, **how) -> Done:
    return finish(start([CLI, "attach", str(pid), "-q", "-o", path, *options], **how), TIMEOUT)


def wait_for_samples(pid: int, cpu: float = 0.3) -> None:
    """The agent is in the process, which has worked so long since."""
    wait_until(lambda: "walkabout-samp" in threads(pid), "the agent is in the process")
    wait_for_work(pid, cpu)


def attach_for_work(pid: int, path: pathlib.Path, cpu: float, *options: str) -> Done:
    """Attached until the process has worked so long."""
    cli = start([CLI, "attach", str(pid), "-q", "-o", path, *options])
    wait_for_samples(pid, cpu)
    os.killpg(cli.pid, signal.SIGINT)
    return finish(cli, TIMEOUT)


class Service:
    """The web service, and the load on it for so long."""

    def __init__(self) -> None:
        self.process = start([*app("web"), "3600"])
        line = self.process.stdout.readline().split()
        if line[:1] != ["listening"]:
            self.process.kill()
            raise AssertionError(f"the web service did not start: {line}")
        self.port = line[1]
        self.pid = self.process.pid
        self.load: subprocess.Popen | None = None

    def begin_load(self, seconds: float) -> None:
        self.load = start([*app("load"), self.port, str(seconds)])

    def end_load(self) -> dict:
        """What the load says: requests, failures."""
        done = finish(self.load)
        if done.returncode != 0:
            raise AssertionError(f"lost requests: {done}")
        return json.loads(done.stdout)

    def stop(self) -> Done:
        self.process.send_signal(signal.SIGINT)
        return finish(self.process, 60)

    def kill(self) -> None:
        for process in [self.process, self.load]:
            if process is not None and process.poll() is None:
                process.kill()
                process.communicate()


def cycle(service: Service, path: pathlib.Path, duration: str, *options: str) -> dict:
    """Attaches once; what the recording's statistics say, and how long after the start of the CLI the first sample was
    taken."""
    began = time.time()
    done = attach(service.pid, path, "-d", duration, "-i", "1ms", *options)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"attach: {done}; the service: {service.process.poll()}")
    result = subprocess.run([CLI, "stats", path, "--json"], capture_output=True, text=True, check=True,
                          env=clean_environment())
    stats = json.loads(result.stdout)
    if stats["samples"]:
        stats["to_first_sample"] = stats["start"] + stats["first_sample"] - began
    return stats


def attach_beside(folder: pathlib.Path, times: int, runtime: tuple[str, str], *work: str) -> str:
    """A program that unloads or collects without a pause is attached to so often: it goes on, and the runtime tells what it has compiled."""
    process = start([*app("kinds", *runtime), *work])
    try:
        wait_for_work(process.pid, 0.5)
        for i in range(times):
            done = attach(process.pid, folder / "over.walk", "-d", "100ms")
            if done.returncode != 0 or done.stderr or process.poll() is not None:
                raise AssertionError(f"attach {i} of {times}, {runtime}: {done}; the program: {process.poll()}")
            stats = subprocess.run([CLI, "stats", folder / "over.walk"], capture_output=True, text=True, check=True, env=clean_environment())
            if "too slow" in stats.stdout:
                raise AssertionError(f"attach {i} of {times}, {runtime}: {stats.stdout}")
        wait_for_work(process.pid, 0.2)
        if process.poll() is not None:
            raise AssertionError(f"behind {times} attaches, {runtime}: the program: {process.poll()}")
    finally:
        process.kill()
        process.communicate()
    return f"{runtime[0]} {work[0]} {times} attaches"
