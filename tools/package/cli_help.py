"""What `walkabout --help` and `walkabout VERB --help` say, as data: for the man page and the shells' completions.

Read from the program itself, so that they cannot say anything else.
"""
import dataclasses
import pathlib
import re
import subprocess

CHOICES = re.compile(r"\{([^}]*)\}")


@dataclasses.dataclass
class Option:
    names: list[str]  # -o, --output
    value: str  # as the help names it; "" for a switch
    text: str

    @property
    def choices(self) -> list[str]:
        found = CHOICES.search(self.value)
        return found[1].split(",") if found else []

    @property
    def placeholder(self) -> str:
        """TEXT:TIME, UINT:INT in [16 - 65536] … as one word."""
        return "|".join(self.choices) or re.split(r"[: ]", self.value)[0]


@dataclasses.dataclass
class Verb:
    name: str
    text: str
    usage: str = ""
    positionals: list[Option] = dataclasses.field(default_factory=list)
    options: list[Option] = dataclasses.field(default_factory=list)
    footer: str = ""  # examples and exit codes


def sections(text: str) -> dict[str, list[str]]:
    """Lines by the heading above them; those of a paragraph that begins at the margin are "footer"."""
    found: dict[str, list[str]] = {"": []}
    name = ""
    for line in text.splitlines():
        if re.fullmatch(r"(Positionals|Options|Subcommands):", line):
            name = line[:-1]
        elif line and not line.startswith(" ") and name in ("Positionals", "Options", "Subcommands"):
            name = "footer"
        found.setdefault(name, []).append(line)
    return found


def entries(lines: list[str]) -> list[tuple[str, str]]:
    """(what stands left, its text): the text may begin on the next line, far to the right."""
    found: list[tuple[str, str]] = []
    for line in lines[1:]:
        if not line.strip():
            continue
        if line.startswith(" " * 20):
            found[-1] = (found[-1][0], f"{found[-1][1]} {line.strip()}".strip())
            continue
        left, _, text = line.strip().partition("  ")
        found.append((left, text.strip()))
    return found


def option(left: str, text: str) -> Option:
    names, _, value = left.partition(" ")
    return Option(names.split(","), value.removesuffix("REQUIRED").removesuffix("...").strip(), text)


def help_of(program: pathlib.Path, *verb: str) -> dict[str, list[str]]:
    return sections(subprocess.run([program, *verb, "--help"], capture_output=True, text=True, check=True).stdout)


def read_verbs(program: pathlib.Path) -> list[Verb]:
    verbs = [Verb(name, text) for name, text in entries(help_of(program)["Subcommands"])]
    for verb in verbs:
        help_text = help_of(program, verb.name)
        verb.usage = help_text[""][1].removeprefix("Usage: ")
        verb.positionals = [option(*entry) for entry in entries(help_text.get("Positionals", [""]))]
        verb.options = [option(*entry) for entry in entries(help_text["Options"])]
        verb.footer = "\n".join(help_text.get("footer", [])).strip()
    return verbs
