#!/usr/bin/env python3
"""The tables of the pages are what bench/results says, and nothing that somebody wrote by hand."""
import json
import pathlib
import tempfile
import unittest

import write_overhead
import write_peers
from figures import BEGIN, END, Figures

DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"
HERE = {"date": "2026-01-01", "cpus": "2", "model": "A", "kernel": "6", "dotnet": "10"}


class PagesTest(unittest.TestCase):
    def test_tables_are_of_the_results(self) -> None:
        for page, table in (("overhead.md", write_overhead.table), ("peers.md", write_peers.table)):
            with self.subTest(page):
                text = (DOCS / page).read_text()
                self.assertEqual(text.partition(BEGIN)[2].partition(END)[0], table(Figures()))

    def test_a_figure_from_another_machine_is_marked(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            for bench, machine in {"a": HERE, "b": HERE, "c": HERE | {"model": "B"}}.items():
                (pathlib.Path(name) / f"{bench}.json").write_text(json.dumps({"machine": machine, "figures": {bench: [1, "s"]}}))
            figures = Figures(pathlib.Path(name))
            self.assertEqual(list(figures.marks(["a", "b", "c"]).values()), ["", "†"])
            self.assertIn("Figures with †: 2026-01-01 on a machine with 2 CPUs (B)", figures.measured(["a", "b", "c"]))


if __name__ == "__main__":
    unittest.main()
