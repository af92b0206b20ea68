#!/usr/bin/env python3
"""Every managed call, by the runtime's hooks, against what a program knows of its own calls. Under Wine."""
import json
import pathlib
import tempfile
import unittest

from wine_programs import AGENT, CLSID, app, windows_path, wine
from traces import Trace


class TraceAll(unittest.TestCase):
    def trace(self, name: str, *arguments: str) -> tuple[dict, Trace]:
        with tempfile.TemporaryDirectory() as folder:
            raw = pathlib.Path(folder) / "raw"
            done = wine(app(name), *arguments, environment={
                "CORECLR_ENABLE_PROFILING": "1", "CORECLR_PROFILER": CLSID, "CORECLR_PROFILER_PATH": windows_path(AGENT),
                "WALKABOUT_STREAM": windows_path(raw), "WALKABOUT_TRACE_ALL": "1"})
            self.assertEqual(done.returncode, 0, done)
            trace = Trace(raw)
        self.assertEqual(trace.lost(), {"too_deep": 0, "no_room": 0, "unmatched": 0})
        return json.loads(done.stdout.splitlines()[-1]), trace

    def test_calls_are_exact(self) -> None:
        known, trace = self.trace("counted", "4", "100")
        calls = trace.sums("calls")
        self.assertGreater(len(known), 10)
        self.assertEqual({name: calls.get(name) for name in known}, known)
        exceptions = trace.sums("exceptions")
        self.assertEqual({name: exceptions.get(f"Work.Plain.{name}") for name in ("Throws", "ThrowsDeep")},
                         {name: known[f"Work.Plain.{name}"] for name in ("Throws", "ThrowsDeep")})


if __name__ == "__main__":
    unittest.main(verbosity=2)
