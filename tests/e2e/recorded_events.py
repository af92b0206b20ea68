"""What a recording says of the events of programs that know how many there were."""
import re
import unittest

from harness import Recording


def known(output: str) -> dict[str, list[int]]:
    """What the program says it did: counts, and milliseconds."""
    return {name: [int(number) for number in numbers.split()]
            for name, numbers in re.findall(r"^(\w+) ([\d ]+)$", output, re.M)}


def by_label(recording: Recording, event: str, value: str, label: str) -> dict[str, float]:
    report = recording.report("--event", event, "--value", value)
    amounts = report["by_label"].get(label, [])
    return {row["text"]: next(row[unit] for unit in ("count", "seconds", "bytes") if unit in row) for row in amounts}


class RecordedEvents(unittest.TestCase):
    def assert_event(self, recording: Recording, event: str) -> None:
        """Nothing is lost uncounted, and stacks that were walked are whole but for code that was reported late."""
        counted = recording.stats()["events"][event]
        self.assertEqual(counted["attempts"], counted["samples"] + sum(counted["drops"].values()), counted)
        self.assertEqual(sum(counted["drops"].values()), 0, counted)
        report = recording.report("--event", event)
        walked = report["total"]["samples"] - report.get("not_walked", 0)
        self.assertGreater(walked, 0, report["total"])
        self.assertGreaterEqual(report["rooted"], 0.9 * walked, report)

    def assert_stack(self, recording: Recording, event: str, *frames: str) -> None:
        names = {row["name"] for row in recording.report("--event", event, "--top", "1000")["top_total"]}
        for frame in frames:
            self.assertTrue(any(frame in name for name in names), (frame, sorted(names)))
