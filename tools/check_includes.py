#!/usr/bin/env python3
"""Holds the code to the table of ARCHITECTURE.md: who may include whom, in one direction.    check_includes.py ROOT

A row is | folder | what | includes |. A name in `includes` is a folder with a row, a folder without one, which stands for
all rows below it but those of one system (linux/, windows/), or a single header ("wire/frame.h"). A folder below one with
a row and without its own is part of that. A folder may include itself. x_linux.cc may also include what linux/ below an
allowed folder has, x_windows.cc likewise; tests and what is made for them (test_x.h, fake_x.h, x_test_y.h) the whole of
their top folder. No folder may, by way of others, include itself.
"""
import pathlib
import re
import sys

from tree import files, finish

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
FOR_TESTS = re.compile(r"^(test|fake)_|_test[_.]")
OF_SYSTEM = re.compile(r"_(linux|windows)(_test)?\.cc$")
SYSTEMS = {"linux", "windows"}


def read_table(text: str) -> dict[str, set[str]]:
    """Row -> the rows and headers it may include."""
    raw = {}
    for line in text[text.index("who may include whom"):].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and cells[0] != "folder" and not set(cells[0]) <= {"-"}:
            raw[cells[0]] = {name.strip() for name in cells[2].split(",") if name.strip()}
    table = {}
    for row, names in raw.items():
        table[row] = {row}
        for name in names:
            below = {other for other in raw if other.startswith(name + "/")
                     and not SYSTEMS & set(other.removeprefix(name).split("/"))}
            table[row] |= {name} if name in raw or name.endswith(".h") else below
            if name not in raw and not name.endswith(".h") and not below:
                raise SystemExit(f"ARCHITECTURE.md: {row} includes {name}, which is no folder of the table")
    return table


def row_of(folder: pathlib.PurePath, table: dict[str, set[str]]) -> str | None:
    return next((str(f) for f in (folder, *folder.parents) if str(f) in table), None)


def cycle(table: dict[str, set[str]]) -> list[str]:
    """A way from a row back to itself; empty when there is none."""
    graph = {row: {row_of(pathlib.PurePath(name), table) for name in names} - {row, None} for row, names in table.items()}
    done: set[str] = set()

    def search(row: str, way: list[str]) -> list[str]:
        if row in way:
            return way[way.index(row):] + [row]
        if row in done:
            return []
        for other in sorted(graph[row]):
            found = search(other, way + [row])
            if found:
                return found
        done.add(row)
        return []

    return next((found for row in sorted(graph) if (found := search(row, []))), [])


def may_include(source: pathlib.PurePath, header: pathlib.PurePath, row: str, table: dict[str, set[str]]) -> bool:
    target = row_of(header.parent, table)
    if target in table[row] or str(header) in table[row]:
        return True
    if FOR_TESTS.search(source.name) and header.parts[0] == source.parts[0]:
        return True
    system = OF_SYSTEM.search(source.name)
    return system is not None and target is not None and target.endswith("/" + system[1]) and \
        target.removesuffix("/" + system[1]) in table[row]


def problems(root: pathlib.Path) -> list[str]:
    table = read_table((root / "ARCHITECTURE.md").read_text())
    way = cycle(table)
    found = ["ARCHITECTURE.md: a circle of folders: " + " → ".join(way)] if way else []
    for source in files(root, ".h", ".cc"):
        name = source.relative_to(root)
        row = row_of(name.parent, table)
        if row is None:
            if name.parts[0] not in ("bench", "fuzz", "tests"):  # these see everything
                found.append(f"{name}: its folder is not in the table of ARCHITECTURE.md")
            continue
        for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            included = match[1]
            if not (root / included).exists():
                if (source.parent / included).exists():
                    found.append(f'{name}:{number}: "{included}" is not named from the root of the repository')
                continue  # made by the build
            if not may_include(name, pathlib.PurePath(included), row, table):
                found.append(f"{name}:{number}: {row} may not include {included} (ARCHITECTURE.md)")
    return found


if __name__ == "__main__":
    finish(problems(pathlib.Path(sys.argv[1]).resolve()), "include rules")
