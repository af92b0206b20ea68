#!/usr/bin/env python3
"""A name is one file's.    check_names.py ROOT

No two sources or headers have one name, wherever they are, unless each is for another system or processor (linux/ and
windows/, x64/ and arm64/). The programs under test (tests/apps) are their own.
"""
import collections
import pathlib
import sys

from tree import files, finish

PAIRS = [("linux", "windows"), ("x64", "arm64")]


def is_pair(paths: list[pathlib.PurePath]) -> bool:
    return len(paths) == 2 and any({part for path in paths for part in path.parts if part in pair} == set(pair)
                                   for pair in PAIRS)


def problems(root: pathlib.Path) -> list[str]:
    named = collections.defaultdict(list)
    for path in files(root, ".h", ".cc", ".ts"):
        name = path.relative_to(root)
        if name.parts[:2] != ("tests", "apps"):
            named[path.name].append(name)
    return [f"{' and '.join(map(str, paths))} have one name" for paths in named.values()
            if len(paths) > 1 and not is_pair(paths)]


if __name__ == "__main__":
    finish(problems(pathlib.Path(sys.argv[1]).resolve()), "names of files")
