"""A C# program of generated methods. Each method comes in as many variants as it has statements: in each, another one is the only hot one.

  lines_program.py METHODS FILE

A statement stands on one line. The hot one's line ends in "// HOT M17_3", the name of its method. What is hot is a chain of divisions,
each of which needs the one before; the rest of a method is a few additions. What a statement makes is used, and is another thing each
time: no statement can be left out or done once. The same METHODS make the same program.
"""
import pathlib
import random
import sys

DIVISIONS = 40
SEED = 1


def chain(of: str) -> str:
    return "1 + 1 / (" * DIVISIONS + f"1 + {of}" + ")" * DIVISIONS


class Method:
    """The lines of one variant. hot: the number of the statement that is hot."""

    def __init__(self, number: int, hot: int) -> None:
        self.random = random.Random(SEED * 100_003 + number)  # the same choices in each variant
        self.bits = 0  # of i, that conditions have looked at
        self.names = 0
        self.name = f"M{number}_{hot}"
        self.hot, self.statements, self.lines = hot, 0, []
        self.add(0, f"[MethodImpl(MethodImplOptions.NoInlining)] static double {self.name}(int n)", "{")
        self.add(1, "double x = n, y = 1, z = 2;", f"double[] a = s_array; var o = s_object;")
        self.add(1, "for (int i = 0; i < n; i++)", "{")
        for _ in range(self.random.randint(2, 5)):
            self.statement(2, 0)
        self.add(1, "}")
        self.add(1, "return x + y + z + a[1] + o.Field;")
        self.add(0, "}", "")

    def add(self, depth: int, *lines: str) -> None:
        self.lines += ["    " * (depth + 1) + line for line in lines]

    def place(self, depth: int, light: str, heavy: str) -> None:
        """The next statement that can be hot."""
        if self.statements == self.hot:
            self.add(depth, f"{heavy} // HOT {self.name}")
        else:
            self.add(depth, light)
        self.statements += 1

    def variable(self) -> str:
        return self.random.choice("xyz")

    def name_of(self, kind: str) -> str:
        self.names += 1
        return f"{kind}{self.names}"

    def bit(self, count: int) -> str:
        """So many bits of i that no condition has looked at yet: each branch is reached."""
        self.bits += count
        return f"(i >> {self.bits - count} & {(1 << count) - 1})"

    def statement(self, depth: int, nested: int) -> None:
        simple = [self.assigned, self.added, self.stored, self.field, self.called, self.inlined, self.chosen, self.declared]
        blocks = [self.conditional, self.condition, self.loop, self.each, self.switched, self.tried, self.local]
        self.random.choice(simple * 2 + (blocks if nested < 2 else []))(depth, nested)

    def assigned(self, depth: int, _: int) -> None:
        to, of = self.variable(), self.variable()
        self.place(depth, f"{to} = {to} * 0.5 + {of};", f"{to} = {to} * 0.5 + {chain(of + ' + i')};")

    def added(self, depth: int, _: int) -> None:
        to, of = self.variable(), self.variable()
        self.place(depth, f"{to} += {of};", f"{to} += {chain(of + ' + i')};")

    def stored(self, depth: int, _: int) -> None:
        of = self.variable()
        self.place(depth, f"a[i & 15] = {of};", f"a[i & 15] = {chain(of + ' + i')};")

    def field(self, depth: int, _: int) -> None:
        of = self.variable()
        self.place(depth, f"o.Field += {of};", f"o.Field += {chain(of + ' + i')};")

    def called(self, depth: int, _: int) -> None:
        to, of = self.variable(), self.variable()
        self.place(depth, f"{to} += Light({of});", f"{to} += Heavy({of});")

    def inlined(self, depth: int, _: int) -> None:
        to, of = self.variable(), self.variable()
        self.place(depth, f"{to} += LightInlined({of});", f"{to} += HeavyInlined({of} + i);")

    def chosen(self, depth: int, _: int) -> None:
        to, of, other = self.variable(), self.variable(), self.variable()
        bit = self.bit(1)
        self.place(depth, f"{to} += {bit} == 0 ? {other} : {of};", f"{to} += {bit} == 0 ? {other} : {chain(of + ' + i')};")

    def declared(self, depth: int, _: int) -> None:
        """A value that the next statement uses up: the compiler may join the two."""
        to, of, name = self.variable(), self.variable(), self.name_of("v")
        self.place(depth, f"double {name} = {of} + 1;", f"double {name} = {chain(of + ' + i')};")
        self.place(depth, f"{to} += {name} + 1;", f"{to} += {chain(name + ' + i')};")

    def conditional(self, depth: int, nested: int) -> None:
        self.add(depth, f"if ({self.bit(1)} != 0)", "{")
        self.statement(depth + 1, nested + 1)
        self.add(depth, "}")
        if self.random.random() < 0.5:
            self.add(depth, "else", "{")
            self.place(depth + 1, f"{self.variable()} += 1;", f"for (int k = 0; k < 8; k++) y += {chain('x + i + k')};")
            self.add(depth, "}")

    def condition(self, depth: int, nested: int) -> None:
        of = self.variable()
        self.place(depth, f"if ({of} > -1)", f"if ({chain(of + ' + i')} > -1)")
        self.add(depth, "{")
        self.statement(depth + 1, nested + 1)
        self.add(depth, "}")

    def loop(self, depth: int, nested: int) -> None:
        k = self.name_of("k")
        self.add(depth, f"for (int {k} = 0; {k} < 2; {k}++)", "{")
        self.statement(depth + 1, nested + 1)
        self.add(depth, "}")

    def each(self, depth: int, nested: int) -> None:
        e = self.name_of("e")
        self.add(depth, f"foreach (double {e} in s_two)", "{")
        to = self.variable()
        self.place(depth + 1, f"{to} += {e};", f"{to} += {chain(to + ' + i + ' + e)};")
        self.add(depth, "}")

    def switched(self, depth: int, nested: int) -> None:
        self.add(depth, f"switch ({self.bit(2)})", "{")
        self.add(depth + 1, "case 0:")
        self.statement(depth + 2, nested + 1)
        self.add(depth + 2, "break;")
        self.add(depth + 1, "case 2:", "    z += 1;", "    break;", "default:")
        self.statement(depth + 2, nested + 1)
        self.add(depth + 2, "break;")
        self.add(depth, "}")

    def tried(self, depth: int, nested: int) -> None:
        self.add(depth, "try", "{")
        self.statement(depth + 1, nested + 1)
        self.add(depth, "}", "finally", "{")
        self.place(depth + 1, "y += 1;", f"y += {chain('y + i')};")
        self.add(depth, "}")

    def local(self, depth: int, _: int) -> None:
        """A call of a delegate."""
        to, of = self.variable(), self.variable()
        self.place(depth, f"{to} += s_light({of});", f"{to} += s_heavy({of});")


