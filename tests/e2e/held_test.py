#!/usr/bin/env python3
"""A collection, the load of a module and the end of a thread inside every callback that the agent takes, where the runtime lets
that happen: the program does not notice, and nothing that was recorded is lost or wrong."""
import re

import harness
from harness import EndToEnd, app, main

LINE = re.compile(r"held in (\w+) (\d+): collections (\d+|-) loads (\d+|-) deaths (\d+|-)")
EVENTS = "cpu,wall=1ms,alloc,exceptions,locks,waits,gc,jit,loads,threads,live,callbacks"
ENOUGH = 100  # times that the agent stays in a callback, in one of which each of the three comes
ALWAYS = {"ModuleLoadFinished", "ModuleUnloadStarted", "ModuleUnloadFinished", "ThreadAssignedToOSThread", "ThreadDestroyed",
          "ThreadNameChanged", "RuntimeSuspendStarted", "RuntimeSuspendFinished", "RuntimeResumeStarted", "RuntimeResumeFinished",
          "RuntimeThreadSuspended", "GCStart", "GCEnd", "GCRestartEEEnd", "GCHeapStats", "GCRestartEEBegin", "GCSuspendEEEnd",
          "GCSuspendEEBegin", "TypeLoadStart", "TypeLoadStop", "ExceptionThrown", "ContentionStart", "ThreadCreated", "ContentionStop",
          "MethodLoadVerbose", "MethodUnloadVerbose", "MethodJittingStarted", "ModuleLoad", "AssemblyLoad"}
WAITS = {"WaitHandleWaitStart", "WaitHandleWaitStop"}


class Held(EndToEnd):
    def check(self, *runtime: str, expected: set[str]) -> None:
        path = self.folder / "out.walk"
        done = harness.execute(harness.BUILD / "held" / "walkabout", "run", "-o", path, "--events", EVENTS, "--interval", "1ms", "--",
                               *app("kinds", *runtime), "churn", "12")
        self.assertEqual((done.returncode, done.stdout), (0, "churn done\n"), done)
        stats = harness.Recording(path, done).stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        for name, event in stats["events"].items():
            self.assertEqual(event["attempts"], event["samples"] + sum(event["drops"].values()), name)
        self.assertGreater(stats["events"]["callbacks"]["samples"], 0)
        lines = [line for message in stats["messages"] if (line := LINE.fullmatch(message))]
        self.assertEqual(expected - {line[1] for line in lines}, set(), stats["messages"])
        missing = [line[0] for line in lines if "0" in line.groups()[2:] and (line[1] in expected or int(line[2]) >= ENOUGH)]
        self.assertEqual(missing, [])

    def test_net10(self) -> None:
        self.check("net10.0", "framework", expected=ALWAYS | WAITS | {"AllocationSampled"})

    def test_net9(self) -> None:
        self.check("net9.0", "selfcontained", expected=ALWAYS | WAITS | {"AllocationTick"})

    def test_net8(self) -> None:
        self.check("net8.0", "selfcontained", expected=ALWAYS | {"AllocationTick"})


if __name__ == "__main__":
    main()
