"""The ring memory of a running target (wire/ring.h), held open as the collector does: what was really taken."""
import os
import pathlib
import struct

PAGE = 4096
CAUSES = 6
HEADER = struct.Struct(f"<4IQ{2 + CAUSES}Q")  # magic version slots ring_size start; gone, CPU time: attempts, samples, drops
# tid ring_size thread reserved, last_cpu overruns; ticks: head tail frames cost, CPU time: attempts samples, drops
SLOT = struct.Struct(f"<4I2Q4Q2Q{CAUSES}Q")


class Rings:
    def __init__(self, pid: int) -> None:
        for fd in pathlib.Path(f"/proc/{pid}/task").glob("*/fd/*"):  # one thread of the agent has a table of its own
            try:
                if os.readlink(fd).startswith("/memfd:walkabout-rings"):
                    self._file = open(fd, "rb", buffering=0)  # outlives the process
                    return
            except FileNotFoundError:  # a descriptor or thread that is gone by now
                pass
        raise AssertionError(f"process {pid} has no ring memory")

    def close(self) -> None:
        self._file.close()

    def _at(self, offset: int, layout: struct.Struct) -> tuple:
        return layout.unpack(os.pread(self._file.fileno(), layout.size, offset))

    def taken(self) -> tuple[int, int]:
        """(ticks that were not dropped, bytes not handed over), since the start and of all threads."""
        magic, version, slots, ring_size, _, attempts, _, *drops = self._at(0, HEADER)
        assert (magic, version) == (0x474e5257, 9), "the layout is another"
        ticks, waiting = attempts - sum(drops), 0
        for index in range(slots):
            tid, _, _, _, _, _, head, tail, _, _, attempts, _, *drops = self._at(PAGE + index * (PAGE + ring_size), SLOT)
            if tid != 0:
                ticks += attempts - sum(drops)
                waiting += head - tail
        return ticks, waiting


def child_of(pid: int) -> int:
    """The only child of a process."""
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    assert len(children) == 1, children
    return int(children[0])
