#!/usr/bin/env python3
"""Methods that another profiler has compiled again while they run: their stacks are whole, right and named."""
import re

import harness
from harness import EndToEnd, app, main

# The methods of tests/apps/emit/Rejitted.cs by a letter each; a finally funclet is a frame of its method's name.
LETTERS = {"Run": "R", "Turn": "T", "Outer": "O", "Middle": "M", "Inner<__Canon>": "I", "Leaf": "L"}
ORDER = re.compile(r"RT?(OMI)*(O(L|M{0,2})?)?")


def letters(stack: list[str]) -> str:
    names = re.findall(r"Emit\.Rejitted\.([^(;]+)\(", ";".join(stack))
    return "".join(LETTERS.get(name, "?") for name in names)


class ReJit(EndToEnd):
    def test_methods_that_are_replaced(self) -> None:
        path = self.folder / "out.walk"
        done = harness.execute(harness.BUILD / "rejit" / "walkabout", "run", "-o", path, "--oracle", "--interval", "200us",
                               "--", *app("emit"), "rejit", "2")
        self.assertEqual((done.returncode, done.stdout), (0, "rejit: done\n"), done)
        recording = harness.Recording(path, done)
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        compiled, errors = map(int, re.search(r"compiled again: (\d+), errors: (\d+)", " ".join(stats["messages"])).groups())
        self.assertGreater(compiled, 50)
        self.assertEqual(errors, 0)
        self.assert_equal_to_clr(recording)
        self.assertEqual(recording.verify()["unexplained"], 0)
        chains = {letters(stack) for stack, _ in recording.stacks()} - {""}
        self.assertEqual([chain for chain in chains if not ORDER.fullmatch(chain)], [])
        self.assertTrue(any(chain.endswith("OMI" * 6 + "OL") for chain in chains), chains)


if __name__ == "__main__":
    main()
