#!/usr/bin/env python3
"""A stripped runtime's functions have the names of its own tables: of a program that does one thing, that thing's."""
import json
import pathlib
import re
import typing

from events_test import RUNTIMES
from harness import EndToEnd, Recording, app, execute, main, walkabout

# Methods stay in the code that counts how often what is called.
COUNTING = {"DOTNET_TieredPGO_InstrumentOnlyHotCode": "0", "DOTNET_TC_CallCountThreshold": "1000000000", "DOTNET_TC_OnStackReplacement": "0"}
# Methods are optimized at once, however long the thread that does that later has to wait for a processor.
OPTIMIZED = {"DOTNET_TieredPGO": "0", "DOTNET_TC_QuickJitForLoops": "0"}
TIERING = {"CORINFO_HELP_COUNTPROFILE32", "CORINFO_HELP_PATCHPOINT"}  # of code that is not
INVOKING = {"CORINFO_HELP_JIT_PINVOKE_BEGIN", "CORINFO_HELP_JIT_PINVOKE_END"}
OBJECTS = {"CORINFO_HELP_NEWSFAST", "CORINFO_HELP_NEWFAST"}  # if need be the first calls the second
ARRAYS = {"CORINFO_HELP_NEWARR_1_VC", "CORINFO_HELP_NEWARR_1_DIRECT"}
SINGLE_FILE, COMPOSITE = ("net10.0", "singlefile"), ("net10.0", "composite")
NAMELESS = re.compile(r"\[(stub|[^\]: ]*\.(so|dll)\b[^\]: ]*)\]")


class Work(typing.NamedTuple):
    method: str  # of the program
    functions: set[str]  # one of these is what it is about
    what: str  # ... and report calls it so
    helpers: set[str] | None = None  # it calls no others of the JIT's but these; None: it calls many
    nameless: float = 0.05  # at most so much of its time


WORK = {
    "count": Work("Count", {"CORINFO_HELP_COUNTPROFILE32"}, "PGO counting", set()),
    "class": Work("Class", {"CORINFO_HELP_CLASSPROFILE32"}, "PGO counting", {"CORINFO_HELP_COUNTPROFILE32"}),
    "delegate": Work("Delegate", {"CORINFO_HELP_DELEGATEPROFILE32"}, "PGO counting", {"CORINFO_HELP_COUNTPROFILE32"}),
    # It jumps to a function of the collector, which then stands in its place.
    "fcall": Work("FCall", {"GC._CollectionCount"}, "calls of the runtime by name", TIERING, nameless=0.4),
    "qcall": Work("QCall", {"ThreadNative_YieldThread"}, "calls of the runtime by name", TIERING | INVOKING),
    "object": Work("NewObject", {"CORINFO_HELP_NEWSFAST"}, "allocating", TIERING | OBJECTS | {"CORINFO_HELP_ASSIGN_REF"}),
    "array": Work("NewArray", {"CORINFO_HELP_NEWARR_1_VC"}, "allocating", TIERING | ARRAYS | {"CORINFO_HELP_ASSIGN_REF"}),
    "reference": Work("StoreReference", {"CORINFO_HELP_CHECKED_ASSIGN_REF"}, "storing references", TIERING),
    # Of a method of its own from .NET 9 on.
    "struct": Work("StoreStruct", {"CORINFO_HELP_ASSIGN_BYREF", "Buffer.__BulkMoveWithWriteBarrier", "InlinedMemmoveGCRefsHelper"},
                   "storing references", TIERING),
    "throw": Work("Throw", {"CORINFO_HELP_THROW"}, "throwing"),
    "prepare": Work("Prepare", {"ThePreStub"}, "preparing methods"),
    "interface": Work("CallInterfaces", {"ResolveWorkerChainLookupAsmStub", "ResolveWorkerAsmStub"}, "resolving interface calls"),
    "resolve": Work("CallFramework", {"DelayLoad_MethodCall"}, "resolving a call"),
    "members": Work("CallFramework", {"DelayLoad_Helper"}, "resolving types and members"),
    "types": Work("LoadTypes", {"ClassLoader::LoadTypeHandleForTypeKey"}, "type loading"),
    "suspend": Work("Suspend", {"ThreadSuspend::SuspendEE"}, "suspending", nameless=1),
}
# By the phases that such collections have, and have not.
PHASES = {
    "compact": ({"marking", "relocating", "planning, compacting or sweeping"}, {"marking in the background"}),
    "sweep": ({"marking", "planning, compacting or sweeping"}, {"relocating", "marking in the background"}),
    "background": ({"marking in the background", "sweeping in the background"}, {"relocating"}),
}
COUNTED = ("count", "class", "delegate")
# The same runtime, in one file with the program: one thing of each table is enough.
IN_ONE_FILE = ("count", "qcall", "fcall", "object", "interface", "resolve", "types", "suspend")
# Done once only: samples have to be near.
BRIEF = ("prepare", "resolve")


