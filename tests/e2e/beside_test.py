#!/usr/bin/env python3
"""Next to a profiler that owns the slot: both work, and the program does not notice."""
import re
import subprocess

import harness
from attaching import attach, attach_for_work, cpu_seconds, wait_until
from harness import AGENT, EndToEnd, app, main, share

CLSID = "{5C3E63B4-0D52-4B4B-9E7E-3F1D2E7A90B1}"  # tests/beside
OTHER = harness.BUILD / "beside" / "libother.so"
IN_SLOT = {"CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH": str(OTHER)}
NOTIFIED = {"OTHER_NOTIFIED": "1", "CORECLR_ENABLE_NOTIFICATION_PROFILERS": "1",
            "CORECLR_NOTIFICATION_PROFILERS": f"{OTHER}={CLSID}"}


class Beside(EndToEnd):
    def assert_both_work(self, recording: harness.Recording, who: str) -> None:
        counts = re.search(rf"^{who} profiler: (\d+) compiled, (\d+) events$", recording.run.stderr, re.MULTILINE)
        self.assertIsNotNone(counts, recording.run)
        compiled, events = map(int, counts.groups())
        self.assertGreater(compiled, 3, recording.run)
        self.assertGreater(events, compiled, recording.run)

    def check(self, tfm: str, env: dict, *options: str) -> harness.Recording:
        recording = self.record(app("qsort", tfm, "selfcontained") + ["2"], "--beside", "--interval", "1ms", *options,
                                env=env)
        self.assertRegex(recording.run.stdout.splitlines()[0], r"^\d+ sorts$")
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        self.assertIn("notification profiler", " ".join(stats["messages"]))
        stacks = recording.stacks()
        self.assertGreater(share(stacks, ["Program.Main", "NativeSort.Program.Run"]), 0.95 * share(stacks, ["Program.Main"]))
        inside = share(stacks, ["NativeSort.Program.ComparePointers"])
        whole = share(stacks, ["NativeSort.Program.SortByPointer", "NativeSort.Program.ComparePointers"])
        self.assertGreater(inside, 0)
        self.assertGreaterEqual(whole / inside, 0.999)
        return recording

    def test_net8(self) -> None:
        self.assert_both_work(self.check("net8.0", IN_SLOT), "main")

    def test_net9(self) -> None:
        self.assert_both_work(self.check("net9.0", IN_SLOT), "main")

    def test_net10(self) -> None:
        self.assert_both_work(self.check("net10.0", IN_SLOT), "main")

    def test_empty_slot(self) -> None:
        for tfm in ("net8.0", "net10.0"):
            self.check(tfm, {})

    def test_another_that_is_notified(self) -> None:
        for tfm in ("net8.0", "net10.0"):
            self.assert_both_work(self.check(tfm, NOTIFIED), "notified")

    def test_a_profiler_that_is_not_there(self) -> None:
        self.check("net10.0", IN_SLOT | {"CORECLR_PROFILER_PATH": "/no/such.so"})

    def test_the_clrs_own_walk_agrees(self) -> None:
        for command in (app("generics", "net8.0", "selfcontained") + ["3"], app("demo") + ["3"]):
            recording = self.record(command, "--beside", "--interval", "1ms", "--oracle", env=IN_SLOT)
            self.assert_both_work(recording, "main")
            self.assert_equal_to_clr(recording)

    def test_the_program_is_as_it_is_without_us(self) -> None:
        command = app("generics", "net8.0", "selfcontained")
        alone = harness.execute(*command, "1", env=harness.clean_environment(**IN_SLOT))
        path = self.folder / "out.walk"
        beside = harness.walkabout("run", "-q", "--beside", "-o", path, "--", *command, "1",
                                   env=harness.clean_environment(**IN_SLOT))
        self.assertEqual(beside.returncode, alone.returncode, beside)
        self.assertEqual(re.sub(r"\d+", "N", beside.stdout), re.sub(r"\d+", "N", alone.stdout))
        self.assertEqual(re.sub(r"\d+", "N", beside.stderr), re.sub(r"\d+", "N", alone.stderr))

    def test_what_the_command_finds_in_its_environment(self) -> None:
        path = self.folder / "out.walk"
        done = harness.walkabout("run", "--beside", "-o", path, "--", "env",
                                 env=harness.clean_environment(**(IN_SLOT | NOTIFIED)))
        self.assertEqual(done.returncode, 1, done)  # nothing was recorded: not a .NET program
        found = dict(line.split("=", 1) for line in done.stdout.splitlines() if line.startswith("CORECLR_"))
        notified = found.pop("CORECLR_NOTIFICATION_PROFILERS")
        self.assertEqual(found, IN_SLOT | {"CORECLR_ENABLE_NOTIFICATION_PROFILERS": "1"})
        self.assertTrue(notified.startswith(f"{OTHER}={CLSID};{AGENT}={{"), notified)
        self.assertTrue(notified.endswith("};"), notified)

    def test_without_it_the_other_profiler_is_not_pushed_out(self) -> None:
        path = self.folder / "out.walk"
        done = harness.walkabout("run", "-o", path, "--", "echo", "ran", env=harness.clean_environment(**IN_SLOT))
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertEqual(len(done.stderr.splitlines()), 1, done)
        self.assertIn("CORECLR_PROFILER is set", done.stderr)
        self.assertIn("--beside", done.stderr)
        for value in (CLSID, str(OTHER)):
            self.assertNotIn(value, done.stderr)
        self.assertFalse(path.exists())

    def test_attach_comes_beside_it_too(self) -> None:
        for tfm in ("net8.0", "net10.0"):
            going = self.folder / f"{tfm}.going"
            going.touch()
            process = harness.start(app("qsort", tfm, "selfcontained") + ["300"],
                                    env=harness.clean_environment(UNTIL_GONE=str(going), **IN_SLOT))
            wait_until(lambda: cpu_seconds(process.pid) > 1.5, "the program works")
            for cycle in range(2):
                path = self.folder / f"{tfm}-{cycle}.walk"
                done = attach_for_work(process.pid, path, 0.3)
                self.assertEqual(done.returncode, 0, done)
                recording = harness.Recording(path, done)
                self.assert_rooted(recording.stats())
                stacks = recording.stacks()
                self.assertGreater(share(stacks, ["NativeSort.Program.Run"]), 0.95 * share(stacks, ["Program.Main"]))
            going.unlink()
            recording.run = harness.finish(process)
            self.assertEqual(recording.run.returncode, 0, recording.run)
            self.assert_both_work(recording, "main")

    def test_attach_to_a_process_that_has_us_already(self) -> None:
        going = self.folder / "going"
        going.touch()
        process = harness.start([harness.CLI, "run", "-q", "--beside", "-o", self.folder / "out.walk", "--",
                                 *app("qsort", "net8.0", "selfcontained"), "300"],
                                env=harness.clean_environment(UNTIL_GONE=str(going), **IN_SLOT))

        def target() -> str:
            return subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False).stdout
        # The agent is there before the runtime has started.
        wait_until(lambda: target() and cpu_seconds(int(target())) > 1, "the program works")
        refused = attach(int(target()), self.folder / "other.walk", "-d", "1s")
        self.assertEqual(refused.returncode, 1, refused)
        self.assertIn("has a profiler already", refused.stderr)
        going.unlink()
        done = harness.finish(process)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("main profiler: ", done.stderr)

    def test_children(self) -> None:
        program = " ".join(map(str, app("qsort", "net8.0", "selfcontained")))
        for options, recorded in ((("--no-children",), 1), ((), 2)):
            folder = self.folder / str(recorded)
            folder.mkdir()
            done = harness.walkabout("run", "-q", "--beside", *options, "-o", folder / "out.walk", "--", "sh", "-c",
                                     f"{program} 0.5; {program} 0.5", env=harness.clean_environment(**IN_SLOT))
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(len(done.stdout.splitlines()), 2, done)
            self.assertEqual(done.stderr.count("main profiler: "), 2, done)
            self.assertEqual(len(harness.Recording(folder / "out.walk", done).processes()), recorded, done)


if __name__ == "__main__":
    main()
