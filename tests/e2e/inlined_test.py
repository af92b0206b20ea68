#!/usr/bin/env python3
"""Frames of inlined methods: of a program whose inlining is forced and whose hot methods are known."""
import collections
import gzip
import re

from harness import SOURCES, EndToEnd, Recording, app, main, walkabout

PROGRAM = SOURCES / "inlined" / "Program.cs"
RUNTIMES = (("net10.0", "framework"), ("net9.0", "selfcontained"), ("net8.0", "selfcontained"))
OPTIMIZED = {"DOTNET_TieredCompilation": "0"}
INLINED = " [inlined]"


def chains() -> dict[str, list[list[str]]]:
    """By method: what is inlined into it, outermost first; each with its leaf."""
    found = {}
    for name, said in re.findall(r"// INTO (\w+):(.*)", PROGRAM.read_text()):
        found[name] = [chain.replace(" > ", " ").split() for chain in said.split("|")]
    return found


def lines() -> dict[str, int]:
    found = {}
    for number, line in enumerate(PROGRAM.read_text().splitlines(), 1):
        if mark := re.search(r"// LINE (\w+)", line):
            found[mark[1]] = number
    return found


def short(name: str) -> str:
    """"Inlined.Program.Work<int>(int) [inlined]" is "Work<int>"."""
    name = name.removesuffix(INLINED).split("Inlined.")[-1].removeprefix("Program.")
    return re.sub(r"\(.*", "", name)


