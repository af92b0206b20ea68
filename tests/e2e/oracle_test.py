#!/usr/bin/env python3
"""The CLR's own walk on the same registers is the judge: managed frames are equal wherever it answers."""
from harness import EndToEnd, app, main


class Oracle(EndToEnd):
    def check(self, command: list[str]) -> None:
        recording = self.record(command, "--interval", "1ms", "--oracle")
        self.assert_accounts(recording.stats())
        self.assert_equal_to_clr(recording)

    def test_demo(self) -> None:
        self.check(app("demo") + ["5"])

    def test_generics(self) -> None:
        self.check(app("generics") + ["4"])

    def test_deep(self) -> None:
        self.check(app("deep") + ["200", "5"])

    def test_osr(self) -> None:
        self.check(app("osr"))

    # The runtime closes our session of JIT events before it runs its last managed code: that is left out, not guessed at.
    def test_code_of_the_shutdown(self) -> None:
        recording = self.record(app("hello"), "--interval", "100us", "--oracle", env={"DOTNET_ReadyToRun": "0"})
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assertEqual(stats["rooted"] + stats["walk_end"]["gap"], stats["samples"], stats)
        self.assertEqual(recording.verify()["unexplained"], 0)

    def test_net8(self) -> None:
        self.check(app("generics", "net8.0", "selfcontained") + ["4"])


if __name__ == "__main__":
    main()
