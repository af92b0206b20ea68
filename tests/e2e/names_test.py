#!/usr/bin/env python3
"""Names of everything that is hard to name, as a person would write it."""
from harness import EndToEnd, app, main

EXPECTED = [
    "Program.Main(…) [async]",
    "Naming.Plain.Everything()",
    "Naming.Box<int>.Put(int, int[])",
    "Naming.Box<Point>.Put(Point, int[])",
    "Naming.Outer.Middle.Inner.Nested(string, ref int)",
    "Naming.Plain.Map<int, double>(int)",
    "Naming.Plain.WithLambda(int)",
    "Naming.Plain.WithLambda.(lambda #0)",
    "Naming.Plain.WithLocalFunction(int)",
    "Naming.Plain.WithLocalFunction.Local(int",
    "Naming.Plain.Iterate(…) [iterator]",
    "Naming.Asynchronous.OuterAsync(…) [async]",
    "Naming.Asynchronous.InnerAsync(…) [async]",
    "Naming.Plainly.Plainly(int)",
    "Naming.Plainly.this[int].get()",
    "Naming.Plainly.operator +(int, Plainly)",
    "Naming.Dynamic.Call()",
    "DynamicSpin(int",
    "Spin.For(int)",
]


class Names(EndToEnd):
    @classmethod
    def setUpClass(cls) -> None:
        cls.command = app("generics") + ["6"]

    def test_every_kind_of_method(self) -> None:
        recording = self.record(self.command, "--interval", "1ms")
        frames = recording.frames()
        managed = "\n".join(sorted(frame for frame in frames if "(" in frame))
        missing = [name for name in EXPECTED if not any(frame.startswith(name) for frame in frames)]
        self.assertEqual(missing, [], managed)
        # One compiled method for all reference types: the runtime may know the exact argument or only that it is one.
        self.assertTrue(any(frame.startswith("Naming.Box<") and "Naming.Box<int>" not in frame
                            and "Point" not in frame and ".Put(" in frame for frame in frames), managed)
        self.assertTrue(any(frame.startswith("Naming.Box") and "Lid" in frame and "Close(int, Point)" in frame
                            for frame in frames), managed)
        self.assert_whole(recording.stats())


if __name__ == "__main__":
    main()
