#!/usr/bin/env python3
"""Every runtime and every way to publish: .NET 8, 9, 10, single file, composite ready-to-run."""
from harness import EndToEnd, app, main, share


class Runtimes(EndToEnd):
    def check(self, tfm: str, mode: str) -> None:
        recording = self.record(app("qsort", tfm, mode) + ["3"], "--interval", "1ms")
        self.assertIn("sorts", recording.run.stdout)
        self.assert_whole(recording.stats())
        stacks = recording.stacks()
        self.assertGreater(share(stacks, ["Program.Main", "NativeSort.Program.Run"]), 0.95 * share(stacks, ["Program.Main"]))
        inside = share(stacks, ["NativeSort.Program.ComparePointers"])
        whole = share(stacks, ["NativeSort.Program.SortByPointer", "NativeSort.Program.ComparePointers"])
        self.assertGreaterEqual(whole / inside, 0.999)

    def test_net8(self) -> None:
        self.check("net8.0", "selfcontained")

    def test_net9(self) -> None:
        self.check("net9.0", "selfcontained")

    def test_net10(self) -> None:
        self.check("net10.0", "selfcontained")

    def test_single_file(self) -> None:
        self.check("net10.0", "singlefile")

    def test_composite(self) -> None:
        self.check("net10.0", "composite")


if __name__ == "__main__":
    main()
