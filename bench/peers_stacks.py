"""What the stacks of a profile are worth, by the same rules for each profiler, from a text each can write of its own:
`walkabout convert --unfold` and `dotnet-trace convert` (speedscope), `perf script -F pid,tid,ip,sym,dso`.

Rooted: the thread's entry (where libc begins it, or the program) is among the three outermost frames. A profiler that
shows managed frames only has to reach the method that the runtime called. Named: the frame has a function's name, not
an offset. Frames of the kernel do not count, stacks of nothing else neither.
"""
import dataclasses
import json
import re
from collections.abc import Iterable

ENTRIES = {"_start", "__libc_start_main", "__libc_start_main_impl", "__libc_start_call_main", "start_thread", "clone",
           "__clone", "clone3", "__clone3"}
# What the runtime calls first on a thread.
MANAGED_ENTRY = re.compile(r"!(Program\.<Main>\$|[\w.+<>]*\.Main\(|System\.Threading\.Thread\.StartCallback|"
                           r"System\.GC\.RunFinalizers|System\.AppContext\.Setup|System\.StartupHookProvider|"
                           r"System\.Diagnostics\.Tracing\.EventSource\.InitializeDefaultEventSources)")
OUTERMOST = 3
OFFSET = re.compile(r"\+0x[0-9a-f]+$")
PERF_FRAME = re.compile(r"^\s+[0-9a-f]+ (.*?) \(([/\[].*)\)$")  # "… name(int) (/memfd:doublemapper (deleted))"
PERF_SAMPLE = re.compile(r"^\s*(\d+)/(\d+)")
NOT_A_FRAME = {"CPU_TIME", "UNMANAGED_CODE_TIME"}


@dataclasses.dataclass
class Frame:
    name: str  # empty: nobody knows it
    managed: bool


@dataclasses.dataclass
class Worth:
    """Weights; what their unit is does not matter to a share."""
    stacks: float = 0
    rooted: float = 0
    native: float = 0  # frames
    native_named: float = 0
    managed: float = 0
    managed_named: float = 0

    def add(self, stack: list[Frame], rooted: bool, weight: float) -> None:
        """stack: root first."""
        self.stacks += weight
        self.rooted += weight if rooted else 0
        for frame in stack:
            named = weight if frame.name else 0
            if frame.managed:
                self.managed += weight
                self.managed_named += named
            else:
                self.native += weight
                self.native_named += named


def share(part: float, whole: float) -> float | None:
    """In percent; None of nothing."""
    return 100 * part / whole if whole else None


def reaches_entry(stack: list[Frame]) -> bool:
    return any(frame.name in ENTRIES for frame in stack[:OUTERMOST])


def of_walkabout(text: str) -> Worth:
    profile = json.loads(text)
    frames = []
    for entry in profile["shared"]["frames"]:
        name, file = entry["name"], entry.get("file", "")
        unnamed = OFFSET.search(name) or name.startswith("[stub 0x")
        managed = file.endswith(".dll") or (not file and not name.startswith("[stub 0x"))
        frames.append(Frame("" if unnamed else name, managed))
    worth = Worth()
    for thread in profile["profiles"]:
        for sample, weight in zip(thread["samples"], thread["weights"]):
            stack = [frames[i] for i in sample]
            worth.add(stack, reaches_entry(stack), weight)
    return worth


def of_dotnet_trace(text: str) -> Worth:
    """Its profiles are evented: frames open and close; what is open between two events was on the stack so long."""
    profile = json.loads(text)
    names = [entry["name"] for entry in profile["shared"]["frames"]]
    worth = Worth()
    for thread in profile["profiles"]:
        open_frames, since = [], 0.0
        for event in thread["events"]:
            stack = [names[i] for i in open_frames if "!" in names[i] or names[i] in NOT_A_FRAME]
            if event["at"] > since and stack and stack[-1] in NOT_A_FRAME:  # the rest is its rounding
                shown = [Frame("" if "?!?" in name else name, True) for name in stack if name not in NOT_A_FRAME]
                worth.add(shown, bool(shown) and MANAGED_ENTRY.search(shown[0].name) is not None, event["at"] - since)
            since = event["at"]
            if event["type"] == "O":
                open_frames.append(event["frame"])
            else:
                open_frames.pop()
    return worth


def perf_frame(line: str) -> Frame | None:
    """None: of the kernel."""
    found = PERF_FRAME.match(line)
    if found is None:
        raise ValueError(f"not a frame of perf's: {line!r}")
    name, dso = found[1], found[2]
    if dso.startswith("[kernel") or dso.endswith(".ko"):
        return None
    managed = dso.endswith(".dll") or "doublemapper" in dso or re.search(r"/perf-\d+\.map$", dso) is not None
    return Frame("" if name == "[unknown]" else name, managed)


def of_perf(lines: Iterable[str], pid: int) -> Worth:
    worth = Worth()
    stack: list[Frame] = []  # leaf first, as perf writes it
    ours = False

    def end() -> None:
        if ours and stack:
            worth.add(stack[::-1], reaches_entry(stack[::-1]), 1)

    for line in lines:
        line = line.rstrip("\n")
        begins = PERF_SAMPLE.match(line)
        if begins:
            end()
            stack, ours = [], int(begins[1]) == pid
        elif line.strip() and ours:
            frame = perf_frame(line)
            if frame is not None:
                stack.append(frame)
    end()
    return worth
