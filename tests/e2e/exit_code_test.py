#!/usr/bin/env python3
"""The target's way to end is passed on, and every one leaves a whole recording."""
import signal

from harness import EndToEnd, app, main, share


class ExitCode(EndToEnd):
    def check(self, way: list[str], expect: int) -> None:
        recording = self.record(app("exitcode") + way, "--interval", "1ms", expect=expect)
        self.assert_accounts(recording.stats())

    def test_zero(self) -> None:
        self.check(["return", "0"], 0)

    def test_returned(self) -> None:
        self.check(["return", "7"], 7)

    def test_environment_exit(self) -> None:
        self.check(["exit", "42"], 42)

    # As a shell says it: 128 + signal.
    def test_unhandled_exception(self) -> None:
        self.check(["throw"], 128 + signal.SIGABRT)

    def test_abort(self) -> None:
        self.check(["abort"], 128 + signal.SIGABRT)

    def test_terminated(self) -> None:
        self.check(["kill", str(int(signal.SIGTERM))], 128 + signal.SIGTERM)

    # Nothing runs in the target after this: what it had not sent yet is taken from its shared memory (life_test.py).
    def test_killed(self) -> None:
        self.check(["kill", str(int(signal.SIGKILL))], 128 + signal.SIGKILL)


    # The agent names code with the first samples it hands over; what it had not is named by its notes.
    def test_what_was_compiled_right_before_a_crash_has_names(self) -> None:
        recording = self.record(app("exitcode") + ["crash", "200"], "--interval", "500us", expect=128 + signal.SIGKILL)
        stacks = recording.stacks()
        self.assertGreater(share(stacks, ["Last.Words"]), 0, stacks)
        self.assertEqual([stack for stack, _ in stacks if "[managed code]" in stack], [])
        own = {(row["name"], row["module"]) for row in recording.report()["top_total"]
               if row["name"].startswith(("Spin.", "Last."))}
        self.assertEqual({module for _, module in own}, {"exitcode.dll"}, own)


if __name__ == "__main__":
    main()
