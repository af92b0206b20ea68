#!/usr/bin/env python3
"""What `walkabout attach` cannot do is reported in one message of its own, and the process is left alone."""
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile

from attaching import cpu_seconds, wait_until
from harness import CLI, EndToEnd, Recording, app, clean_environment, finish, main, start, walkabout, with_agent

FAILURE, USAGE = 1, 2
HEADER = b"DOTNET_IPC_V1\0"
OK, ERROR = 0x00, 0xFF
UNKNOWN_COMMAND = 0x80131385


def reply(kind: int, payload: bytes) -> bytes:
    return HEADER + struct.pack("<HBBH", 20 + len(payload), 0xFF, kind, 0) + payload


def text(value: str) -> bytes:
    return struct.pack("<I", len(value) + 1) + (value + "\0").encode("utf-16-le")


def process_info(version: str) -> bytes:
    return reply(OK, struct.pack("<Q", 1) + bytes(16) + b"".join(text(part) for part in ["app", "Linux", "x64", "app", version]))


FAKE_RUNTIME = """
import os, pathlib, socket, sys, time
start = pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()[19]
name = f"{os.environ['TMPDIR']}/dotnet-diagnostic-{os.getpid()}-{start}-socket"
server = socket.socket(socket.AF_UNIX)
server.bind(name + "-not-yet")
server.listen(8)
os.rename(name + "-not-yet", name)
for reply in sys.argv[1:]:
    heard = b""
    while not heard:  # empty: it was only a look
        connection, _ = server.accept()
        heard = connection.recv(65536)
    connection.sendall(bytes.fromhex(reply))
    connection.close()
time.sleep(120)
"""


