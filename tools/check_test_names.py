#!/usr/bin/env python3
"""What tests of one program call the same is one thing.    check_test_names.py ROOT

Tests of a program are compiled several at once (walkabout_unity), and which ones changes with each new file. So what two of
them define in their unnamed namespaces has two names; what they share is in a header.
"""
import collections
import pathlib
import re
import sys

from tree import files, finish

TYPE = re.compile(r"(?:class|struct|enum class|enum|union) (\w+)|using (\w+) =")
VALUE = re.compile(r"(?:(?:static|inline|constexpr|const|constinit|thread_local|__attribute__\(\(\w+\)\)) )*"
                   r"[\w:<>,*& ]+?[ *&]+(\w+)(?:\(|\[| = |;| ?\{)")
OTHER = ("using ", "namespace ", "template ", "TEST", "INSTANTIATE_", "#", "}", "//")


def defined(text: str) -> set[str]:
    """What begins a line, as clang-format leaves definitions outside of classes and functions."""
    names = set()
    for line in text.splitlines():
        if not line or line[0].isspace():
            continue
        if found := TYPE.match(line):
            names.add(found[1] or found[2])
        elif not line.startswith(OTHER) and (found := VALUE.match(line)):
            names.add(found[1])
    return names


def systems(path: pathlib.PurePath) -> set[str]:
    """Where it is compiled."""
    only = {system for system in ("linux", "windows") if system in path.parts or path.stem.endswith(f"_{system}_test")}
    return only or {"linux", "windows"}


def problems(root: pathlib.Path) -> list[str]:
    places = collections.defaultdict(list)
    for path in files(root, ".cc"):
        name = path.relative_to(root)
        if not name.stem.endswith("_test") or name.parts[0] == "tests":
            continue
        for defines in defined(path.read_text()):
            for system in systems(name):
                places[name.parts[0], system, defines].append(str(name))
    found = {f"{' and '.join(paths)} define {defines}" for (_, _, defines), paths in places.items() if len(paths) > 1}
    return sorted(found)


if __name__ == "__main__":
    finish(problems(pathlib.Path(sys.argv[1]).resolve()), "names of tests")
