#!/usr/bin/env python3
"""What a thread was doing: nothing is reported of the collector or the compiler once the thread has left it."""
from harness import EndToEnd, app, main


class Activity(EndToEnd):
    def check(self, situation: str, activity: str, other: str) -> None:
        recording = self.record([*app("marks"), situation, "3", "cpu"], "--interval", "1ms")
        report = recording.report()
        seconds = {name: part["seconds"] for name, part in report["activity"].items()}
        self.assertGreater(seconds[activity], 3 * seconds[other], seconds)

    # Stuck once, when a mark set at the compile's begin waited for an end that no event reports: all of it was the JIT's.
    def test_a_compile_that_failed(self) -> None:
        self.check("failedjit", "native", "jit")

    def test_a_collection_in_the_background(self) -> None:
        self.check("backgroundgc", "managed", "gc")


if __name__ == "__main__":
    main()
