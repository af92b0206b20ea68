#!/usr/bin/env python3
"""Writes the table of docs/overhead.md from the figures the benchmarks left in bench/results.

Fails, and leaves the page as it is, when a figure is missing: it says which benchmark to run. A figure that misses its
target is marked in the table.
"""
import dataclasses
import pathlib
import sys
from collections.abc import Callable

from figures import Figures, write_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "overhead.md"
PROGRAMS = ["demo", "compiler", "kestrel"]
NAMES = {"demo": "demo", "qsort": "qsort program", "compiler": "C# compiler", "kestrel": "Kestrel"}


@dataclasses.dataclass
class Row:
    what: str
    target: str
    bench: str
    measured: Callable[[Figures], str]
    met: Callable[[Figures], bool] = lambda f: True


def per_program(f: Figures, prefix: str, programs: list[str], digits: int) -> str:
    return ", ".join(f"{NAMES[p]} {f[prefix + p]:.{digits}f}%" for p in programs)


def oracle(f: Figures) -> str:
    return "; ".join(f"{NAMES[p]} {f['oracle_equal_' + p]:.2f}% of {f['oracle_frames_' + p]:,.0f} frames "
                     f"({f['oracle_samples_equal_' + p]:.1f}% of {f['oracle_compared_' + p]:,.0f} samples in every frame and address)"
                     for p in PROGRAMS)


def oracle_rest(f: Figures) -> str:
    def rest(program: str) -> str:
        rules = f.starting(f"oracle_explained_{program}_")
        kinds = [f"{rule.replace('_', ' ')} {count:.0f}" for rule, count in sorted(rules.items())]
        return f"{NAMES[program]}: " + ", ".join([*kinds, f"unexplained {f['oracle_unexplained_' + program]:.0f}"])
    return "; ".join(rest(p) for p in PROGRAMS)


def handler_cost(f: Figures, group: str) -> str:
    return (f"{f['handler_ours_over_clr_' + group]:.3f} ({f['handler_cycles_our_' + group]:,.0f} over "
            f"{f['handler_cycles_clr_' + group]:,.0f} cycles, each where it came first, {f['handler_samples_' + group]:,.0f} samples; "
            f"over the CLR's behind ours, on the same samples: {f['handler_ours_over_clr_second_' + group]:.3f})")


def ticks(f: Figures) -> str:
    def one(variant: str) -> str:
        name = f"ticks_ratio_{variant}"
        return f"{f[name]:.4f} (quartiles {f[name + '_quartile1']:.3f}, {f[name + '_quartile3']:.3f})"
    return f"{one('walkabout')}; at 99 Hz {one('walkabout_99hz')}; perf {one('perf')}, with DWARF {one('perf_dwarf')}; without any {one('nothing')}"


def share(f: Figures, rate: str) -> str:
    name = f"agent_cpu_share_{rate}"
    return f"{f[name]:.3f}% ({f[name + '_lowest']:.3f} … {f[name + '_highest']:.3f})"


def storm(f: Figures, name: str, event: str) -> str:
    return (f"{f[f'events_{name}_{event}']:.2f} (the runtime's own part of the event {f[f'events_{name}_own']:.2f}, beyond that "
            f"{f[f'events_{name}_beyond']:.2f}; {f[f'events_{name}_per_second']:,.0f} a second alone)")


def service(f: Figures, bench: str) -> str:
    def of(name: str, tool: str) -> str:
        figure = f"{bench}_{name}_{tool}"
        return f"{f[figure]:.3f} ({f[figure + '_low']:.3f} … {f[figure + '_high']:.3f})" if figure + "_low" in f else f"{f[figure]:.3f}"

    def one(tool: str) -> str:
        return f"{of('throughput', tool)}; {of('p99', tool)}"
    return (f"{one('walkabout')}. Ticks, wall time and the runtime's own part of the events {one('deaf')}. Two windows without a profiler "
            f"{one('alone_again')}. dotnet-trace with the same kinds {one('dotnet_trace')}")


def service_bar(f: Figures, bench: str) -> bool:
    return f[f"{bench}_throughput_walkabout"] >= 0.99 and f[f"{bench}_p99_walkabout"] <= 1.03


def lowest_other(f: Figures) -> float:
    return min(f[f"overhead_ratio_{other}"] for other in ["dotnet_trace", "perf", "perf_map"])


def all_at_least(prefix: str, programs: list[str], least: float) -> Callable[[Figures], bool]:
    return lambda f: all(f[prefix + p] >= least for p in programs)