class Inlined(EndToEnd):
    def run_program(self, mode: tuple[str, str], seconds: str = "0.2", env: dict | None = None) -> Recording:
        return self.record(app("inlined", *mode) + [seconds], "--lines", "-i", "1ms", env=OPTIMIZED if env is None else env)

    def stacks_of(self, recording: Recording, *options: str) -> dict[str, collections.Counter]:
        """By method of the program: microseconds by the frames from it to the leaf, which end in + where they are inlined."""
        found = collections.defaultdict(collections.Counter)
        for frames, weight in recording.stacks(*options):
            for at, frame in enumerate(frames):
                if short(frame) in chains() and not frame.endswith(INLINED):
                    named = (short(f) + ("+" if f.endswith(INLINED) else "") for f in frames[at + 1 :] if "Inlined." in f)
                    found[short(frame)][" ".join(named)] += weight
                    break
        return found

    def check(self, what: str, recording: Recording, all_inlined: bool = True) -> None:
        """all_inlined: all that can be inlined is; else it is called at first, for as long as nobody knows."""
        expected = chains()
        found = self.stacks_of(recording)
        if not all_inlined:
            self.assertTrue(any("+" in stack for stacks in found.values() for stack in stacks), found)
            found = {name: sum((collections.Counter({stack.replace("+", ""): weight}) for stack, weight in stacks.items()), collections.Counter())
                     for name, stacks in found.items()}
        self.assertEqual(set(found), set(expected), found)
        right = everything = 0
        for name, stacks in sorted(found.items()):
            wanted = {" ".join(part if part == "Answer" or not all_inlined else part + "+" for part in chain) for chain in expected[name]}
            total = sum(stacks.values())
            hits = sum(weight for stack, weight in stacks.items() if stack in wanted)
            print(f"{what:16} {name:10} {hits / total:7.2%} of {total / 1e6:.2f} s {dict(stacks.most_common(3))}", flush=True)
            right, everything = right + hits, everything + total
            self.assertTrue(all(stacks[stack] > 0.1 * total for stack in wanted), (name, stacks))
        print(f"{what:16} all        {right / everything:7.2%}", flush=True)
        self.assertGreaterEqual(right / everything, 0.99 if all_inlined else 0.98, found)

    def test_optimized_code(self) -> None:
        for mode in RUNTIMES:
            with self.subTest(runtime=mode[0]):
                self.check(mode[0], self.run_program(mode))

    # The first tenths of a second are unoptimized, and a loop that is replaced while it runs is of the method before.
    def test_all_tiers_one_after_the_other(self) -> None:
        for mode in RUNTIMES:
            with self.subTest(runtime=mode[0]):
                self.check(mode[0] + " tiered", self.run_program(mode, "1", {"DOTNET_TieredPGO": "0", "DOTNET_TC_BackgroundWorkerTimeoutMs": "0",
                                                                             "DOTNET_TC_CallCountingDelayMs": "0"}), False)

    def test_without_inlined_frames_their_time_is_their_callers(self) -> None:
        recording = self.run_program(RUNTIMES[0])
        for name, stacks in self.stacks_of(recording, "--no-inlined").items():
            self.assertLessEqual(set(stacks), {"", "Answer"}, name)
        with_them, without = (recording.report("--top", "1000", *options) for options in ((), ("--no-inlined",)))
        self.assertEqual(with_them["total"], without["total"])
        total = lambda report, name: next(row["total"]["samples"] for row in report["top_total"] if short(row["name"]) == name and "inlined" not in row)
        for name in chains():
            self.assertEqual(total(with_them, name), total(without, name), name)
        self.assertFalse([row for row in without["top_total"] if "inlined" in row])
        rows = [row for row in with_them["top_self"] if row.get("inlined") and row["kind"] == "managed"]
        self.assertTrue(rows)
        self.assertTrue(all(row["name"].endswith(INLINED) for row in rows), rows)

    def test_lines_are_those_of_the_inlined_methods(self) -> None:
        for mode in RUNTIMES:
            with self.subTest(runtime=mode[0]):
                self.check_lines(mode[0], self.run_program(mode))

    def check_lines(self, runtime: str, recording: Recording) -> None:
        hot = lines()
        right = unsure = wrong = 0.0
        rows = recording.report("--lines", "--tree", "--min", "0")["tree"]
        for at, row in enumerate(rows):
            if row["hidden"] or not row.get("inlined") or "Inlined." not in row["name"]:
                continue
            name = re.sub(r"<.*>", "", short(row["name"]).split(".")[-1])
            if name in hot and row["self"]["samples"]:
                if hot[name] in row.get("lines", []):
                    right, unsure = (right + row["self"]["seconds"], unsure) if row["sure"] else (right, unsure + row["self"]["seconds"])
                else:
                    wrong += row["self"]["seconds"]
            # A caller's line is the call's, where the runtime says it, and else not known.
            outer = rows[row["parent"]]
            if runtime == "net10.0" and outer.get("inlined"):
                self.assertNotIn("lines", outer)
        total = right + unsure + wrong
        print(f"{runtime:16} lines of inlined code: right {right / total:.1%}, one of several {unsure / total:.1%}, elsewhere {wrong / total:.1%}", flush=True)
        self.assertGreater(total, 1)
        self.assertLessEqual(wrong / total, 0.05)
        if runtime != "net10.0":
            [chain] = [line for line in PROGRAM.read_text().splitlines() if "double x = Middle(n);" in line]
            number = PROGRAM.read_text().splitlines().index(chain) + 1
            outers = [row for row in rows if not row["hidden"] and short(row["name"]) == "Outer" and row.get("inlined")]
            self.assertTrue(outers)
            self.assertTrue(all((row.get("lines"), row.get("sure")) == ([number], True) for row in outers if not row["self"]["samples"]), outers)

    def test_pprof_has_inlined_functions_in_one_location(self) -> None:
        recording = self.run_program(RUNTIMES[0], "0.05")
        out = self.folder / "out.pb.gz"
        self.assertEqual(walkabout("convert", recording.path, out).returncode, 0)
        message = gzip.decompress(out.read_bytes())
        self.assertIn(b"Inlined.Program.Spin(int, double)", message)
        self.assertNotIn(INLINED.encode(), message)

    # What the user has set stays, and is said.
    def test_the_users_own_setting_stays(self) -> None:
        recording = self.run_program(RUNTIMES[0], "0.02", OPTIMIZED | {"DOTNET_RichDebugInfo": "0"})
        self.assertFalse([row for row in recording.report("--top", "1000")["top_total"] if row.get("inlined") and row["kind"] == "managed"])
        self.assertTrue(any("DOTNET_RichDebugInfo=1" in message for message in recording.stats()["messages"]), recording.stats()["messages"])

    def test_without_lines_nothing_is_set_or_recorded(self) -> None:
        recording = self.record(app("inlined", *RUNTIMES[0]) + ["0.02"], "-i", "1ms", env=OPTIMIZED)
        self.assertFalse([row for row in recording.report("--top", "1000")["top_total"] if row.get("inlined")])

    def test_tiers_are_said(self) -> None:
        recording = self.run_program(RUNTIMES[0], "0.05")
        tiers = {short(row["name"]): row.get("tier") for row in recording.report("--top", "1000")["top_total"] if row["kind"] == "managed"}
        self.assertEqual(tiers["Once"], "optimized")
        self.assertEqual(tiers["Spin"], "optimized")


if __name__ == "__main__":
    main()
