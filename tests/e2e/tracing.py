"""What the tests and the benchmark of `walkabout trace` share."""
import json

from counting import Counted, Counter

DELAY_SECONDS = 0.002  # less than a wait of Nested.Tasks takes
ITEMS = 3  # MoveNexts of Work.Plain.Items for each call of it: a call each


class Tracer(Counter):
    """`walkabout trace` of a process, in the background; tracing when this returns."""
    verb, says = "trace", "tracing the calls of"


def known_of_work(known: dict[str, int]) -> dict[str, int]:
    """What is traced of the calls that the program knows of."""
    return known | {"Work.Plain.Items": known["Work.Plain.Items"] * ITEMS}


def calls_by_path(said: dict) -> dict[str, list[int]]:
    """Calls and exceptions, by the names of methods on the way from the root, as Nested.cs says it."""
    paths: list[str] = []
    sums: dict[str, list[int]] = {}
    for node in said["tree"]:
        name = node["name"].split("(")[0].split("<")[0].rsplit(".", 1)[1]
        paths.append(name if node["parent"] < 0 else paths[node["parent"]] + "/" + name)
        sum_of = sums.setdefault(paths[-1], [0, 0])
        sum_of[0] += node["calls"]
        sum_of[1] += node["exceptions"]
    return {path: both for path, both in sums.items() if both[0]}


def methods(said: dict) -> dict[str, dict]:
    """By the last part of their names."""
    return {method["match"].rsplit(".", 1)[1]: method for method in said["methods"]}


def ask_for_json(program: Counted, what: str) -> dict:
    return json.loads(program.ask(what))