class RuntimeNames(EndToEnd):
    def run_work(self, runtime: tuple[str, str], what: str) -> Recording:
        return self.record(app("runtimework", *runtime) + [what, "0.5"], "-i", "250us" if what in BRIEF else "1ms",
                           env=COUNTING if what in COUNTED else {} if what in BRIEF else OPTIMIZED)

    def check(self, recording: Recording, work: Work) -> None:
        method = f"RuntimeWork.{work.method}("
        found: dict[str, float] = {}
        total = nameless = 0.0
        for frames, weight in recording.stacks():
            inside = [at for at, frame in enumerate(frames) if frame.startswith(method)]
            if not inside:
                continue
            total += weight
            nameless += weight if NAMELESS.fullmatch(frames[-1]) else 0
            for name in {name for frame in frames[inside[-1] + 1:] for name in frame.split(" or ")}:
                found[name] = found.get(name, 0) + weight
        self.assertGreater(max(found.get(name, 0) for name in work.functions), 0.01 * total, (found, total))
        self.assertLess(nameless, work.nameless * total)
        if work.helpers is not None:
            # A function that is several helpers is there once for each.
            others = {name: weight for name, weight in found.items()
                      if name.startswith("CORINFO_HELP_") and not name.startswith(tuple(work.helpers | work.functions))}
            self.assertLess(sum(others.values()), 0.01 * total, (others, total))
        done = recording.report()["runtime_work"]
        self.assertGreater(done.get(work.what, {"seconds": 0})["seconds"], 0, done)

    def test_work_has_its_name(self) -> None:
        for runtime in (*RUNTIMES, SINGLE_FILE):
            for what, work in WORK.items():
                if what == "members" or (runtime == SINGLE_FILE and what not in IN_ONE_FILE):
                    continue
                with self.subTest(runtime=runtime, what=what):
                    recording = self.run_work(runtime, what)
                    self.check(recording, work)
                    if what == "resolve":
                        self.check(recording, WORK["members"])

    def test_collections_have_their_phases(self) -> None:
        """One that compacts moves all, one that sweeps moves nothing, and one in the background does both its parts there."""
        for runtime in (*RUNTIMES, SINGLE_FILE):
            for what, (expected, others) in PHASES.items():
                for server in ("0", "1") if runtime == RUNTIMES[0] else ("0",):
                    with self.subTest(runtime=runtime, what=what, server=server):
                        self.check_phases(runtime, what, server, expected, others)

    def check_phases(self, runtime: tuple[str, str], what: str, server: str, expected: set[str], others: set[str]) -> None:
        # One heap: with more the collector's threads wait for one another.
        recording = self.record(app("runtimework", *runtime) + [what, "0.5"], "-i", "1ms",
                                env={"DOTNET_gcServer": server, "DOTNET_GCHeapCount": "1", "DOTNET_GCgen0size": "10000000"})
        phases = {name: amount["seconds"] for name, amount in recording.report()["gc_work"].items()}
        total = sum(phases.values())
        for phase in expected:
            self.assertGreater(phases.get(phase, 0), 0.02 * total, phases)
        for phase in others:
            self.assertLess(phases.get(phase, 0), 0.02 * total, phases)
        self.assertLess(phases.get("other", 0), 0.2 * total, phases)

    def test_events_are_told_by_the_functions_that_have_their_names(self) -> None:
        """Each type that the runtime says it has loaded, and each end of a pause, is told from below the function of that name."""
        for runtime in (*RUNTIMES, SINGLE_FILE):
            for event, what, function in (("loads", "types", "ClassLoader::LoadTypeHandleForTypeKey"), ("gc", "suspend", "ThreadSuspend::RestartEE")):
                with self.subTest(runtime=runtime, event=event):
                    recording = self.record(app("runtimework", *runtime) + [what, "0.2"], "--events", f"cpu,{event}")
                    stacks = self.told(recording, event)
                    self.assertTrue(stacks)
                    for frames in stacks:
                        self.assertIn(function, frames)

    def told(self, recording: Recording, event: str) -> list[list[str]]:
        """The stacks of types and of pauses; assemblies, and sizes of heaps, are other samples of these events."""
        value = {"loads": "load time", "gc": "pause"}[event]
        stacks = [frames for frames, _ in recording.stacks("--event", event, "--value", value)]
        return [frames for frames in stacks if frames != ["[not walked]"]]  # sums of those in between

    def test_composite(self) -> None:
        """Its framework calls itself for the first time while it starts."""
        recording = self.record(app("qsort", *COMPOSITE) + ["1"], "-i", "250us")
        frames = {name for stack, _ in recording.stacks() for name in stack}
        for name in ("ThePreStub", "DelayLoad_MethodCall", "DelayLoad_Helper", "PreStubWorker"):
            self.assertIn(name, frames)
        done = recording.report()["runtime_work"]
        for what in ("preparing methods", "resolving a call", "resolving types and members", "type loading"):
            self.assertIn(what, done)


