#!/usr/bin/env python3
"""Proves how much of a thread's stack an event takes, beyond the walk.    check_callback_stack.py LIBWALKABOUT

A callback comes on the program's thread, wherever that stands on its stack. The frames of each function are read from the
code; the deepest chain of calls from the runtime's call to each source's part counts. Not counted are the C library's frames and what
is called through a pointer: the runtime's functions, and the sources, which are counted by themselves.
"""
import dataclasses
import re
import subprocess
import sys

from tree import finish

MOST = 1024
# Where the runtime calls, and what calls the sources' part; the deepest of each is counted before the source.
REPORTING, PROFILER = "clr::Reporting<walkabout::agent::Profiler>::", "agent::Profiler::"
CALLERS = {
    "on_event": (rf"{REPORTING}EventPipeEventDelivered\(", rf"{PROFILER}EventPipeEventDelivered\("),
    "on_callback": (rf"{REPORTING}\w+\(", rf"{PROFILER}called\("),
    "on_suspension": (rf"{REPORTING}Runtime(Suspend|Resume)\w+\(", rf"{PROFILER}Runtime(Suspend|Resume)\w+\(", rf"{PROFILER}on_suspension\("),
    "on_thread_end": (rf"{REPORTING}ThreadDestroyed\(", rf"{PROFILER}ThreadDestroyed\("),
    "on_thread_stopped": (rf"{REPORTING}RuntimeThreadSuspended\(", rf"{PROFILER}RuntimeThreadSuspended\("),
}
# Not counted, nor what they call.
LEFT_OUT = {
    r"\bwrite_stack\(": "the walk",
    r"ThreadTable::(arm_locked|open_callback_lane)\(": "on the stack of the thread that opens descriptors",
    r"Profiler::note_code\(": "is no source's, and has returned when they are called",
    r"^std::__throw_|^__cxa_|^_Unwind_|^abort": "ends the program",
}
REGISTERS = r"\bcapture_here\("  # its frame is the registers that the walk starts from


@dataclasses.dataclass
class Function:
    pushed: int = 0
    taken: int = 0
    unknown: bool = False  # its frame has a part that no number in the code says
    calls: set[tuple[str, bool]] = dataclasses.field(default_factory=set)  # (name, in the end, instead of a return)

    @property
    def frame(self) -> int:
        return self.taken + 8 * self.pushed


FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
TAKES = re.compile(r"\b(?:sub\s+\$0x(?P<taken>[0-9a-f]{1,7})|add\s+\$0xf{6,}(?P<left>[0-9a-f]{2,8})),%rsp")
OTHERS = re.compile(r"\b(?:sub\s+%\w+|and\s+\$\S+|lea\s+-\S+\(%rsp\)),\s*%rsp")  # a frame of no fixed size, or aligned
CALLS = re.compile(r"\b(call|j\w+)\s+[0-9a-f]+ <(.+?)(?:\+0x[0-9a-f]+)?>$")


def functions(disassembly: str) -> dict[str, Function]:
    """Of what objdump -dC prints. A function's cold part is its own."""
    found: dict[str, Function] = {}
    name = ""
    for line in disassembly.splitlines():
        if begun := FUNCTION.match(line):
            name = begun[1].replace(" [clone .cold]", "")
            found.setdefault(name, Function())
        elif name:
            function = found[name]
            function.pushed += "push " in line
            if took := TAKES.search(line):
                taken = int(took["taken"], 16) if took["taken"] else 16 ** len(took["left"]) - int(took["left"], 16)
                function.taken = max(function.taken, taken)
            function.unknown = function.unknown or OTHERS.search(line) is not None
            called = CALLS.search(line)
            if called and (to := called[2].replace(" [clone .cold]", "")) != name:
                function.calls.add((to, called[1] != "call"))
    return found


def deepest(all_functions: dict[str, Function], name: str, known: dict[str, tuple[int, list[str]]]) -> tuple[int, list[str]]:
    """Bytes of the deepest chain of calls that begins with this one, and its functions."""
    if name in known:
        return known[name]
    known[name] = (0, [])  # while its own calls are followed: a recursion is counted once
    function = all_functions.get(name)
    if function is None or any(re.search(pattern, name) for pattern in LEFT_OUT):
        return known[name]
    own = 0 if re.search(REGISTERS, name) else function.frame
    most = (own, [f"{own} {name}"])
    for called, in_the_end in function.calls:
        depth, chain = deepest(all_functions, called, known)
        depth += 0 if in_the_end else own + 8
        if depth > most[0]:
            most = (depth, [f"{own} {name}"] + chain)
    known[name] = most
    return most


def reached(all_functions: dict[str, Function], name: str, known: set[str]) -> set[str]:
    """This function and what it calls, of those that count."""
    if name not in known and name in all_functions and not any(re.search(pattern, name) for pattern in LEFT_OUT):
        known.add(name)
        for called, _ in all_functions[name].calls:
            reached(all_functions, called, known)
    return known


def problems(all_functions: dict[str, Function], most: int = MOST) -> list[str]:
    found = []
    for part, callers in CALLERS.items():
        before = 0
        for caller in callers:
            frames = [function.frame for name, function in all_functions.items() if re.search(caller, name)]
            if not frames:
                return [f"there is no function {caller}: where does the runtime call now?"]
            before += max(frames) + 8
        sources = [name for name in all_functions if re.search(rf"::\w+Source::{part}\(", name)]
        if not sources:
            found.append(f"there is no source with {part}()")
        for source in sources:
            depth, chain = deepest(all_functions, source, {})
            if before + depth > most:
                found.append(f"{before + depth} bytes of stack, at most {most}: {before} of its callers, " + ", ".join(chain))
            unknown = sorted(name for name in reached(all_functions, source, set()) if all_functions[name].unknown)
            found += [f"{source} calls {name}, whose frame has no fixed size" for name in unknown]
    return found


def main() -> None:
    disassembly = subprocess.check_output(["objdump", "-dC", "--no-show-raw-insn", sys.argv[1]], text=True)
    finish(problems(functions(disassembly)), "the stack that events take")


if __name__ == "__main__":
    main()
