#!/usr/bin/env python3
"""A stripped runtime's functions have the names of its own tables: of a program that does one thing, that thing's."""
from events_test import RUNTIMES
from harness import EndToEnd, app, main

# Methods stay in the code that counts how often what is called.
COUNTING = {"DOTNET_TieredPGO_InstrumentOnlyHotCode": "0", "DOTNET_TC_CallCountThreshold": "1000000000", "DOTNET_TC_OnStackReplacement": "0"}
TIERING = {"CORINFO_HELP_COUNTPROFILE32", "CORINFO_HELP_PATCHPOINT"}  # until the loop's code is optimized
INVOKING = {"CORINFO_HELP_JIT_PINVOKE_BEGIN", "CORINFO_HELP_JIT_PINVOKE_END"}
# What: the method of the program, the function that it is about, and the helpers that it calls beside that.
WORK = {
    "count": ("RuntimeWork.Count", "CORINFO_HELP_COUNTPROFILE32", set()),
    "class": ("RuntimeWork.Class", "CORINFO_HELP_CLASSPROFILE32", {"CORINFO_HELP_COUNTPROFILE32"}),
    "delegate": ("RuntimeWork.Delegate", "CORINFO_HELP_DELEGATEPROFILE32", {"CORINFO_HELP_COUNTPROFILE32"}),
    "fcall": ("RuntimeWork.FCall", "GC._CollectionCount", TIERING),
    "qcall": ("RuntimeWork.QCall", "ThreadNative_YieldThread", TIERING | INVOKING),
}
COUNTED = ("count", "class", "delegate")


class RuntimeNames(EndToEnd):
    def named(self, runtime: tuple[str, str], what: str) -> tuple[dict[str, float], float]:
        """By name of the runtime's tables the weight of stacks with the method in which that comes behind it; all weight with the method."""
        recording = self.record(app("runtimework", *runtime) + [what, "0.5"], "-i", "1ms", env=COUNTING if what in COUNTED else {})
        method = WORK[what][0]
        found: dict[str, float] = {}
        total = 0
        for frames, weight in recording.stacks():
            inside = [at for at, frame in enumerate(frames) if frame.startswith(method + "(")]
            if not inside:
                continue
            total += weight
            for frame in set(frames[inside[-1] + 1:]):
                if frame.startswith(("CORINFO_HELP_", "GC.", "ThreadNative_")):
                    found[frame] = found.get(frame, 0) + weight
        return found, total

    def test_work_has_its_name(self) -> None:
        for runtime in (*RUNTIMES, ("net10.0", "singlefile")):
            for what, (_, function, helpers) in WORK.items():
                with self.subTest(runtime=runtime, what=what):
                    found, total = self.named(runtime, what)
                    self.assertGreater(found.get(function, 0), 0.01 * total, (found, total))
                    others = {name: weight for name, weight in found.items()
                              if name.startswith("CORINFO_HELP_") and name not in helpers | {function}}
                    self.assertLess(sum(others.values()), 0.01 * total, (others, total))


if __name__ == "__main__":
    main()
