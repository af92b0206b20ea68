#!/usr/bin/env python3
"""A walk at every instruction is what the executed calls say: callers, all of them, and nothing else."""
import json

import stepping
from harness import EndToEnd, app, main


class Stepping(EndToEnd):
    def check(self, rounds: int, budget: int, mode: str, program: list[str] | None = None):
        sections, examples = stepping.step(program or app("step"), self.folder, rounds, budget, stepping.MODES[mode])
        figures = stepping.total(sections)
        print(f"{mode}: {stepping.line(figures)}", flush=True)
        self.assertEqual(figures["wrong"], 0, json.dumps(examples, indent=1)[:8000])
        self.assertEqual([s for s in sections if s["stopped"] == "lost"], [])
        self.assertEqual(figures["steps"], figures["native"] + figures["ready_to_run"] + figures["stub"] + figures["jitted"])
        return figures

    def test_every_tier_of_code(self) -> None:
        figures = self.check(3, 6_000, "as shipped")
        self.assertGreater(figures["steps"], 50_000)
        for kind in ["native", "ready_to_run", "stub", "tier0", "tier0_instrumented", "tier1", "osr"]:
            self.assertGreater(figures[kind], 100, f"{kind}: {figures}")

    def test_everything_jitted(self) -> None:
        figures = self.check(1, 3_000, "no ready-to-run code")
        self.assertEqual(figures["ready_to_run"], 0)

    def test_optimized_at_once(self) -> None:
        figures = self.check(1, 3_000, "ready-to-run code only once")
        self.assertGreater(figures["optimized"], 1_000)

    def test_net8(self) -> None:
        self.check(1, 3_000, "as shipped", app("step", "net8.0", "selfcontained"))


if __name__ == "__main__":
    main()
