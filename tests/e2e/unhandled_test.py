#!/usr/bin/env python3
"""Exceptions that nobody handles end a program, and `report` tells them from what looks alike."""
import json

from harness import EndToEnd, app, clean_environment, main, walkabout

RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
ABORTED, KILLED = 128 + 6, 128 + 9


class Unhandled(EndToEnd):
    def report(self, program: list, expect: int, events: str = "exceptions,jit,loads") -> dict:
        """Of a recording whose program ends in that way; empty where it is so short that it has no sample."""
        path = self.folder / "out.walk"
        done = walkabout("run", "-o", path, "--events", events, "--", *program, env=clean_environment(DOTNET_DbgEnableMiniDump="0"))
        self.assertEqual(done.returncode, expect, done)
        self.summary = done.stderr
        shown = walkabout("report", path, "--event", "exceptions", "--json")
        self.assertEqual(shown.returncode, 0, shown)
        return json.loads(shown.stdout)

    def test_what_nobody_handles(self) -> None:
        for runtime in RUNTIMES:
            for where, frame in (("main", "Throws.Deep("), ("thread", "Throws.Deep("), ("pool", "Throws.Deep("), ("void", "Task")):
                with self.subTest(runtime=runtime, where=where):
                    # A second throw, as that of async void, has a stack only where there is time to walk it.
                    for _ in range(5 if where == "void" else 1):
                        shown = self.report(app("unhandled", *runtime) + [where], ABORTED)
                        if "unhandled" in shown:
                            break
                    self.assertEqual(shown["unhandled"]["type"], "Expected")
                    self.assertEqual(shown["unhandled"]["message"], "nobody handles this")
                    self.assertTrue(any(frame in name for name in shown["unhandled"]["stack"]), shown["unhandled"])
                    text = walkabout("report", self.folder / "out.walk", "--event", "exceptions").stdout
                    self.assertIn("The process ended by an exception that nobody handled\nExpected: nobody handles this, thrown at", text)
                    self.assertIn("warning: the process ended by an exception that nobody handled: Expected: nobody handles this, thrown at", self.summary)

    def test_what_is_not_proved(self) -> None:
        """At the usual rate, without the events of compiles and loads in which the proof mostly is."""
        for way, code in {"main": ABORTED, "pool": ABORTED, "failfilter": ABORTED, "killed": KILLED}.items():
            with self.subTest(way=way):
                shown = self.report(app("unhandled") + [way], code, "exceptions")
                thrown = shown["unhandled" if code == ABORTED and "unhandled" in shown else "last_thrown"]
                self.assertTrue(any("Throws.Deep(" in name for name in thrown["stack"]), thrown)
                self.assertEqual((thrown["type"], thrown["message"]), ("Expected", "nobody handles this"))
                text = walkabout("report", self.folder / "out.walk", "--event", "exceptions").stdout
                if "last_thrown" in shown:
                    self.assertIn("When the recording was cut off, no handler of this exception had begun\nExpected: nobody", text)
        self.assertNotIn("last_thrown", self.report(app("unhandled") + ["aborts"], ABORTED, "exceptions"), "it was caught")

    def test_what_looks_alike(self) -> None:
        ways = {"exits": 7, "failfast": ABORTED, "failfilter": ABORTED, "failother": ABORTED, "killed": KILLED, "aborts": ABORTED, "handled": 0}
        for runtime in RUNTIMES:
            for way, code in ways.items():
                with self.subTest(runtime=runtime, way=way):
                    self.assertNotIn("unhandled", self.report(app("unhandled", *runtime) + [way], code))
                    self.assertNotIn("nobody handled", self.summary)


if __name__ == "__main__":
    main()
