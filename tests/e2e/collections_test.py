#!/usr/bin/env python3
"""The collector's share: what the program itself measured of it, whatever kind of collector works, and wherever."""
import json
import re

from harness import EndToEnd, app, main, walkabout

POINTS = 0.02


class Collections(EndToEnd):
    def check(self, tfm: str, server: bool, concurrent: bool, **environment: str) -> None:
        collector = {"DOTNET_gcServer": str(int(server)), "DOTNET_gcConcurrent": str(int(concurrent))}
        command = app("collections", tfm, "framework" if tfm == "net10.0" else "selfcontained")
        recording = self.record([*command, "8"], "--interval", "500us", env=collector | environment)
        match = re.search(r"caller (\d+) threads (\d+) unrequested (-?\d+) in background (\d+)", recording.run.stdout)
        caller, threads, unrequested, in_background = map(int, match.groups())
        self.assertEqual(unrequested, 0, recording.run)
        self.assertEqual(in_background > 0, concurrent, recording.run)
        report = recording.report()
        total = report["total"]["seconds"]
        # A server collector's threads stop the others themselves; who has asked for the collection only waits.
        collecting = threads if server else caller + threads
        self.assertAlmostEqual(report["activity"]["gc"]["seconds"] / total, collecting / 1e9 / total, delta=POINTS,
                               msg=f"{recording.run.stdout} {report['activity']}")
        computing = walkabout("report", recording.path, "--thread", "computes", "--json")
        self.assertEqual(computing.returncode, 0, computing)
        self.assertEqual(json.loads(computing.stdout)["activity"]["gc"]["samples"], 0, computing)

    def test_workstation(self) -> None:
        self.check("net10.0", server=False, concurrent=True)

    def test_workstation_not_concurrent(self) -> None:
        self.check("net10.0", server=False, concurrent=False)

    def test_server(self) -> None:
        self.check("net10.0", server=True, concurrent=True)

    def test_server_not_concurrent(self) -> None:
        self.check("net10.0", server=True, concurrent=False)

    def test_a_collector_of_its_own_library(self) -> None:
        self.check("net10.0", server=False, concurrent=True, DOTNET_GCName="libclrgc.so")

    def test_net9(self) -> None:
        self.check("net9.0", server=False, concurrent=True)
        self.check("net9.0", server=True, concurrent=True)

    def test_net8(self) -> None:
        self.check("net8.0", server=False, concurrent=True)
        self.check("net8.0", server=True, concurrent=True)


if __name__ == "__main__":
    main()
