#!/usr/bin/env python3
"""Names of ready-to-run code from the images' files: those that the agent would give, also where it had no time to."""
import json
import os
import signal
import time
from collections.abc import Callable

from attaching import cpu_seconds, wait_until
from harness import BUILD, CLI, Done, EndToEnd, Recording, app, compiler, execute, finish, main, start, walkabout
from rings import child_of

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
ABORTED, KILLED = 128 + 6, 128 + 9
FROM_MEMORY = "came from the program's memory"


class Precompiled(EndToEnd):
    def compared(self, recording: Recording, what: str) -> dict:
        """The agent's names against the files', range by range; every function of the images, and every frame of the stacks."""
        done = execute(BUILD / "bin" / "compare_names", recording.path)
        self.assertEqual(done.returncode, 0, done)
        found = json.loads(done.stdout)
        print(f"{what}: {found['named']} of {found['ranges']} ranges are named, {len(found['different'])} differently;"
              f" {found['nameable']} of {found['functions']} functions can be;"
              f" of {found['frames']} frames {found['frames_without_name']} have no name, {found['without_method']} of them no method", flush=True)
        self.assertEqual(found["different"], [])
        self.assertEqual(found["without_file"], 0)
        self.assertGreaterEqual(found["nameable"], 0.99 * found["functions"])
        return found

    def compare(self, recording: Recording, what: str, least: int) -> None:
        found = self.compared(recording, what)
        self.assertGreater(found["ranges"], least)
        self.assertGreaterEqual(found["named"], 0.99 * found["ranges"], found["unnamed"][:20])

    def test_as_the_agent_names_it(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                recording = self.record(app("framework", *runtime) + ["4"], "--interval", "500us", env={"DOTNET_TieredCompilation": "0"})
                self.compare(recording, runtime[0], 500)

    def test_the_compilers_images(self) -> None:
        self.compare(self.record(compiler(300), "--interval", "1ms"), "compiler", 1000)

    def assert_named(self, done: Done, what: str) -> None:
        """All frames have their method, those of the samples that came from the memory too. Thunks between methods are of none."""
        self.assertIn(FROM_MEMORY, done.stderr)
        found = self.compared(Recording(self.folder / "out.walk", done), what)
        self.assertGreater(found["frames"], 10)
        self.assertEqual(found["frames_without_name"], found["without_method"])

    def with_samples_left(self, ends: Callable[[], Done]) -> Done:
        """Lets a program end, again until not all of its samples had been handed over."""
        for _ in range(10):
            done = ends()
            if FROM_MEMORY in done.stderr:
                break
        return done

    def kill_after(self, seconds: float, command: list) -> Done:
        """Kills a program that has used so much CPU time."""
        process = start([CLI, "run", "-i", "1ms", "-o", self.folder / "out.walk", "--", *command])
        self.addCleanup(process.kill)
        target = self.child_of(process.pid)
        wait_until(lambda: cpu_seconds(target) > seconds, f"{command} works")
        os.kill(target, signal.SIGKILL)
        return finish(process)

    def child_of(self, pid: int) -> int:
        for _ in range(1000):
            try:
                return child_of(pid)
            except AssertionError:
                time.sleep(0.01)
        self.fail("it starts nothing")

    def test_killed(self) -> None:
        for runtime in RUNTIMES:
            for seconds in (0.3, 0.8):
                with self.subTest(runtime=runtime, seconds=seconds):
                    command = app("framework", *runtime) + ["60"]
                    done = self.with_samples_left(lambda seconds=seconds, command=command: self.kill_after(seconds, command))
                    self.assertEqual(done.returncode, KILLED, done)
                    self.assert_named(done, f"{runtime[0]}, killed after {seconds} s")

    def test_ended_by_an_exception(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                command = ["run", "-i", "500us", "-o", self.folder / "out.walk", "--", *app("unhandled", *runtime), "main"]
                done = self.with_samples_left(lambda command=command: walkabout(*command))
                self.assertEqual(done.returncode, ABORTED, done)
                self.assert_named(done, f"{runtime[0]}, ended by an exception")


if __name__ == "__main__":
    main()
