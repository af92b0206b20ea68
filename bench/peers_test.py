#!/usr/bin/env python3
"""What bench/peers.py makes of the profilers' texts, on small samples of each as they write it."""
import json
import pathlib
import tempfile
import unittest

import write_peers
from figures import Figures
from peers_stacks import of_dotnet_trace, of_perf, of_walkabout, share

PERF = """\
  200/201
\tffffffff821f2fa7 exc_page_fault ([kernel.kallsyms])
\t            90c0 msort_with_tmp.part.0 (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t          138d34 [unknown] (/memfd:doublemapper (deleted))
\t    7f0012345678 int32 [Demo] Demo.Sort::Compare(int32,int32)[Tier1] (/tmp/perf-200.map)
\t          229756 [unknown] (/usr/share/dotnet/System.Private.CoreLib.dll)
\t          63bf51 [unknown] (/usr/share/dotnet/libcoreclr.so)
\t           891f5 start_thread (/usr/lib/x86_64-linux-gnu/libc.so.6)

  200/202
\t            1234 operator new(unsigned long) (/usr/lib/x86_64-linux-gnu/libstdc++.so.6)
\t656e746f642f6572 [unknown] ([unknown])

  200/200
\tffffffff821f2fa7 do_exit ([kernel.kallsyms])

  199/199
\t            1234 main (/usr/bin/python3)
"""


class PerfTest(unittest.TestCase):
    def test_stacks_of_the_target(self) -> None:
        worth = of_perf(PERF.splitlines(keepends=True), 200)
        self.assertEqual(worth.stacks, 2, "not the wrapper's, not those of the kernel alone")
        self.assertEqual(worth.rooted, 1)
        self.assertEqual((worth.native, worth.native_named), (5, 3))
        self.assertEqual((worth.managed, worth.managed_named), (3, 1))

    def test_a_file_without_stacks(self) -> None:
        worth = of_perf([], 200)
        self.assertIsNone(share(worth.rooted, worth.stacks))

    def test_text_that_is_not_perfs(self) -> None:
        with self.assertRaises(ValueError):
            of_perf(["  200/200\n", "\tsomething else\n"], 200)


def speedscope(names: list, profiles: list) -> str:
    frames = [name if isinstance(name, dict) else {"name": name} for name in names]
    return json.dumps({"shared": {"frames": frames}, "profiles": profiles})


class WalkaboutTest(unittest.TestCase):
    def test_weighed_stacks(self) -> None:
        names = [{"name": "clone3", "file": "libc.so.6"}, {"name": "start_thread", "file": "libc.so.6"},
                 {"name": "GetCLRRuntimeHost+0x2d1bf0", "file": "libcoreclr.so"}, {"name": "Demo.Run()", "file": "Demo.dll"},
                 {"name": "Call() [dynamic]"}, {"name": "[stub 0x7f3ffc2c6944]"}]
        worth = of_walkabout(speedscope(names, [{"samples": [[0, 1, 2, 3, 4], [5, 3]], "weights": [30, 10]}]))
        self.assertEqual((worth.stacks, worth.rooted), (40, 30))
        self.assertEqual((worth.native, worth.native_named), (100, 60))
        self.assertEqual((worth.managed, worth.managed_named), (70, 70))


class DotnetTraceTest(unittest.TestCase):
    NAMES = ["Process64 dotnet (1)", "Threads", "Thread (1)", "System.Private.CoreLib!System.Threading.Thread.StartCallback()",
             "Demo!Demo.Sort()", "CPU_TIME"]

    def worth(self, events: list):
        return of_dotnet_trace(speedscope(self.NAMES, [
            {"events": [{"type": kind, "frame": frame, "at": at} for kind, frame, at in events]}]))

    def test_what_is_open_was_on_the_stack(self) -> None:
        whole = [("O", frame, 0) for frame in range(6)] + [("C", frame, 10) for frame in (5, 4, 3)]
        cut = [("O", 4, 12), ("O", 5, 12), ("C", 5, 15), ("C", 4, 15)]
        worth = self.worth(whole + cut)
        self.assertEqual((worth.stacks, worth.rooted), (13, 10), "between the two nothing was running")
        self.assertEqual((worth.native, worth.managed, worth.managed_named), (0, 23, 23))

    def test_rounding_between_samples_is_no_stack(self) -> None:
        events = [("O", frame, 0) for frame in range(6)] + [("C", 5, 10), ("O", 5, 10.001), ("C", 5, 20)]
        self.assertAlmostEqual(self.worth(events).stacks, 19.999)


MACHINE = {"date": "2026-01-01", "cpus": "2", "model": "A CPU", "kernel": "6.1", "dotnet": "10"}


def figures(size: float) -> dict[str, tuple[float, str]]:
    """As bench/all.sh keeps them; walkabout's recordings are so large."""
    kept = {"peers_rounds": (3, "rounds")}
    for program in write_peers.PROGRAMS:
        kept |= {f"peers_{program}_{alone}_cpu": (7, "s") for alone in ("alone", "alone_for_perf")}
        for tool in write_peers.TOOLS:
            ours = tool.startswith("walkabout")
            values = {"overhead": 1.01, "overhead_quartile1": 1, "overhead_quartile3": 1.02, "rss_added": 5, "tool_cpu": 0.1,
                      "reading_cpu": 0.2, "tool_rss": 10, "size": size if ours else 1, "rooted": 100,
                      "managed_named": 100}
            if tool != "dotnet_trace":
                values["native_named"] = 50
            kept |= {f"peers_{program}_{tool}_{name}": (value, "unit") for name, value in values.items()}
    return kept


class PageTest(unittest.TestCase):
    def page(self, values: dict) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "peers.json"
            path.write_text(json.dumps({"machine": MACHINE, "figures": values}))
            return write_peers.table(Figures(pathlib.Path(folder)))

    def test_names_who_is_lower(self) -> None:
        self.assertIn("0.50 : 1.00, lower", self.page(figures(0.5)))
        self.assertIn("**2.00 : 1.00, not lower**", self.page(figures(2)))
        self.assertIn("not told apart", self.page(figures(2)))
        self.assertIn(write_peers.ABSENT, self.page(figures(2)))

    def test_a_missing_figure_is_named(self) -> None:
        values = {name: value for name, value in figures(1).items() if "compiler_perf_99hz_size" not in name}
        with self.assertRaisesRegex(KeyError, "peers_compiler_perf_99hz_size"):
            self.page(values)


if __name__ == "__main__":
    unittest.main()
