#!/usr/bin/env python3
"""A dump of a profiled program is as large as one of the program alone, and a little."""
import os
import pathlib
import resource
import signal
import unittest

from attaching import cpu_seconds, wait_until
from harness import CLI, EndToEnd, app, execute, finish, limit, main, runtimes, start
from rings import child_of

MIB = 1 << 20
MOST = 96 * MIB  # rings in use, code map, unwind tables, heaps of threads; 540 MiB and more of rings are reserved


def createdump() -> pathlib.Path | None:
    for name, folder in reversed(runtimes()):
        program = folder / "createdump"
        if name == "Microsoft.NETCore.App" and program.exists():
            return program
    return None


class Dumps(EndToEnd):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "dump"

    def begin(self, interval: str | None, **how) -> int:
        """The program's PID, when it works; profiled at that interval, or alone."""
        profiled = [] if interval is None else [CLI, "run", "-q", "-i", interval, "-o", self.folder / "out.walk", "--"]
        process = start([*profiled, *app("demo"), "600"], **how)
        self.addCleanup(lambda: (process.poll() is None and os.killpg(process.pid, signal.SIGKILL), process.communicate()))
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        wait_until(lambda: interval is None or children.read_text(), "it is started")
        pid = process.pid if interval is None else child_of(process.pid)
        wait_until(lambda: cpu_seconds(pid) > 1, "the program works")
        self.process = process
        return pid

    def sizes(self, pid: int) -> dict[str, int]:
        found = {}
        for kind in ("--withheap", "--full"):
            done = execute(createdump(), kind, "-f", self.out, pid)
            self.assertEqual(done.returncode, 0, done)
            found[kind] = self.out.stat().st_size
            self.out.unlink()
        return found

    @unittest.skipIf(createdump() is None, "the runtime came without createdump")
    def test_createdump(self) -> None:
        alone = self.sizes(self.begin(None))
        for interval in ("99hz", "100us"):
            for kind, size in self.sizes(self.begin(interval)).items():
                self.assertLess(size - alone[kind], MOST, f"{kind} {interval}: {size >> 20} MiB, alone {alone[kind] >> 20}")

    @unittest.skipIf(pathlib.Path("/proc/sys/kernel/core_pattern").read_text().strip() != "core" or
                     resource.getrlimit(resource.RLIMIT_CORE)[1] != resource.RLIM_INFINITY, "cores go elsewhere")
    def test_the_kernels_core(self) -> None:
        sizes = []
        for interval in (None, "99hz"):
            place = self.folder / str(interval)
            place.mkdir()
            pid = self.begin(interval, cwd=place, preexec_fn=limit(resource.RLIMIT_CORE, resource.RLIM_INFINITY))
            os.kill(pid, signal.SIGSYS)  # the runtime has no handler for it
            finish(self.process, 60)
            core, = place.glob("core*")
            sizes.append(core.stat().st_blocks * 512)
            core.unlink()
        self.assertLess(sizes[1] - sizes[0], MOST, sizes)


if __name__ == "__main__":
    main()
