#!/usr/bin/env python3
"""Writes the completions of a shell from what the program's own help says.    make_completions.py WALKABOUT bash|zsh|fish"""
import pathlib
import sys

from cli_help import Verb, read_verbs

BASH = """# bash completion for walkabout
_walkabout() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} verb=${{COMP_WORDS[1]}} i
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "{verbs} --help --version" -- "$current"))
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} == -- ]]; then
            if declare -F _command_offset >/dev/null; then _command_offset $((i + 1)); fi
            return
        fi
    done
    case $verb:$previous in
{choices}
    esac
    if [[ $current == -* ]]; then
        case $verb in
{options}
        esac
        return
    fi
    compopt -o default 2>/dev/null
}}
complete -F _walkabout walkabout
"""


def quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def bash(verbs: list[Verb]) -> str:
    choices, options = [], []
    for verb in verbs:
        names = " ".join(name for one in verb.options for name in one.names if name.startswith("--"))
        options.append(f'            {verb.name}) COMPREPLY=($(compgen -W "{names}" -- "$current")) ;;')
        for one in verb.options:
            if one.choices:
                pattern = "|".join(f"{verb.name}:{name}" for name in one.names)
                words = " ".join(one.choices)
                choices.append(f'        {pattern}) COMPREPLY=($(compgen -W "{words}" -- "$current")); return ;;')
    return BASH.format(verbs=" ".join(verb.name for verb in verbs), choices="\n".join(choices), options="\n".join(options))


def zsh_spec(text: str) -> str:
    return text.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")


def zsh(verbs: list[Verb]) -> str:
    lines = ["#compdef walkabout", "_walkabout() {", "  local -a verbs", "  verbs=("]
    lines += [f"    {quoted(verb.name + ':' + zsh_spec(verb.text))}" for verb in verbs]
    lines += ["  )", "  if ((CURRENT == 2)); then", "    _describe verb verbs", "    return", "  fi", "  local verb=$words[2]",
              "  shift words; ((CURRENT--))", "  case $verb in"]
    for verb in verbs:
        lines.append(f"    {verb.name}) _arguments \\")
        for one in verb.options:
            action = f":{one.placeholder.lower()}:" if one.value else ""
            if one.choices:
                action = f":value:({' '.join(one.choices)})"
            elif one.value:
                action = ":value:_files" if "--output" in one.names else ":value:"
            repeat = "*" if "repeatable" in one.text else ""
            for name in one.names:
                lines.append(f"      {quoted(f'{repeat}{name}[{zsh_spec(one.text)}]{action}')} \\")
        lines.append("      '*::command:_normal' ;;" if any(one.names == ["command"] for one in verb.positionals)
                     else "      '*:file:_files' ;;")
    return "\n".join([*lines, "  esac", "}", '_walkabout "$@"', ""])


def fish(verbs: list[Verb]) -> str:
    lines = ["# fish completion for walkabout", "complete -c walkabout -n __fish_use_subcommand -f"]
    for verb in verbs:
        lines.append(f"complete -c walkabout -n __fish_use_subcommand -a {verb.name} -d {quoted(verb.text)}")
        for one in verb.options:
            names = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in one.names)
            value = f" -x -a {quoted(' '.join(one.choices))}" if one.choices else " -r" if one.value else ""
            lines.append(f"complete -c walkabout -n '__fish_seen_subcommand_from {verb.name}'{names}{value} -d {quoted(one.text)}")
    return "\n".join(lines) + "\n"


def main() -> None:
    verbs = read_verbs(pathlib.Path(sys.argv[1]))
    print({"bash": bash, "zsh": zsh, "fish": fish}[sys.argv[2]](verbs), end="")


if __name__ == "__main__":
    main()