class SymbolsOfARuntime(EndToEnd):
    """Where a file with symbols is found later its names are taken, and say which of the runtime's own were right."""

    def test_symbols_confirm_and_contradict(self) -> None:
        recording = self.record(app("runtimework") + ["prepare", "0.5"], "-i", "1ms")
        library = pathlib.Path(self.libcoreclr(recording)["path"])
        pre_stub, worker = begins_of_pre_stub(library)
        fake = self.folder / "symbols" / "libcoreclr.so.dbg"
        fake.parent.mkdir()
        # Symbols of our own making, in a file with the build id of the runtime that ran.
        added = {"PreStubWorker": worker, "memfrob": pre_stub}
        arguments = [f"--add-symbol={name}=.text:{at:#x},function,global" for name, at in added.items()]
        done = execute("objcopy", *arguments, library, fake)
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(self.libcoreclr(recording)["confirmed"], 0, "without symbols nothing is compared")
        checked = self.libcoreclr(recording, "--folder", fake.parent)
        self.assertEqual(checked["from"], "folder", checked)
        self.assertGreaterEqual(checked["confirmed"], 1, checked)
        self.assertIn("ThePreStub is memfrob", checked["contradicted"])
        # A symbol without a size reaches to the next, so others are called so too; but not what is right.
        self.assertFalse([one for one in checked["contradicted"] if one.startswith("PreStubWorker ")], checked)
        frames = {frame for stack, _ in recording.stacks() for frame in stack}
        self.assertIn("memfrob", frames, "names of symbols come first")
        self.assertNotIn("ThePreStub", frames)

    def libcoreclr(self, recording: Recording, *options) -> dict:
        done = walkabout("symbols", recording.path, "--json", *options)
        self.assertEqual(done.returncode, 0, done)
        return next(one for one in json.loads(done.stdout)["libraries"] if one["path"].endswith("/libcoreclr.so"))


def begins_of_pre_stub(library: pathlib.Path) -> tuple[int, int]:
    """Where ThePreStub of .NET 10 and what it calls begin, from the start of .text."""
    sections = execute("readelf", "-SW", library).stdout
    offset, size = (int(text, 16) for text in re.search(r" \.text +PROGBITS +\S+ (\S+) (\S+)", sections).groups())
    code = library.read_bytes()[offset:offset + size]
    # mov rsi, r10; call; mov r10, rax; mov rax, [rsp]: 92 bytes behind the beginning
    call = re.search(rb"\x4c\x89\xd6\xe8(....)\x49\x89\xc2\x48\x8b\x04\x24", code, re.DOTALL)
    return call.start() - 92, call.end(1) + int.from_bytes(call.group(1), "little", signed=True)


if __name__ == "__main__":
    main()
