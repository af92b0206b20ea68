#!/usr/bin/env python3
"""Threads that are switched often tick by CPU timers; where their time goes is as true as by perf events."""
from harness import EndToEnd, Recording, app, main

NOTE = "switched so often"


class Switches(EndToEnd):
    def hands(self, *options: str) -> Recording:
        recording = self.record(app("kinds") + ["hands", "6"], *options)
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        self.assert_cpu_time_is_covered(stats)
        return recording

    def share_of_long(self, recording: Recording) -> float:
        amounts = {name: sum(weight for stack, weight in recording.stacks() if any(name in frame for frame in stack))
                   for name in ("Hands.Long", "Hands.Short")}
        return amounts["Hands.Long"] / sum(amounts.values())

    def notes(self, recording: Recording) -> list[str]:
        return [message for message in recording.stats()["messages"] if NOTE in message]

    def test_threads_that_are_switched_often(self) -> None:
        recording = self.hands("--interval", "10ms")
        if recording.stats()["engine"] != "perf":
            self.skipTest("no perf events here")
        self.assertEqual(len(self.notes(recording)), 1, recording.stats()["messages"])
        self.assertAlmostEqual(self.share_of_long(recording), 0.7, delta=0.1)

    def test_perf_events_where_they_are_asked_for(self) -> None:
        if self.hands("--interval", "10ms").stats()["engine"] != "perf":
            self.skipTest("no perf events here")
        recording = self.record(app("kinds") + ["hands", "1"], "--interval", "10ms", "--engine", "perf")
        self.assertEqual(self.notes(recording), [])

    def test_intervals_that_only_perf_events_have(self) -> None:
        recording = self.hands("--interval", "1ms")
        self.assertEqual(self.notes(recording), [])
        self.assertAlmostEqual(self.share_of_long(recording), 0.7, delta=0.1)


if __name__ == "__main__":
    main()
