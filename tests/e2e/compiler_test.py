#!/usr/bin/env python3
"""The C# compiler of the SDK: ready-to-run code, thread pool, a deep and varied call graph."""
from harness import EndToEnd, compiler, main


class Compiler(EndToEnd):
    def test_every_sample_is_rooted_and_equal_to_the_runtimes_walk(self) -> None:
        recording = self.record(compiler(300), "--interval", "2ms", "--oracle")
        self.assert_whole(recording.stats())
        frames = recording.frames()
        self.assertTrue(any(frame.startswith("Microsoft.CodeAnalysis.CSharp.") for frame in frames))
        self.assert_equal_to_clr(recording)


if __name__ == "__main__":
    main()
