"""Figures as the benchmarks print them ("name value unit", one a line), and the part of a page that is written from them."""
import pathlib
import sys

BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"


class Figures:
    def __init__(self, path: pathlib.Path) -> None:
        self.text = {}
        for line in path.read_text().splitlines():
            name, value, _unit = line.split(" ")
            self.text[name] = value

    def __contains__(self, name: str) -> bool:
        return name in self.text

    def __getitem__(self, name: str) -> float:
        return float(self.text[name])

    def starting(self, prefix: str) -> dict[str, float]:
        return {name.removeprefix(prefix): float(value) for name, value in self.text.items() if name.startswith(prefix)}

    def machine(self) -> str:
        return (f"Measured {self.text['machine_date']} on a machine with {self.text['machine_cpus']} CPUs "
                f"({self.text['machine_model'].replace('_', ' ')}), Linux {self.text['machine_kernel']}, "
                f".NET SDK {self.text['machine_dotnet']}.\n")


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


def write_page(page: pathlib.Path, table, default: pathlib.Path, arguments: list[str]) -> int:
    """The exit code of a script that writes table(figures) into the page; arguments may name another file of figures."""
    path = pathlib.Path(arguments[0]) if arguments else default
    try:
        written = table(Figures(path))
    except FileNotFoundError:
        print(f"{path} is not there; run ./dev bench first", file=sys.stderr)
        return 1
    except KeyError as missing:
        print(f"{path} has no figure {missing}; run ./dev bench, it says which benchmark failed", file=sys.stderr)
        return 1
    return 0 if put_into(page, written) else 1
