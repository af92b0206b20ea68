#!/usr/bin/env python3
"""Writes Signatures.cs: methods of many signatures, a call of each, and what its values read as. Run it after a change: it makes the same of
the same."""
import pathlib
import random

LONG = '\\"' + "x" * 64 + '\\"…'
# C#'s type, a value of it, what is shown of it (as it stands in a C# string).
POOL = [
    ("bool", "true", "true"), ("bool", "false", "false"), ("char", "'x'", "'x'"), ("char", "'\\n'", "'\\\\n'"), ("sbyte", "-5", "-5"), ("byte", "200", "200"),
    ("short", "-300", "-300"), ("ushort", "60000", "60000"), ("int", "-70000", "-70000"), ("int", "int.MinValue", "-2147483648"),
    ("uint", "4000000000", "4000000000"), ("long", "-5000000000", "-5000000000"), ("ulong", "ulong.MaxValue", "18446744073709551615"),
    ("nint", "-7", "-7"), ("nuint", "7", "7"), ("float", "1.5f", "1.5"), ("float", "-0.1f", "-0.1"), ("float", "float.MaxValue", "3.4028235E+38"),
    ("float", "float.NaN", "NaN"), ("double", "0.1", "0.1"), ("double", "1e20", "1E+20"), ("double", "-2.5e-7", "-2.5E-07"),
    ("double", "double.NegativeInfinity", "-Infinity"), ("double", "123456789.125", "123456789.125"), ("decimal", "12.50m", "12.50"),
    ("decimal", "-79228162514264337593543950335m", "-79228162514264337593543950335"), ("string", '"Anna"', '\\"Anna\\"'),
    ("string?", "null", "null"), ("string", '""', '\\"\\"'), ("string", '"a\\"b\\\\c\\n\\u0001ü€😀"', '\\"a\\\\\\"b\\\\\\\\c\\\\n\\\\u0001ü€😀\\"'),
    ("string", "Text100.Long", LONG), ("object?", "null", "null"), ("object", "42", "42"), ("object", "Colour.Blue", "Blue"),
    ("object", '"text"', '\\"text\\"'), ("object", "new Point(1, 2)", "{ X = 1, Y = 2 }"), ("int[]", "new int[3]", "int[3]"),
    ("string[][]", "new string[2][]", "string[2][]"), ("int[,]", "new int[2, 3]", "int[2,3]"), ("int[]?", "null", "null"),
    ("Colour", "Colour.Green", "Green"), ("Colour", "(Colour)99", "99"), ("InSByte", "InSByte.Low", "Low"), ("InSByte", "(InSByte)(-3)", "-3"),
    ("InByte", "InByte.Most", "Most"), ("InShort", "InShort.Low", "Low"), ("InUShort", "InUShort.Most", "Most"), ("InUInt", "InUInt.Most", "Most"),
    ("InLong", "InLong.Low", "Low"), ("InULong", "InULong.Most", "Most"), ("Access", "Access.Read | Access.Run", "Read | Run"), ("Access", "Access.None", "None"),
    ("Access", "Access.All | Access.Owner", "All | Owner"), ("Access", "(Access)64", "64"), ("DateTime", "new DateTime(2026, 2, 28, 3, 4, 5)", "2026-02-28T03:04:05"),
    ("DateTime", "new DateTime(638000000001234567, DateTimeKind.Utc)", "2022-09-28T22:13:20.1234567Z"),
    ("DateTime", "DateTime.MaxValue", "9999-12-31T23:59:59.9999999"), ("DateTime", "new DateTime(2024, 2, 29)", "2024-02-29T00:00:00"),
    ("TimeSpan", "TimeSpan.FromMilliseconds(1500)", "00:00:01.5"), ("TimeSpan", "-new TimeSpan(1, 2, 3, 4)", "-1.02:03:04"),
    ("DateTimeOffset", "new DateTimeOffset(2026, 1, 1, 0, 30, 0, TimeSpan.FromHours(2))", "2026-01-01T00:30:00+02:00"),
    ("DateOnly", "new DateOnly(2026, 11, 30)", "2026-11-30"), ("TimeOnly", "new TimeOnly(1, 2, 3)", "01:02:03"),
    ("Guid", 'new Guid("00112233-4455-6677-8899-aabbccddeeff")', "00112233-4455-6677-8899-aabbccddeeff"),
    ("Int128", "Int128.MinValue", "-170141183460469231731687303715884105728"), ("UInt128", "UInt128.MaxValue", "340282366920938463463374607431768211455"),
    ("Int128", "-5", "-5"), ("Half", "(Half)0.5", "0.5"), ("int?", "5", "5"), ("int?", "null", "null"), ("Colour?", "Colour.Red", "Red"),
    ("DateTime?", "null", "null"), ("decimal?", "1.5m", "1.5"), ("Point?", "new Point(3, 4)", "{ X = 3, Y = 4 }"), ("(int, string)", '(1, "a")', '(1, \\"a\\")'),
    ("(byte, double, Colour)", "(1, 2.5, Colour.Blue)", "(1, 2.5, Blue)"), ("(string?, (int, bool))", "(null, (1, true))", "(null, (1, true))"),
    ("KeyValuePair<string, int>", 'new("k", 5)', '{ key = \\"k\\", value = 5 }'), ("KeyValuePair<int, Point>", "new(1, new(2, 3))", "{ key = 1, value = { X = 2, Y = 3 } }"),
    ("Bytes1", "new() { A = 1 }", "{ A = 1 }"), ("Bytes2", "new() { A = 1, B = 2 }", "{ A = 1, B = 2 }"), ("Bytes3", "new() { A = 1, B = 2, C = 3 }", "{ A = 1, B = 2, C = 3 }"),
    ("Bytes5", "new() { A = 1, B = 2 }", "{ A = 1, B = 2 }"), ("Bytes8", "new() { A = 1, B = -2 }", "{ A = 1, B = -2 }"),
    ("Bytes12", "new() { A = 1, B = 2, C = 3 }", "{ A = 1, B = 2, C = 3 }"), ("Bytes16", "new() { A = 1, B = 2 }", "{ A = 1, B = 2 }"),
    ("Bytes24", "new() { A = 1, B = 2, C = 3 }", "{ A = 1, B = 2, C = 3 }"), ("Bytes32", "new() { A = 1, D = 4 }", "{ A = 1, B = 0, C = 0, D = 4 }"),
    ("Bytes40", "new() { A = 1, E = 5 }", "{ A = 1, B = 0, C = 0, D = 0, E = 5 }"),
    ("Bytes64", "new() { A = 1, H = 8 }", "{ A = 1, B = 0, C = 0, D = 0, E = 0, F = 0, G = 0, H = 8 }"), ("OneFloat", "new() { X = 0.5f }", "{ X = 0.5 }"),
    ("TwoFloats", "new() { X = 1, Y = 2.5f }", "{ X = 1, Y = 2.5 }"), ("ThreeFloats", "new() { X = 1, Y = 2, Z = 3 }", "{ X = 1, Y = 2, Z = 3 }"),
    ("FourFloats", "new() { X = 1, W = 4 }", "{ X = 1, Y = 0, Z = 0, W = 4 }"), ("TwoDoubles", "new() { X = 1, Y = 2.5 }", "{ X = 1, Y = 2.5 }"),
    ("FourDoubles", "new() { X = 1, W = 4.5 }", "{ X = 1, Y = 0, Z = 0, W = 4.5 }"), ("Mixed", "new() { Number = 1, Real = 2.5 }", "{ Number = 1, Real = 2.5 }"),
    ("RealFirst", "new() { Real = 1.5f, Number = 2 }", "{ Real = 1.5, Number = 2 }"),
    ("WithText", 'new() { Number = 1, Text = "t", Other = new Order() }', '{ Number = 1, Text = \\"t\\", Other = Order }'),
    ("WithText", "default", "{ Number = 0, Text = null, Other = null }"),
    ("Nested", 'new() { Inner = new() { Number = 1, Real = 2 }, Colour = Colour.Blue, Text = "n" }', '{ Inner = { Number = 1, Real = 2 }, Colour = Blue, Text = \\"n\\" }'),
    ("Empty", "default", "{ }"), ("Point", "new(5, 6)", "{ X = 5, Y = 6 }"), ("Holder<int>", "new() { Value = 1, Count = 2 }", "{ Value = 1, Count = 2 }"),
    ("Holder<string>", 'new() { Value = "v", Count = 2 }', '{ Value = \\"v\\", Count = 2 }'), ("Holder<Point>", "new() { Value = new(1, 2), Count = 3 }", "{ Value = { X = 1, Y = 2 }, Count = 3 }"),
    ("Wrapper", 'new() { Numbers = new() { Value = 1 }, Texts = new() { Value = "w" }, Maybe = 3 }',
     '{ Numbers = { Value = 1, Count = 0 }, Texts = { Value = \\"w\\", Count = 0 }, Maybe = 3 }'),
    ("Union", "new() { Number = 258 }", "{ Number = 258, First = 2 }"), ("Four", "default", "[4]"),
    ("Vector128<int>", "Vector128.Create(1, 2, 3, 4)", "<1, 2, 3, 4>"), ("Vector256<double>", "Vector256.Create(1.5, 2, 3, 4)", "<1.5, 2, 3, 4>"),
    ("Vector64<byte>", "Vector64.Create((byte)9)", "<9, 9, 9, 9, 9, 9, 9, 9>"), ("List<int>", "[]", "System.Collections.Generic.List<int>"),
    ("Order", "new()", "Order"), ("Order", "new Special()", "Special"), ("Order?", "null", "null"), ("Change", "static value => value", "Change"),
    ("Box<string>", "new()", "Box<string>"), ("IComparable", "5", "5"), ("Exception", "new ArgumentException()", "System.ArgumentException"),
    ("Dictionary<string, Point[]>", "[]", "System.Collections.Generic.Dictionary<string, Point[]>"), ("int*", "(int*)0x1234", "0x1234"),
    ("delegate*<int, int>", "null", "null"), ("Span<int>", "new int[5]", "int[5]"), ("ReadOnlySpan<char>", '"spans"', '\\"spans\\"'), ("Span<Point>", "default", "Point[0]"),
    ("Memory<int>", "default", "{ _object = null, _index = 0, _length = 0 }"), ("Index", "^3", "{ _value = -4 }"),
]
METHODS = 200


