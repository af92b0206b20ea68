#!/usr/bin/env python3
"""What the agent shows to and wants from the process it lives in.    check_agent_exports.py LIBWALKABOUT

It exports what the CLR looks up and nothing else, so it cannot interpose; it needs libc's own libraries only, and of
them nothing that glibc 2.31 does not have (agent/entry/glibc_floor_linux.cc). What it brings along stays small.
"""
import re
import subprocess
import sys

from tree import finish

EXPORTS = {"DllGetClassObject", "DllCanUnloadNow"}
LIBRARIES = re.compile(r"^(libc|libm|libpthread|libdl|librt|ld-linux-x86-64)\.so\.\d+$")
NEWEST_GLIBC = (2, 31)
# Bytes of code and constants, and of variables. Whoever needs more changes the limit on purpose.
# Most of the variables are the thread slots, of which only those in use take memory.
LARGEST = {"text": 1408 * 1024, "data + bss": 896 * 1024}
VERSIONED = re.compile(r"\bGLIBC_(\d+)\.(\d+)[\d.]*\)?\s+(\S+)$", re.MULTILINE)


def problems(exported: set[str], needed: set[str]) -> list[str]:
    found = [f"exports {name}" for name in sorted(exported - EXPORTS)]
    found += [f"does not export {name}" for name in sorted(EXPORTS - exported)]
    found += [f"needs {name}" for name in sorted(needed) if not LIBRARIES.match(name)]
    return found


def too_new(symbols: str) -> list[str]:
    """symbols: as objdump -T lists them."""
    return [f"needs {name} of glibc {major}.{minor}" for major, minor, name in VERSIONED.findall(symbols)
            if (int(major), int(minor)) > NEWEST_GLIBC]


def too_large(sizes: str) -> list[str]:
    """sizes: as size(1) prints them of one file."""
    text, data, bss = (int(number) for number in sizes.splitlines()[1].split()[:3])
    return [f"{name}: {is_now:,} bytes, at most {LARGEST[name]:,}"
            for name, is_now in (("text", text), ("data + bss", data + bss)) if is_now > LARGEST[name]]


def main() -> None:
    library = sys.argv[1]
    listing = subprocess.check_output(["nm", "-D", "--defined-only", "--format=posix", library], text=True)
    exported = {line.split()[0].split("@")[0] for line in listing.splitlines()}
    headers = subprocess.check_output(["objdump", "-p", library], text=True)
    symbols = subprocess.check_output(["objdump", "-T", library], text=True)
    sizes = subprocess.check_output(["size", library], text=True)
    finish(problems(exported, set(re.findall(r"NEEDED\s+(\S+)", headers))) + too_new(symbols) + too_large(sizes),
           "the agent's exports, needs and size")


if __name__ == "__main__":
    main()
