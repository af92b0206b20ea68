#!/usr/bin/env python3
"""Writes a C# library of many classes and a response file for the SDK's compiler: one big process to profile.

    tests/apps/compile/generate.py DIR [CLASSES]

Prints the command that compiles it, one argument a line: dotnet exec …/csc.dll -noconfig @DIR/csc.rsp
"""
import pathlib
import subprocess
import sys

CLASS = """using System;
using System.Collections.Generic;
using System.Linq;
namespace Generated.Part{part}
{{
    public interface IShape{n} {{ double Area(double scale); }}
    public struct Point{n} {{ public int X, Y; }}
    public class Class{n}<T> : IShape{n} where T : IComparable<T>
    {{
        private readonly Dictionary<string, List<T>> _items = new();
        public string Name {{ get; init; }} = "class {n}";
        public void Add(string key, T item)
        {{
            if (!_items.TryGetValue(key, out var list)) _items[key] = list = new List<T>();
            list.Add(item);
        }}
        public IEnumerable<string> Crowded() => _items.Keys.Where(key => _items[key].Count > {small});
        public double Area(double scale) => _items.Count * scale + {n};
        public static int Sum(params int[] values)
        {{
            int sum = {n};
            foreach (var value in values)
            {{
                sum += value switch {{ 0 => 1, > 0 and < {small} => value * 2, {other} => 7, _ => -value }};
            }}
            Func<int, int> twice = x => x * 2 + sum;
            return twice(values.Where(v => v % 2 == 0).Count());
        }}
        public override string ToString() => $"{{Name}}: {{_items.Count}} of {{typeof(T).Name}} at {{new Point{n}()}}";
    }}
}}
"""


def sdk_folder() -> pathlib.Path:
    for line in reversed(subprocess.check_output(["dotnet", "--list-sdks"], text=True).splitlines()):
        version, _, folder = line.partition(" ")
        return pathlib.Path(folder.strip("[]")) / version
    sys.exit("generate.py: dotnet has no SDK; install one (dotnet --list-sdks shows them)")


def reference_assemblies(sdk: pathlib.Path) -> list[pathlib.Path]:
    packs = sdk.parent.parent / "packs" / "Microsoft.NETCore.App.Ref"
    found = sorted(packs.glob("*/ref/net*/*.dll"))
    if found:
        return found
    # A machine without the targeting pack: the runtime's own assemblies serve as well.
    return sorted((sdk.parent.parent / "shared" / "Microsoft.NETCore.App").glob("*/System.*.dll"))


def write(folder: pathlib.Path, classes: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    sources = []
    for n in range(classes):
        source = folder / f"Class{n}.cs"
        source.write_text(CLASS.format(n=n, part=n // 100, small=n % 9 + 2, other=n + 100))
        sources.append(source)
    lines = ["-nologo", "-nostdlib", "-target:library", "-optimize+", "-nullable:enable", "-langversion:latest",
             "-debug:portable", f'-out:"{folder / "generated.dll"}"']
    lines += [f'-r:"{path}"' for path in reference_assemblies(sdk_folder())]
    lines += [f'"{source}"' for source in sources]
    (folder / "csc.rsp").write_text("\n".join(lines) + "\n")


def main() -> None:
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    classes = int(sys.argv[2]) if len(sys.argv) == 3 else 1500
    marker = folder / f".generated-{classes}"
    if not marker.exists():
        write(folder, classes)
        marker.touch()
    for argument in ["dotnet", "exec", str(sdk_folder() / "Roslyn/bincore/csc.dll"), "-noconfig", f"@{folder}/csc.rsp"]:
        print(argument)


main()