def make(number: int, values: list, kind: int) -> tuple[str, str]:
    """A method with these, which returns the last one, and its call."""
    names = [f"a{i}" for i in range(len(values))]
    modifiers = ["", "ref ", "in "][kind]
    parameters = ", ".join(f"{modifiers}{value[0]} {name}" for value, name in zip(values, names))
    last = values[-1]
    expected = "|".join([f"M{number}", *(f"{name}={value[2]}" for value, name in zip(values, names)), f"={last[2]}"])
    if kind == 0:
        arguments = ", ".join(value[1] for value in values)
        call = f"M{number}({arguments});"
    else:
        variables = " ".join(f"{value[0]} v{i} = {value[1]};" for i, value in enumerate(values))
        call = variables + f" M{number}(" + ", ".join(f"{modifiers}v{i}" for i in range(len(values))) + ");"
    method = f"    static {last[0]} M{number}({parameters}) => {names[-1]};"
    return method, f'        {{ {call} Say("{expected}"); }}'


def main() -> None:
    chosen = random.Random(17)
    shapes = [[value] for value in POOL]
    while len(shapes) < METHODS:
        shapes.append([chosen.choice(POOL) for _ in range(chosen.choice([2, 3, 4, 5, 6, 8, 12, 20]))])
    made = [make(i, shape, 0 if i < len(POOL) else chosen.choice([0, 0, 0, 1, 2])) for i, shape in enumerate(shapes)]
    lines = ["// Made by make_signatures.py.", "using System.Runtime.Intrinsics;", "", "public static unsafe partial class Signatures", "{"]
    lines += [method for method, _ in made]
    lines += ["", "    public static void Run()", "    {"] + [call for _, call in made] + ["    }", "}", ""]
    pathlib.Path(__file__).with_name("Signatures.cs").write_text("\n".join(lines), encoding="utf-8")


main()
