#!/usr/bin/env python3
"""Counts by caller against what the program knows of its own calls, on every runtime: started, attached, while its threads are stopped all the time."""
import collections
import json
import re

from counting import RUNTIMES, Counted, Counter, calls_of, report
from harness import EndToEnd, app, main, walkabout

# Callers that are not the program's: what all their names begin with.
FRAMEWORK = {
    "Called.Plain.Twice": r"\[multicast delegate stub\]$",
    "Called.Plain.Select": r"System\.Linq\.Enumerable\.Sum$|From\.Selected$",  # it may be inlined there
    "Called.Plain.Compared": r"System\.Collections\.Generic\.ArraySortHelper\.",
    "Called.Plain.Reflected": r"InvokeStub_Plain\.Reflected$|\[libcoreclr\.so\]|CallDescrWorkerInternal",  # made after some calls
    "Called.Plain.Tailed": r"From\.(Before)?Tail$",
}


def plain(name: str) -> str:
    """As the program says it: without parameters and type arguments, a constructor by its metadata's name."""
    name = re.sub(r"\(.*", "", name)
    name = re.sub(r"<[^<>]*>", "", name)
    last = name.rsplit(".", 2)
    return name + "" if len(last) < 2 or last[-1] != last[-2] else name.rsplit(".", 1)[0] + "..ctor"


def callers_of(said: dict) -> dict[str, dict[str, int]]:
    """By called method and caller; of all methods that were called."""
    sums: dict = collections.defaultdict(collections.Counter)
    for method in said["methods"]:
        for caller in method["callers"]:
            sums[method["match"]][plain(caller["name"])] += caller["calls"]
    return sums


class Callers(EndToEnd):
    def program(self, *how, **more) -> Counted:
        program = Counted(*how, name="callers", **more)
        self.addCleanup(program.kill)
        return program

    def assert_callers(self, known: dict, said: dict) -> None:
        self.assertTrue(said["complete"], said)
        self.assertEqual((said["refused"], said["messages"]), (0, []), said)
        counted, callers = calls_of(said), callers_of(said)
        for method in said["methods"]:
            self.assertEqual(method["not_told"], 0, method)
            self.assertEqual(sum(caller["calls"] for caller in method["callers"]), method["calls"], method)
            self.assertEqual([caller["calls"] for caller in method["callers"]], sorted((caller["calls"] for caller in method["callers"]), reverse=True))
        for called, by in known.items():
            self.assertEqual(counted.get(called), sum(by.values()), called)
            if called not in FRAMEWORK:
                self.assertEqual(dict(callers[called]), by, called)
                continue
            for caller in callers[called]:
                self.assertRegex(caller, FRAMEWORK[called], called)

    def test_a_commands_callers_are_known_from_the_first_call(self) -> None:
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                done = walkabout("count", "--by-caller", "-m", "Called.*", "--json", "--top", "1000", "--", *app("callers", *runtime), "8", "500")
                self.assertEqual(done.returncode, 0, done)
                self.assert_callers(json.loads(done.stdout), json.loads(done.stderr))

    def test_the_recording_has_them_and_of_a_killed_process_too(self) -> None:
        """What had not come out is not told; the counts are whole."""
        for ends in ("work", "kill"):
            with self.subTest(ends=ends):
                program, file = self.program(RUNTIMES[0], 4, 500), self.folder / f"{ends}.walk"
                counter = Counter(program.pid, "Called.*", options=("--by-caller", "-o", str(file)))
                known = program.work()
                if ends == "kill":
                    program.process.kill()
                done = counter.wait() if ends == "kill" else counter.end()
                self.assertEqual(done.returncode, 0, done)
                said = json.loads(done.stdout)
                self.assertEqual(report(file)["methods"], said["methods"])
                counted = calls_of(said)
                for method in said["methods"]:
                    self.assertEqual(sum(caller["calls"] for caller in method["callers"]) + method["not_told"], method["calls"], method)
                self.assertEqual({name: counted[name] for name in known}, {name: sum(by.values()) for name, by in known.items()})
                shown = walkabout("report", str(file))
                self.assertEqual(shown.returncode, 0, shown)
                if ends == "work":
                    self.assertRegex(shown.stdout, r"\n +4,000 +66\.6%    From\.Second\(int\)\n +2,000 +33\.3%    From\.First\(int\)\n")

    def count_once(self, program: Counted, how: str = "go", *options: str) -> tuple[dict, dict]:
        counter = Counter(program.pid, "Called.*", options=("--by-caller", *options))
        self.assertIn("counting the calls of", counter.said)
        known = program.work(how)
        done = counter.end()
        self.assertEqual(done.returncode, 0, done)
        return known, json.loads(done.stdout)

    def test_a_process_is_counted_by_caller_again_and_again(self) -> None:
        """Callers were compiled before, some of them optimized, and with the methods inlined."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime, 8, 2000)
                for _ in range(2):
                    program.work()
                for _ in range(2):
                    self.assert_callers(*self.count_once(program))
                self.assertIn("Called.Plain.Static", program.work())
                self.assertEqual(program.end().returncode, 0)

    def test_no_caller_is_wrong_while_threads_are_stopped_all_the_time(self) -> None:
        """The runtime hides return addresses to stop threads."""
        for runtime in RUNTIMES:
            with self.subTest(runtime=runtime):
                program = self.program(runtime, 4, 4000)
                program.work()
                self.assert_callers(*self.count_once(program, "storm"))
                self.assertEqual(program.end().returncode, 0)


if __name__ == "__main__":
    main()
