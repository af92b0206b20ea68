#!/usr/bin/env python3
"""A walk at every instruction is what the executed calls say: callers, all of them, and nothing else."""
import json

import stepping
from harness import EndToEnd, app, main

COLLECTIONS = 5  # runs at most: a collection may find the thread in code that has a safe point


class Stepping(EndToEnd):
    def check(self, rounds: int, budget: int, mode: str, program: list[str] | None = None, case: str = ""):
        sections, examples = stepping.step(program or app("step"), self.folder, rounds, budget, stepping.MODES[mode], case)
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

    # What a signal does to the stack, or longjmp: whole calls, through the handlers, the catch and the runtime's stop.
    def check_detours(self, program: list[str]) -> None:
        for case, figure in (("null reference", "faults"), ("division", "faults"), ("longjmp", "long_jumps")):
            self.assertGreater(self.check(1, 2_000_000, "as shipped", program, case)[figure], 0, case)
        collections = (self.check(1, 300_000, "as shipped", program, "collections") for _ in range(COLLECTIONS))
        self.assertTrue(any(figures["hijacked"] for figures in collections))

    def test_detours(self) -> None:
        self.check_detours(app("step"))

    def test_detours_net8(self) -> None:
        self.check_detours(app("step", "net8.0", "selfcontained"))


if __name__ == "__main__":
    main()
