#!/usr/bin/env python3
"""Under Wine: code that goes away while it is sampled. Its names are taken in time, and the program gets through."""
import re
import unittest

from wine_programs import Run, long_enough

# What is compiled, freed and compiled again where other code was.
SITUATIONS = {"assembly": r"^Made\.Mix$", "collectible": r"^Emit\.Collectible\.Work$", "dynamicmethod": r"^mix\d+$",
              "expression": None, "tiering": None}


def seen(names: list[str], method: str | None) -> bool:
    return method is None or any(re.search(method, name) for name in names)


class Emit(unittest.TestCase):
    def names_of(self, situation: str, seconds: int) -> list[str]:
        """Of the managed frames of every sample."""
        run = Run("emit", situation, str(seconds), "cpu", interval="1ms")
        self.assertEqual(run.done.stdout.split(), [f"{situation}:", "done"])
        self.assertTrue(run.stream.ended)
        return [name for sample in run.stream.samples for name in run.stream.managed(sample)]

    def test_the_program_gets_through_and_its_code_has_names(self) -> None:
        for situation, method in SITUATIONS.items():
            with self.subTest(situation):
                names = long_enough(lambda seconds: self.names_of(situation, seconds),
                                    lambda names: len(names) > 30 and seen(names, method), 3)
                self.assertGreater(len(names), 30)
                nameless = [name for name in names if name == "?" or name.startswith("?jitted")]
                self.assertLessEqual(len(nameless), len(names) * 0.01, nameless[:5])
                self.assertTrue(seen(names, method), sorted(set(names))[:40])


if __name__ == "__main__":
    unittest.main()
