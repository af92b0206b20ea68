"""Runs the program `step` under the stepping agent and adds up what it found.

Every instruction between the program's begin and end is walked at, twice; a walk is held to the chain of calls that were
executed (tests/step). The figures: instructions by the kind of code they are in, and how many had a wrong walk.
"""
import collections
import json
import pathlib

import harness

LONG = 800  # seconds: millions of signals, on a busy machine
LIBRARY = harness.BUILD / "apps" / "native-library"
AGENT = harness.BUILD / "bin" / "libwalkabout_step.so"
CLSID = "{8B2F5D0C-3E6A-4C1B-9D57-6A1F0E2C7B94}"  # wire/agent_id.h
JITTED = ["tier0", "tier0_instrumented", "tier1", "tier1_instrumented", "osr", "optimized", "min_opts", "unknown_tier"]
# Loops are replaced (OSR) after fewer rounds, so that more of them are stepped through afterwards.
SOONER = {"DOTNET_TC_OnStackReplacement_InitialCounter": "50"}
# What makes the runtime compile in another way. Each reaches code the others do not.
MODES = {
    "as shipped": {},
    "no ready-to-run code": {"DOTNET_ReadyToRun": "0", "DOTNET_TieredPGO": "1"},
    "ready-to-run code only once": {"DOTNET_TieredCompilation": "0"},
    "no PGO": {"DOTNET_TieredPGO": "0", "DOTNET_TC_QuickJitForLoops": "0"},
    "no write xor execute": {"DOTNET_EnableWriteXorExecute": "0", "DOTNET_ReadyToRun_DisableR2RCoreLib": "1"},
    "no vector registers": {"DOTNET_EnableHWIntrinsic": "0"},
}


def step(program: list[str], folder: pathlib.Path, rounds: int, budget: int, mode: dict[str, str], case: str = ""):
    """One run, of all cases or of one. (sections, examples of wrong walks)"""
    report = folder / "steps.json"
    report.unlink(missing_ok=True)
    environment = harness.clean_environment(
        CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER=CLSID, CORECLR_PROFILER_PATH=str(AGENT),
        WALKABOUT_STREAM=str(folder / "stream"), WALKABOUT_INTERVAL="1s", WALKABOUT_STEP_REPORT=str(report), LD_LIBRARY_PATH=str(LIBRARY), **SOONER,
        **mode)
    command = [*program, str(rounds), str(budget), case]
    plain = harness.execute(*program, str(rounds), "0", case, env=harness.clean_environment(LD_LIBRARY_PATH=str(LIBRARY), **SOONER, **mode))
    done = harness.finish(harness.start(command, env=environment, cwd=folder), LONG)
    if done.returncode != 0 or done.stdout != plain.stdout:
        raise AssertionError(f"{mode}: stepping changed what the program does\nplain: {plain}\nstepped: {done}")
    lines = [json.loads(line) for line in report.read_text().splitlines()]
    return [line for line in lines if "section" in line], [line for line in lines if "example" in line]


def total(sections: list[dict]) -> collections.Counter:
    figures = collections.Counter()
    for section in sections:
        figures.update({name: value for name, value in section.items() if isinstance(value, int) and name != "deepest"})
    figures["jitted"] = sum(figures[tier] for tier in JITTED)
    return figures


def line(figures: collections.Counter) -> str:
    tiers = ", ".join(f"{tier} {figures[tier]}" for tier in JITTED if figures[tier])
    return (f"instructions {figures['steps']} wrong {figures['wrong']}: native {figures['native']}, ready-to-run "
            f"{figures['ready_to_run']}, stub {figures['stub']}, jitted {figures['jitted']} ({tiers}), C++ unwinder landing "
            f"{figures['unwinding']}; faults {figures['faults']}, return addresses replaced {figures['hijacked']}, longjmp "
            f"{figures['long_jumps']}")


def every_mode(folder: pathlib.Path, rounds: int, budget: int, program: list[str] | None = None) -> collections.Counter:
    """Prints a line a mode. Raises at the first wrong walk."""
    sums = collections.Counter()
    for name, mode in MODES.items():
        sections, examples = step(program or harness.app("step"), folder, rounds, budget, mode)
        figures = total(sections)
        print(f"step: {name}: {line(figures)}", flush=True)
        if figures["wrong"]:
            raise SystemExit(json.dumps(examples, indent=1))
        sums.update(figures)
    return sums
