#!/usr/bin/env python3
"""A build folder's compile_commands.json as clang-tidy needs it: each source alone, though several are compiled as one, and
without precompiled headers, which are another compiler's. So what a file uses has to be included by it.

  compile_commands.py BUILD >compile_commands.json
"""
import json
import pathlib
import re
import sys

UNITY = re.compile(r"/Unity/unity_\d+_cxx\.cxx$")
PRECOMPILED = re.compile(r' -Winvalid-pch| -include [^ "]*cmake_pch\.hxx')


def alone(entry: dict) -> list[dict]:
    command = PRECOMPILED.sub("", entry["command"])
    if not UNITY.search(entry["file"]):
        return [{**entry, "command": command}]
    sources = re.findall(r'^#include "(.+)"$', pathlib.Path(entry["file"]).read_text(), re.M)
    return [{**entry, "file": source, "command": command.replace(entry["file"], source)} for source in sources]


def each_source(build: pathlib.Path) -> list[dict]:
    entries = json.loads((build / "compile_commands.json").read_text())
    return [one for entry in entries for one in alone(entry)]


def main() -> None:
    json.dump(each_source(pathlib.Path(sys.argv[1])), sys.stdout, indent=0)


if __name__ == "__main__":
    main()
