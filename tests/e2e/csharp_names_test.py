#!/usr/bin/env python3
"""Methods of every kind that C# names in a way of its own, shown as they are written (tests/apps/names); no two are shown alike."""
import collections
import re

from harness import EndToEnd, app, main, walkabout

EXPECTED = [
    # tests/apps/names/Program.cs
    "Program.Main(…) [async]",
    "Program.Main.TopLevel(int) [local]",
    # Members.cs
    "Naming.Members.All()",
    "Naming.Order.First()",
    "Naming.Order.GetHashCode()",
    "Naming.StaticPart.static StaticPart()",
    "Naming.Cart.Cart()",
    "Naming.Cart.Cart(int)",
    "Naming.Cart.Total.get()",
    "Naming.Cart.Total.set(int)",
    "Naming.Cart.this[int, string].get()",
    "Naming.Cart.this[int, string].set(string)",
    "Naming.Cart.Paid.add(Action)",
    "Naming.Cart.Paid.remove(Action)",
    "Naming.Cart.get_Nothing()",
    "Naming.Cart.IPriced<string>.Price(string)",
    "Naming.Cart.IPriced<string>.Best.get()",
    "Naming.Cart.IEnumerable<int>.GetEnumerator(…) [iterator]",
    "Naming.Cart.IDisposable.Dispose()",
    "Naming.Money.operator +(Money, Money)",
    "Naming.Money.operator -(Money)",
    "Naming.Money.operator <(Money, Money)",
    "Naming.Money.implicit operator decimal(Money)",
    "Naming.Money.explicit operator int(Money)",
    "Naming.Money.explicit operator long(Money)",
    "Naming.Hidden.Run()",
    # Functions.cs
    "Naming.Functions.static Functions.(lambda #0)",
    "Naming.Functions.Property.get.(lambda #0)",
    "Naming.Functions.Capturing.(lambda #0)",
    "Naming.Functions.Capturing.(lambda #1)",
    "Naming.Functions.Generic<int>.(lambda #0)",
    "Naming.Machines.All(…) [async]",
    "Naming.Machines.All.(lambda #0) [async]",
    "Naming.Machines.All.LocalAsync(…) [local async]",
    "Naming.Machines.Items(…) [iterator]",
    "Naming.Machines.ItemsAsync(…) [async]",
    # MadeAtRunTime.cs
    "Naming.MadeAtRunTime.All()",
]
# Two each: overloads, whose lambdas, local functions and state machines the compiler's numbers tell apart.
PAIRS = [r"Naming\.Functions\.Overloaded\.\(lambda #\d+_0\)", r"Naming\.Functions\.Overloaded\.Local\(\) \[local #\d+_\d+\]",
         r"Naming\.Machines\.RunAsync\(…\) \[async #\d+\]", r"Naming\.Functions\.Overloaded\((int|string)\)"]
DYNAMIC = [r"lambda_method\d+\(Order, int\[\]\) \[dynamic\]", r"Regex\d+\.\w+\(RegexRunner, ReadOnlySpan<char>\) \[compiled regex\]"]


