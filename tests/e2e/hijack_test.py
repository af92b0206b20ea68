#!/usr/bin/env python3
"""Return addresses that the runtime has replaced, to stop a thread for a collection: no caller is missed."""
from harness import EndToEnd, app, main

# Who is called by whom, and by nobody else.
CALLER = {"Hijack.Scramble": "Hijack.Straight", "Hijack.SumOfSines": "Hijack.Sines", "Hijack.Hexagon": "Hijack.Reference",
          "Hijack.TwoWords": "Hijack.Struct", "Hijack.Straight": "Hijack.Run", "Hijack.Sines": "Hijack.Run",
          "Hijack.Reference": "Hijack.Run", "Hijack.Struct": "Hijack.Run"}


class Hijack(EndToEnd):
    def check(self, command: list[str]) -> None:
        recording = self.record(command + ["3"], "--interval", "100us")
        judged = behind_gap = 0
        for stack, weight in recording.stacks():
            names = [frame.split("(")[0] for frame in stack]
            for i, name in enumerate(names):
                if name not in CALLER:
                    continue
                if names[max(0, i - 1):i] == ["[unknown frames]"]:
                    behind_gap += weight
                    continue
                self.assertEqual(names[i - 1] if i > 0 else "", CALLER[name], ";".join(stack))
                judged += weight
        self.assertGreater(judged, 20 * behind_gap)
        self.assert_rooted(recording.stats())

    def test_net10(self) -> None:
        self.check(app("hijack"))

    def test_net9(self) -> None:
        self.check(app("hijack", "net9.0", "selfcontained"))

    def test_net8(self) -> None:
        self.check(app("hijack", "net8.0", "selfcontained"))


if __name__ == "__main__":
    main()
