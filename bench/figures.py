"""What the benchmarks measured: bench/results/BENCH.json of each, and the part of a page that is written from them.

  figures.py keep BENCH FIGURES MACHINE   writes bench/results/BENCH.json; both files have "name value unit" lines

A result keeps the machine and the day it is from, so that a page can say where a figure comes from another one than the rest.
"""
import collections
import dataclasses
import json
import pathlib
import sys

BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"
RESULTS = pathlib.Path(__file__).resolve().parent / "results"
MARKS = ["", "†", "‡", "§", "¶"]


@dataclasses.dataclass(frozen=True)
class Machine:
    date: str
    cpus: str
    model: str
    kernel: str
    dotnet: str

    def text(self) -> str:
        return f"{self.date} on a machine with {self.cpus} CPUs ({self.model}), Linux {self.kernel}, .NET SDK {self.dotnet}"


class Figures:
    def __init__(self, folder: pathlib.Path = RESULTS) -> None:
        self.values: dict[str, float] = {}
        self.machines: dict[str, Machine] = {}  # by bench
        if not (paths := sorted(folder.glob("*.json"))):
            raise FileNotFoundError(folder)
        for path in paths:
            result = json.loads(path.read_text())
            self.machines[path.stem] = Machine(**result["machine"])
            self.values |= {name: value for name, (value, _unit) in result["figures"].items()}

    def __contains__(self, name: str) -> bool:
        return name in self.values

    def __getitem__(self, name: str) -> float:
        return self.values[name]

    def starting(self, prefix: str) -> dict[str, float]:
        return {name.removeprefix(prefix): value for name, value in self.values.items() if name.startswith(prefix)}

    def marks(self, benches: list[str]) -> dict[Machine, str]:
        """A mark for each machine that one of them ran on; the one of most has none."""
        count = collections.Counter(self.machines[bench] for bench in benches if bench in self.machines)
        return {machine: MARKS[n] for n, (machine, _) in enumerate(count.most_common())}

    def measured(self, benches: list[str]) -> str:
        """The sentences that say where and when."""
        marks = self.marks(benches)
        return " ".join(f"{'Measured' if not mark else 'Figures with ' + mark + ':'} {machine.text()}."
                        for machine, mark in marks.items()) + "\n"


def lines_of(path: pathlib.Path) -> dict[str, tuple[str, str]]:
    return {name: (value, unit) for name, value, unit in (line.split(" ") for line in path.read_text().splitlines())}


def keep(bench: str, figures: pathlib.Path, machine: pathlib.Path) -> pathlib.Path:
    result = {"machine": {name.removeprefix("machine_"): value.replace("_", " ")
                          for name, (value, _unit) in lines_of(machine).items()},
              "figures": {name: [float(value), unit] for name, (value, unit) in lines_of(figures).items()}}
    path = RESULTS / f"{bench}.json"
    path.parent.mkdir(exist_ok=True)
    rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(value)}" for name, value in result["figures"].items())
    path.write_text(f'{{\n  "machine": {json.dumps(result["machine"])},\n  "figures": {{\n{rows}\n  }}\n}}\n')
    return path


def put_into(page: pathlib.Path, written: str) -> bool:
    """Between the page's marks, in place of what stands there. False, and reported, when it has none."""
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not after:
        print(f"{page} has lost its marks; the table goes between '{BEGIN.strip()}' and '{END.strip()}'", file=sys.stderr)
        return False
    page.write_text(before + BEGIN + written + END + after)
    return True


def write_page(page: pathlib.Path, table) -> int:
    """The exit code of a script that writes table(figures) into the page."""
    try:
        written = table(Figures())
    except FileNotFoundError as missing:
        print(f"{missing} has no results; run ./dev bench first", file=sys.stderr)
        return 1
    except KeyError as missing:
        print(f"no result has {missing}; run ./dev bench, it says which benchmark failed", file=sys.stderr)
        return 1
    return 0 if put_into(page, written) else 1


if __name__ == "__main__":
    if len(sys.argv) != 5 or sys.argv[1] != "keep":
        sys.exit(__doc__)
    print(f"figures are in {keep(sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]))}", file=sys.stderr)