class CSharpNames(EndToEnd):
    def check(self, tfm: str, mode: str) -> None:
        recording = self.record(app("names", tfm, mode) + ["3"], "--interval", "1ms")
        functions = recording.report("--top", "100000")["top_total"]
        names = [function["name"] for function in functions]
        listing = "\n".join(sorted(name for name in names if "Naming" in name or "[" in name))
        self.assertEqual([name for name in EXPECTED if name not in names], [], listing)
        for pattern in PAIRS:
            self.assertEqual(len({name for name in names if re.fullmatch(pattern, name)}), 2, f"{pattern}\n{listing}")
        for pattern in DYNAMIC:
            self.assertTrue(any(re.fullmatch(pattern, name) for name in names), f"{pattern}\n{listing}")
        self.assertFalse([name for name in names if "pMT" in name or "0x" in name], listing)
        raw = {function["name"]: function["raw_name"] for function in functions}
        self.assertEqual(raw["Naming.Cart.Cart(int)"], "Naming.Cart..ctor(int)")
        self.assertEqual(raw["Naming.Cart.Total.get()"], "Naming.Cart.get_Total()")
        self.assert_distinct(functions)

    def assert_distinct(self, functions: list[dict]) -> None:
        methods = collections.defaultdict(set)
        for function in functions:
            if function["kind"] == "managed":
                methods[function["name"], function["module"]].add(function["raw_name"])
        self.assertGreater(len(methods), 100)
        self.assertEqual({name: raw for name, raw in methods.items() if len(raw) > 1}, {})

    def test_net10(self) -> None:
        self.check("net10.0", "framework")

    def test_net8(self) -> None:
        self.check("net8.0", "selfcontained")

    def test_of_a_big_program_no_two_methods_have_one_name(self) -> None:
        recording = self.record(app("framework") + ["4"], "--interval", "1ms")
        self.assert_distinct(recording.report("--top", "100000")["top_total"])

    def test_just_my_code(self) -> None:
        recording = self.record(app("names") + ["2"], "--interval", "1ms")
        whole = recording.report("--top", "100000")
        mine = recording.report("--my-code", "--top", "100000")
        self.assertEqual(whole["total"], mine["total"])
        own = {function["name"]: function for function in whole["top_total"] if function["module"] == "names.dll"}
        shown = {function["name"]: function for function in mine["top_total"]}
        self.assertEqual(own, {name: shown[name] for name in own})
        others = [name for name, function in shown.items() if function["module"] != "names.dll" and not name.startswith("[")]
        self.assertEqual([name for name in others if not re.fullmatch(r"\(.+\)", name)], [])
        tree = walkabout("report", recording.path, "--my-code", "--tree", "--min", "0").stdout
        self.assertRegex(tree, r"\(\+\d+ System\.Private\.CoreLib\)")
        self.assertRegex(tree, r"\(\+\d+ async\)")
        folded = walkabout("report", recording.path, "--fold-async", "--tree", "--min", "0").stdout
        self.assertRegex(folded, r"\(\+\d+ async\)")
        self.assertNotIn("ThreadPoolWorkQueue.Dispatch", folded)
        usual = walkabout("report", recording.path, "--tree", "--min", "0").stdout
        self.assertRegex(usual, r"\(\+\d+ async\)")
        self.assertIn("--all-frames", usual)
        every = walkabout("report", recording.path, "--all-frames", "--tree", "--min", "0").stdout
        self.assertIn("ThreadPoolWorkQueue.Dispatch", every)
        for wrong in (["--mine", ""], ["--fold-async", "--mine", "names"], ["--all-frames", "--my-code"]):
            self.assertEqual(walkabout("report", recording.path, *wrong).returncode, 2, wrong)
        self.assertIn("--mine 'Typo'", walkabout("report", recording.path, "--mine", "Typo").stdout)
        nothing = walkabout("report", recording.path, "--not-mine", "names").stdout
        self.assertNotIn("Naming.", nothing)
        self.assertIn("--mine NAME", nothing)
        runtime = walkabout("report", recording.path, "--mine", "System.Threading.*", "--top", "1000").stdout
        self.assertIn("System.Threading.ThreadPoolWorkQueue.Dispatch()", runtime)
        collapsed = self.folder / "mine.collapsed"
        self.assertEqual(walkabout("convert", recording.path, collapsed, "--my-code").returncode, 0)
        self.assertRegex(collapsed.read_text(), r"\(async\);Naming\.Machines")
        self.assertIn("--mine NAME", walkabout("convert", recording.path, collapsed, "--not-mine", "names").stderr)
        self.assertEqual(walkabout("convert", recording.path, collapsed, "--my-code", "--redact").returncode, 0)
        self.assertIn("Naming.", collapsed.read_text())
        self.assertEqual(walkabout("convert", recording.path, self.folder / "x.walk", "--my-code").returncode, 2)


if __name__ == "__main__":
    main()
