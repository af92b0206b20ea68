#!/usr/bin/env python3
"""Holds the code to the table of ARCHITECTURE.md: who may include whom.    check_includes.py ROOT

A row is | folders | what | includes |. `includes` names folders, or single headers ("wire/frame.h"); a folder may
always include itself and its parent; "everything but a, b" is every folder of the table without those.
"""
import pathlib
import re
import sys

from tree import files, finish

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def read_table(text: str) -> dict[str, set[str]]:
    """Folder -> the folders and headers it may include."""
    heading = text.index("who may include whom")
    raw = {}
    for line in text[heading:].splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not line.startswith("|") or len(cells) != 3 or cells[0] == "folder" or set(cells[0]) <= {"-"}:
            continue
        for folder in cells[0].split(","):
            raw[folder.strip()] = cells[2]
    table = {}
    for folder, cell in raw.items():
        if cell.startswith("everything but"):
            but = {name.strip() for name in cell.removeprefix("everything but").split(",")}
            table[folder] = {other for other in raw if not any(other == b or other.startswith(b + "/") for b in but)}
        else:
            table[folder] = {name.strip() for name in cell.split(",") if name.strip()}
        table[folder] |= {folder} | {str(p) for p in pathlib.PurePath(folder).parents if str(p) != "."}
        table[folder] |= {other for other in raw if other.startswith(folder + "/")}
    return table


def problems(root: pathlib.Path) -> list[str]:
    table = read_table((root / "ARCHITECTURE.md").read_text())
    found = []
    for source in files(root, ".h", ".cc"):
        name = source.relative_to(root)
        allowed = table.get(str(name.parent)) or table.get(name.parts[0])
        if allowed is None:
            continue  # bench, fuzz, tests: they see everything
        for number, line in enumerate(source.read_text(errors="replace").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            included = match[1]
            folder = str(pathlib.PurePath(included).parent)
            if not (root / included).exists():
                if (source.parent / included).exists():
                    found.append(f'{name}:{number}: "{included}" is not named from the root of the repository')
                continue  # made by the build
            if included not in allowed and folder not in allowed:
                found.append(f"{name}:{number}: {name.parent} may not include {included} (ARCHITECTURE.md)")
    return found


if __name__ == "__main__":
    finish(problems(pathlib.Path(sys.argv[1]).resolve()), "include rules")
