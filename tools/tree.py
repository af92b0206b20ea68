"""What the checks share: the files of the tree and how a check reports."""
import pathlib
import sys

LEFT_OUT = {".git", "build", "node_modules", "dist", "bin", "obj", "__pycache__"}


def files(root: pathlib.Path, *suffixes: str) -> list[pathlib.Path]:
    """Every file below root with one of these suffixes (all without), products of builds left out; sorted."""
    found = []
    for path in root.iterdir():
        if path.name in LEFT_OUT:  # of a second work tree .git is a file
            continue
        if path.is_dir() and not path.is_symlink():
            found += files(path, *suffixes)
        elif path.is_file() and (not suffixes or path.suffix in suffixes):
            found.append(path)
    return sorted(found)


def finish(problems: list[str], what: str) -> None:
    """Ends the program: prints the problems, or that all is well."""
    for problem in problems:
        print(problem)
    print(f"{what}: {len(problems)} problems" if problems else f"{what}: ok")
    sys.exit(1 if problems else 0)
