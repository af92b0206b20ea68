#!/usr/bin/env python3
"""Makes corpus/TARGET small again from itself and what fuzzing found.    fuzz/minimise.py BIN FOUND TARGET…

FOUND/TARGET is what ./dev fuzz kept (build/asan/fuzz-work), or seeds. Of all inputs the few stay that reach most of the
code together, as libFuzzer's merge measures it: at most 40 and 150 KiB. Inputs with a name (what once crashed) stay
always; the others are called by their hash.
"""
import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

CORPUS = pathlib.Path(__file__).resolve().parent / "corpus"
MOST_FILES, MOST_BYTES, MOST_BYTES_EACH = 40, 150 * 1024, 8 * 1024
HASH = re.compile(r"[0-9a-f]{40}")


def measure(program: pathlib.Path, folders: list[pathlib.Path]) -> dict[pathlib.Path, set[str]]:
    """Input -> the edges it reaches."""
    with tempfile.TemporaryDirectory() as scratch:
        control = pathlib.Path(scratch) / "control"
        empty = pathlib.Path(scratch) / "merged"
        empty.mkdir()
        # A merge for set cover says all that each input reaches, the other kind only what is new in it.
        subprocess.run([program, "-set_cover_merge=1", "-use_counters=0", f"-merge_control_file={control}",
                        f"-max_len={MOST_BYTES_EACH}", empty, *folders], check=True, stderr=subprocess.DEVNULL)
        lines = control.read_text().splitlines()
    paths = [pathlib.Path(line) for line in lines[2:2 + int(lines[0])]]
    reached: dict[pathlib.Path, set[str]] = {}
    for line in lines[2 + len(paths):]:
        kind, index, *numbers = line.split()
        if kind == "FT":
            reached[paths[int(index)]] = set(numbers)
    return reached


def pick(reached: dict[pathlib.Path, set[str]]) -> list[pathlib.Path]:
    """Always the one that adds most, the smallest of those."""
    def gain(path: pathlib.Path) -> tuple[int, int, str]:
        return len(reached[path] - seen), -path.stat().st_size, path.name

    seen: set[str] = set()
    picked: list[pathlib.Path] = []
    size = 0
    left = {p for p in reached if p.stat().st_size <= MOST_BYTES_EACH}
    while left and len(picked) < MOST_FILES:
        best = max(left, key=gain)
        if not reached[best] - seen or size + best.stat().st_size > MOST_BYTES:
            break
        left.remove(best)
        picked.append(best)
        size += best.stat().st_size
        seen |= reached[best]
    return picked


def minimise(program: pathlib.Path, found: pathlib.Path, target: str) -> None:
    corpus = CORPUS / target
    corpus.mkdir(parents=True, exist_ok=True)
    named = [path for path in corpus.iterdir() if not HASH.fullmatch(path.name)]
    picked = pick(measure(program, [corpus] + [f for f in [found / target] if f.exists()]))
    contents = [path.read_bytes() for path in picked[:MOST_FILES - len(named)] if path not in named]
    for path in corpus.iterdir():
        if path not in named:
            path.unlink()
    for content in contents:
        (corpus / hashlib.sha1(content).hexdigest()).write_bytes(content)
    print(f"{target}: {len(contents)} inputs and {len(named)} with a name")


def main() -> None:
    binaries, found = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    for target in sys.argv[3:]:
        minimise(binaries / f"{target}_fuzz", found, target)


if __name__ == "__main__":
    main()