class Errors(EndToEnd):
    def setUp(self) -> None:
        super().setUp()
        self.temporary = pathlib.Path(tempfile.mkdtemp(prefix="walkabout-e2e-"))
        self.addCleanup(shutil.rmtree, self.temporary, ignore_errors=True)
        self.temporary.chmod(0o1777)

    def attaches(self, pid: int) -> None:
        done = walkabout("attach", pid, "-q", "-d", "300ms", "-o", self.temporary / "out.walk")
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertGreater(Recording(self.temporary / "out.walk", done).stats()["samples"], 0)

    def refused(self, pid: int, *messages: str, prefix: tuple = (), waits: bool = False) -> None:
        done = finish(start([*prefix, CLI, "attach", pid, "-d", "1s", "-o", self.temporary / "out.walk"]))
        self.assertEqual(done.returncode, FAILURE, done)
        for part in messages:
            self.assertIn(part, done.stderr, done)
        lines = done.stderr.splitlines()
        if waits:
            self.assertIn("waiting for", lines.pop(0))
        self.assertEqual(len(lines), 1, f"one message: {done}")
        self.assertFalse((self.temporary / "out.walk").exists())

    def begin(self, command: list, **environment: str) -> int:
        process = start(command, env=clean_environment(TMPDIR=str(self.temporary), **environment))
        self.addCleanup(lambda: (process.kill(), process.communicate()))
        # The kernel shows it a moment after the start.
        wait_until(lambda: b"TMPDIR=" in pathlib.Path(f"/proc/{process.pid}/environ").read_bytes(), "it has begun")
        return process.pid

    def dotnet(self, **environment: str) -> int:
        pid = self.begin([*app("demo"), "120"], **environment)
        wait_until(lambda: cpu_seconds(pid) > 1, "the program works")
        return pid

    def port(self, pid: int) -> pathlib.Path:
        start_time = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
        return self.temporary / f"dotnet-diagnostic-{pid}-{start_time}-socket"

    def fake_runtime(self, *replies: bytes) -> int:
        """A process whose port answers so, one connection after the other."""
        pid = self.begin(["python3", "-c", FAKE_RUNTIME, *(part.hex() for part in replies)])
        wait_until(self.port(pid).exists, "it listens")
        return pid

    def test_arguments(self) -> None:
        pid = os.getpid()
        for options, message in [(["-d", "soon"], "--duration"), (["-i", "1us"], "100us"), (["-o", "x.docx"], ".docx")]:
            done = walkabout("attach", pid, *options)
            self.assertEqual(done.returncode, USAGE, done)
            self.assertIn(message, done.stderr)
        self.assertEqual(walkabout("attach").returncode, USAGE)

    def test_no_such_process(self) -> None:
        process = start(["true"])
        process.communicate()
        self.refused(process.pid, f"there is no process {process.pid}")

    def test_not_dotnet(self) -> None:
        pid = self.begin(["sleep", "120"])
        self.refused(pid, "is not a .NET program", waits=True)  # so young, it might become one
        self.refused(pid, "is not a .NET program")

    def test_what_cannot_become_dotnet_is_reported_at_once(self) -> None:
        source = self.temporary / "still.c"
        source.write_text("#include <unistd.h>\nint main(void) { sleep(120); }\n")
        program = self.temporary / "still"
        subprocess.run(["cc", "-static", "-o", program, source], check=True)
        self.refused(self.begin([program]), "is not a .NET program")

    # What is a shell when it is attached to.
    def test_attached_to_as_soon_as_it_has_a_number(self) -> None:
        for command in (app("demo"), ["sh", "-c", "sleep 0.3; exec \"$@\"", "sh", *app("demo")]):
            process = start([*command, "120"], env=clean_environment(TMPDIR=str(self.temporary)))
            self.addCleanup(lambda process=process: (process.kill(), process.communicate()))
            done = walkabout("attach", process.pid, "-q", "-d", "500ms", "-o", self.temporary / "out.walk")
            self.assertEqual((done.returncode, done.stderr), (0, ""), done)
            self.assertGreater(Recording(self.temporary / "out.walk", done).stats()["samples"], 0)

    # Refused, the runtime frees what the agent was given; the next attach must not touch it.
    def test_after_one_that_could_not_begin(self) -> None:
        pid = self.dotnet()
        prlimit = ["prlimit", "--pid", str(pid)]
        subprocess.run([*prlimit, "--fsize=1000000:"], check=True)
        for _ in range(2):
            self.refused(pid, "could not begin", "file size limit", "prlimit")
        subprocess.run([*prlimit, "--fsize=unlimited:"], check=True)
        self.attaches(pid)

    def test_a_limit_of_address_space(self) -> None:
        pid = self.dotnet()
        prlimit = ["prlimit", "--pid", str(pid)]
        taken = int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")
        subprocess.run([*prlimit, f"--as={taken + (1 << 30)}:"], check=True)
        self.refused(pid, "could not begin", "address space", "prlimit")
        subprocess.run([*prlimit, "--as=unlimited:"], check=True)
        self.attaches(pid)

    def test_after_a_start_that_could_not_begin(self) -> None:
        agent = {name: value for name, value in with_agent(WALKABOUT_SOCKET="/no/such/socket").items()
                 if name.startswith(("CORECLR_", "WALKABOUT_"))}
        self.attaches(self.dotnet(**agent))

    def test_no_threads_to_be_had(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can become another user, whose limit counts")
        user = ("setpriv", "--reuid=54321", "--regid=54321", "--clear-groups")
        # A program that begins no thread: at the limit the runtime ends others itself, profiled or not.
        environment = {"DOTNET_CLI_HOME": str(self.temporary), "DOTNET_TieredCompilation": "0"}
        pid = self.begin([*user, *app("knownstack"), "120000"], **environment)
        wait_until(lambda: cpu_seconds(pid) > 1, "the program works")
        prlimit = [*user, "prlimit", "--pid", str(pid)]
        most = subprocess.run([*prlimit, "--nproc", "-o", "SOFT", "--noheadings"], capture_output=True, text=True,
                              check=True).stdout.strip()
        # The runtime wants one for itself at the first attach; then the agent wants some.
        for more in (0, 1):
            limit = len(list(pathlib.Path(f"/proc/{pid}/task").iterdir())) + more
            subprocess.run([*prlimit, f"--nproc={limit}:"], check=True)
            self.refused(pid, "no thread", "ulimit -u")
        subprocess.run([*prlimit, f"--nproc={most}:"], check=True)
        self.attaches(pid)

    def test_diagnostics_off(self) -> None:
        self.refused(self.dotnet(DOTNET_EnableDiagnostics="0"), "switched off", "DOTNET_EnableDiagnostics=0")

    def test_another_users(self) -> None:
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        user = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        self.refused(self.dotnet(), "belongs to root", "as that user, or as root", prefix=user)

    def test_stale_socket(self) -> None:
        pid = self.begin(["sleep", "120"])
        left_over = socket.socket(socket.AF_UNIX)
        left_over.bind(str(self.port(pid)))
        left_over.close()
        self.refused(pid, "stale", waits=True)

    def test_deleted_socket(self) -> None:
        pid = self.dotnet()
        self.port(pid).unlink()
        self.refused(pid, "has no diagnostics socket", "TMPDIR")

    def test_too_old(self) -> None:
        self.refused(self.fake_runtime(process_info("7.0.20")), ".NET 7.0.20", "too old")
        old = reply(ERROR, struct.pack("<I", UNKNOWN_COMMAND))
        self.refused(self.fake_runtime(old), "too old")

    def test_native_aot(self) -> None:
        program = self.temporary / "native"
        section = self.temporary / "section"
        section.write_bytes(b"code")
        subprocess.run(["objcopy", "--add-section", f"__managedcode={section}", "/bin/sleep", program], check=True)
        self.refused(self.begin([program, "120"]), "native (AOT)", "perf")

    def test_a_runtime_that_takes_no_profiler(self) -> None:
        unknown = reply(ERROR, struct.pack("<I", UNKNOWN_COMMAND))
        self.refused(self.fake_runtime(process_info("10.0.1"), unknown), "takes no profiler")

    def test_nonsense_behind_the_socket(self) -> None:
        for answer in [b"HTTP/1.1 400 Bad Request\r\n\r\n", reply(OK, b"\1"), HEADER + b"\3\0\xff\0\0\0"]:
            self.refused(self.fake_runtime(answer), "does not speak")


if __name__ == "__main__":
    main()