WEIGHED = ["agent_weights_over_cpu_99hz", "agent_weights_over_cpu_1khz", "weights_over_cpu_qsort",
           "weights_over_cpu_compiler", "weights_over_cpu_kestrel"]

ROWS = [
    Row("Rooted samples at 1 kHz", "≥ 99.9%", "rooted", lambda f: per_program(f, "rooted_", list(NAMES), 3),
        all_at_least("rooted_", list(NAMES), 99.9)),
    Row("Whole stacks among samples in a managed callback called by libc's `qsort`", "≥ 99.9%", "rooted",
        lambda f: f"{f['callback_whole_qsort']:.3f}%", lambda f: f["callback_whole_qsort"] >= 99.9),
    Row("Managed frames equal to the CLR's walk, where it answers", "≥ 99%", "oracle_equal", oracle,
        all_at_least("oracle_equal_", PROGRAMS, 99)),
    Row("The differences, by kind", "listed", "oracle_equal", oracle_rest),
    Row("Walk in the handler, p50, over the CLR's DoStackSnapshot, 40 frames, 99 Hz", "≤ 0.167", "handler_cost",
        lambda f: handler_cost(f, "mixed_40_frames"), lambda f: f["handler_ours_over_clr_mixed_40_frames"] <= 1 / 6),
    Row("The same, stacks of any depth", "", "handler_cost",
        lambda f: f"{handler_cost(f, 'mixed_all')}; demo {handler_cost(f, 'demo_all')}"),
    Row("Walk, warm, per frame", "≤ 50 ns", "walk",
        lambda f: f"{f['warm_per_frame_walk_memo']:.1f} ns; without memo {f['warm_per_frame_walk_no_memo']:.1f} ns; "
                  f"libunwind {f['warm_per_frame_libunwind_backtrace']:.1f} ns",
        lambda f: f["warm_per_frame_walk_memo"] <= 50),
    Row("agent_cpu_seconds / process_cpu_seconds at 99 Hz", "≤ 0.2%", "agent_cost",
        lambda f: share(f, "99hz"), lambda f: f["agent_cpu_share_99hz"] <= 0.2),
    Row("The same at 1 kHz", "≤ 1.5%", "agent_cost",
        lambda f: share(f, "1khz"), lambda f: f["agent_cpu_share_1khz"] <= 1.5),
    Row("CPU time of the target with / without, 1 kHz", "≤ 1.02, and lower than perf's and dotnet-trace's", "overhead",
        lambda f: f"{f['overhead_ratio_walkabout']:.3f}; dotnet-trace {f['overhead_ratio_dotnet_trace']:.3f}, "
                  f"perf {f['overhead_ratio_perf']:.3f}, perf with its map {f['overhead_ratio_perf_map']:.3f}",
        lambda f: f["overhead_ratio_walkabout"] <= 1.02 and f["overhead_ratio_walkabout"] < lowest_other(f)),
    Row("The same of ticks alone: windows with and without them in one process", "≤ 1.02", "ticks", ticks,
        lambda f: f["ticks_ratio_walkabout"] <= 1.02),
    Row("Added to the run time of hello world", "≤ 40 ms", "hello",
        lambda f: f"{f['hello_added_with_agent']:.1f} ms (on {f['hello_wall_alone']:.1f} ms)",
        lambda f: f["hello_added_with_agent"] <= 40),
    Row("Wall clock: 1,000 threads, 990 of them blocked, 50 ms: of one core", "≤ 0.5%", "wall",
        lambda f: f"{f['wall_added_share']:.2f}%; {f['wall_blocked_whole']:.2f}% of the blocked threads' stacks whole",
        lambda f: f["wall_added_share"] <= 0.5 and f["wall_blocked_whole"] >= 99.9),
    Row("The same: sum of a thread's weights / its life", "0.99 … 1.01", "wall",
        lambda f: f"{f['wall_least_of_a_life']:.4f} … {f['wall_most_of_a_life']:.4f}",
        lambda f: 0.99 <= f["wall_least_of_a_life"] and f["wall_most_of_a_life"] <= 1.01),
    Row("Work of a program that allocates all it can, without the event / with it", "≤ 1.02", "events",
        lambda f: storm(f, "allocate", "alloc"), lambda f: f["events_allocate_alloc"] <= 1.02),
    Row("The same of one that throws all it can, 10 frames deep", "≤ 1.05 beyond the runtime's own part of the event", "events",
        lambda f: storm(f, "storm", "exceptions"), lambda f: f["events_storm_beyond"] <= 1.05),
    Row("The same of locks, uncontended and contended", "1.00, ≤ 1.05", "events",
        lambda f: f"{storm(f, 'uncontended', 'locks')}; {storm(f, 'contended', 'locks')}",
        lambda f: f["events_contended_locks"] <= 1.05),
    Row("Live objects of a program that keeps a tenth: bytes kept, over what it knows", "0.9 … 1.1", "live",
        lambda f: f"{f['live_bytes_least']:.3f} … {f['live_bytes_most']:.3f}; {f['live_rss_added']:.1f} MiB of memory",
        lambda f: 0.9 <= f["live_bytes_least"] and f["live_bytes_most"] <= 1.1 and f["live_rss_added"] <= 16),
    Row("The default set of events on a web service at a third of its load, a constant rate: requests answered with / without; 99th percentile of latency with / without",
        "≥ 0.99; ≤ 1.03", "service_constant", lambda f: service(f, "service_constant"), lambda f: service_bar(f, "service_constant")),
    Row("The same under full load, each client asking again at once", "≥ 0.99; ≤ 1.03", "service", lambda f: service(f, "service"),
        lambda f: service_bar(f, "service")),
    Row("Who was waited for when all threads were stopped, five ways: of the time, with the right thread; with the right stack", "100%, ≥ 95%", "culprits",
        lambda f: f"{f['late_right_thread']:.1f}%; {f['late_right_stack']:.1f}% of {f['late_waited'] / 1000:.1f} s",
        lambda f: f["late_right_thread"] >= 99.95 and f["late_right_stack"] >= 95),
    Row("Owners of locks, 20 programs that know: waits whose owner has its stack; of these with a wrong one", "100%, 0", "culprits",
        lambda f: f"{f['owners_found']:.1f}% of {f['owners_waits']:.0f}; {f['owners_wrong']:.1f}%",
        lambda f: f["owners_found"] >= 99.95 and f["owners_wrong"] <= 0.05),
    Row("CPU time that the start and end of a thread cost more", "", "births",
        lambda f: f"{f['births_added']:.0f} us (alone {f['births_alone']:.0f} us)"),
    Row("What the clock adds to a switch of a thread: a perf event; the CPU timer of threads that are switched often", "", "switches",
        lambda f: f"{f['switch_perf_event_more'] / 1000:.2f} us; {f['switch_timer_more'] / 1000:.2f} us (a switch alone {f['switch_none'] / 1000:.1f} us)"),
    Row("The agent's memory in the target", "≤ 16 MiB", "agent_cost", lambda f: f"{f['agent_rss_added']:.1f} MiB",
        lambda f: f["agent_rss_added"] <= 16),
    Row("Recording, steady state", "≤ 16 bytes a sample", "agent_cost",
        lambda f: f"{f['agent_recording_bytes_per_sample_1khz']:.1f} at 1 kHz, "
                  f"{f['agent_recording_bytes_per_sample_99hz']:.1f} at 99 Hz",
        lambda f: max(f[f"agent_recording_bytes_per_sample_{rate}"] for rate in ["1khz", "99hz"]) <= 16),
    Row("Report over 10 million samples, 100,000 distinct stacks", "≤ 3 s, ≤ 1 GiB", "report",
        lambda f: f"{f['report_wall_seconds']:.2f} s, {f['report_rss_mib']:.0f} MiB",
        lambda f: f["report_wall_seconds"] <= 3 and f["report_rss_mib"] <= 1024),
    Row("Sum of weights / CPU time of the process", "0.99 … 1.01", "agent_cost, rooted",
        lambda f: f"{min(f[w] for w in WEIGHED):.4f} … {max(f[w] for w in WEIGHED):.4f} over "
                  "the demo at both rates, the qsort program, the C# compiler and Kestrel",
        lambda f: all(0.99 <= f[w] <= 1.01 for w in WEIGHED)),
]


def table(f: Figures) -> str:
    benches = [bench for row in ROWS for bench in row.bench.split(", ")]
    marks = f.marks(benches)
    lines = [f.measured(benches), "| figure | target | measured | how |", "|---|---|---|---|"]
    for row in ROWS:
        mark = "".join(sorted({marks[f.machines[bench]] for bench in row.bench.split(", ")}))
        measured = f"{row.measured(f)} {mark}".strip()
        missed = "" if row.met(f) else " **(target missed)**"
        lines.append(f"| {row.what} | {row.target} | {measured}{missed} | `./dev bench {row.bench.replace(',', '')}` |")
        if missed:
            print(f"target missed: {row.what}: {measured}", file=sys.stderr)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(write_page(PAGE, table))
