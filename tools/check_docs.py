#!/usr/bin/env python3
"""Documents tell the truth about where things are.    check_docs.py ROOT

Links and pictures of every .md resolve (files, and #headings in them); no file names a network host other than the few
below (a registry's address belongs into the machine's own settings) or a path of somebody's machine.
"""
import pathlib
import re
import sys

from tree import files, finish

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
URL = re.compile(r"https?://([A-Za-z0-9.-]+)")
HOSTS = {"127.0.0.1", "localhost", "github.com", "www.w3.org", "opencollective.com", "www.speedscope.app",
         "feross.org", "www.patreon.com", "tidelift.com"}  # the latter: who made the npm packages of the lock file
MACHINE_PATH = re.compile(r"(?<![\w.$}])/(?:work|home|root)/[a-z]")


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+\s+(.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(root: pathlib.Path, page: pathlib.Path) -> list[str]:
    found = []
    text = page.read_text()
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        place = (page.parent / path).resolve() if path else page
        if not place.exists():
            found.append(f"{page.relative_to(root)}: {target} does not exist")
        elif anchor and place.suffix == ".md" and anchor not in anchors(place.read_text()):
            found.append(f"{page.relative_to(root)}: {target}: no such heading")
    return found


def foreign_names(root: pathlib.Path, path: pathlib.Path) -> list[str]:
    try:
        text = path.read_text()
    except UnicodeDecodeError:
        return []  # a picture, a recording
    name = path.relative_to(root)
    found = [f"{name}: names the host {host}" for host in sorted(set(URL.findall(text)) - HOSTS)]
    if MACHINE_PATH.search(text):
        found.append(f"{name}: names a path of somebody's machine: {MACHINE_PATH.search(text)[0]}…")
    return found


def problems(root: pathlib.Path) -> list[str]:
    found = []
    for path in files(root):
        if path.suffix == ".md":
            found += broken_links(root, path)
        found += foreign_names(root, path)
    return found


if __name__ == "__main__":
    finish(problems(pathlib.Path(sys.argv[1]).resolve()), "documents")
