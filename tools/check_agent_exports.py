#!/usr/bin/env python3
"""What the agent shows to and wants from the process it lives in.    check_agent_exports.py LIBWALKABOUT

It exports what the CLR looks up and nothing else, so it cannot interpose; it needs libc's own libraries only.
"""
import re
import subprocess
import sys

from tree import finish

EXPORTS = {"DllGetClassObject", "DllCanUnloadNow"}
LIBRARIES = re.compile(r"^(libc|libm|libpthread|libdl|ld-linux-x86-64)\.so\.\d+$")


def problems(exported: set[str], needed: set[str]) -> list[str]:
    found = [f"exports {name}" for name in sorted(exported - EXPORTS)]
    found += [f"does not export {name}" for name in sorted(EXPORTS - exported)]
    found += [f"needs {name}" for name in sorted(needed) if not LIBRARIES.match(name)]
    return found


def main() -> None:
    library = sys.argv[1]
    listing = subprocess.check_output(["nm", "-D", "--defined-only", "--format=posix", library], text=True)
    exported = {line.split()[0].split("@")[0] for line in listing.splitlines()}
    headers = subprocess.check_output(["objdump", "-p", library], text=True)
    finish(problems(exported, set(re.findall(r"NEEDED\s+(\S+)", headers))), "the agent's exports and needs")


if __name__ == "__main__":
    main()
