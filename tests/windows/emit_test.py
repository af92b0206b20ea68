#!/usr/bin/env python3
"""Under Wine: code that goes away while it is sampled. Its names are taken in time, and the program gets through."""
import re
import unittest

from wine_programs import Run

# What is compiled, freed and compiled again where other code was.
SITUATIONS = {"assembly": r"^Made\.Mix$", "collectible": r"^Emit\.Collectible\.Work$", "dynamicmethod": r"^mix\d+$",
              "expression": None, "tiering": None}


class Emit(unittest.TestCase):
    def test_the_program_gets_through_and_its_code_has_names(self) -> None:
        for situation, method in SITUATIONS.items():
            with self.subTest(situation):
                run = Run("emit", situation, "3", "cpu", interval="1ms")
                self.assertEqual(run.done.stdout.split(), [f"{situation}:", "done"])
                self.assertTrue(run.stream.ended)
                names = [name for sample in run.stream.samples for name in run.stream.managed(sample)]
                self.assertGreater(len(names), 30)
                nameless = [name for name in names if name == "?" or name.startswith("?jitted")]
                self.assertLessEqual(len(nameless), len(names) * 0.01, nameless[:5])
                if method is not None:
                    self.assertTrue([name for name in names if re.search(method, name)], sorted(set(names))[:40])


if __name__ == "__main__":
    unittest.main()