def program(methods: int) -> str:
    bodies, names = [], []
    for number in range(methods):
        hot = 0
        while True:
            variant = Method(number, hot)
            if variant.statements <= hot:
                break
            bodies += variant.lines
            names.append(variant.name)
            hot += 1
    table = "\n".join(f'        ("{name}", {name}),' for name in names)
    return f"""using System.Diagnostics;
using System.Runtime.CompilerServices;

static class Generated
{{
    class Kept {{ public double Field; }}
    static readonly double[] s_array = new double[16], s_two = {{ 1, 2 }};
    static readonly Kept s_object = new();
    static readonly Func<double, double> s_light = Light, s_heavy = Heavy;

    [MethodImpl(MethodImplOptions.NoInlining)] static double Light(double x) => x + 1;
    [MethodImpl(MethodImplOptions.NoInlining)] static double Heavy(double x) => {chain('x')};
    [MethodImpl(MethodImplOptions.AggressiveInlining)] static double LightInlined(double x) => x + 1;
    [MethodImpl(MethodImplOptions.AggressiveInlining)] static double HeavyInlined(double x) => {chain('x')};

    static readonly (string Name, Func<int, double> Body)[] All =
    {{
{table}
    }};

    static double CpuSeconds() => Process.GetCurrentProcess().TotalProcessorTime.TotalSeconds;

    static void Main(string[] arguments)
    {{
        double seconds = double.Parse(arguments[0]), sum = 0;
        foreach (var (_, body) in All)
        {{
            for (double end = CpuSeconds() + seconds; CpuSeconds() < end;) sum += body(4096);
        }}
        Console.WriteLine(sum > 0);
    }}

""" + "\n".join(bodies) + "\n}\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[2]).write_text(program(int(sys.argv[1])))
