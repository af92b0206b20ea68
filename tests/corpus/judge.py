"""One program, profiled, against the same program unprofiled."""
import collections
import dataclasses
import difflib
import functools
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess

import harness
import programs

EVERY_KIND = "cpu,wall=1ms,alloc,exceptions,locks,waits,gc,jit,loads,threads,live"
# Verbs that rewrite methods, told to take all there are, and to print JSON behind what the program prints to standard error.
PROBED = dict.fromkeys(("count", "trace"), ("-m", "*", "--yes", "--top", "1", "--json"))
LIBRARY = harness.BUILD / "apps" / "native-library"


@dataclasses.dataclass(frozen=True)
class Case:
    program: programs.Program
    tfm: str = "net10.0"
    mode: str = "framework"
    setting: str = "default"
    interval: str = "100us"
    oracle: bool = True
    events: bool = False  # every kind, at its highest rate, beside the CPU time
    probed: str = ""  # the verb; nothing is sampled then

    def __str__(self) -> str:
        build = "" if (self.tfm, self.mode) == ("net10.0", "framework") else f"{self.tfm}-{self.mode} "
        if self.probed:
            return f"{self.program.name:18} {build}{self.setting} {self.probed}"
        return (f"{self.program.name:18} {build}{self.setting} {self.interval} {'oracle' if self.oracle else 'alone'}"
                f"{' events' if self.events else ''}")


@dataclasses.dataclass
class Outcome:
    """How a program ended."""
    returncode: int
    stdout: str
    stderr: str
    hung: pathlib.Path | None = None  # where the stacks of its threads are written


@dataclasses.dataclass
class Verdict:
    case: Case
    counts: collections.Counter
    faults: list[str]  # empty: nothing is wrong
    details: str = ""

    def line(self) -> str:
        c = self.counts
        if self.case.probed:
            return f"{str(self.case):58} methods {c['probed']:6} left alone {c['left_alone']:3}  {' '.join(self.faults) or 'ok'}"
        return (f"{str(self.case):58} samples {c['samples']:7} unrooted {c['unrooted']:3} dropped {c['dropped']:6} "
                f"compared {c['compared']:7} equal {c['equal']:7} explained {c['explained']:6} "
                f"unexplained {c['unexplained']:3}  {' '.join(self.faults) or 'ok'}")


def environment(case: Case) -> dict[str, str]:
    return harness.clean_environment(LD_LIBRARY_PATH=str(LIBRARY), **programs.SETTINGS[case.setting],
                                     **dict(case.program.settings))


@functools.cache
def product(app: str, tfm: str, mode: str) -> tuple[str, ...]:
    return tuple(harness.app(app, tfm, mode))


def command(case: Case, seconds: float) -> list[str]:
    app, *arguments = case.program.command
    return [*product(app, case.tfm, case.mode), *(str(seconds) if a == "SECONDS" else a for a in arguments)]


def threads_of_group(group: int, report: pathlib.Path) -> None:
    """Where every thread of a hanging process group is: through gdb where there is one, else what /proc says."""
    with report.open("w") as out:
        for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
            try:
                if int(status.read_text().rpartition(")")[2].split()[2]) != group:
                    continue
            except OSError:
                continue  # it has ended meanwhile
            process = status.parent
            for task in sorted((process / "task").iterdir()):
                facts = {name: (task / name).read_text().strip() for name in ("comm", "wchan", "syscall")
                         if os.access(task / name, os.R_OK)}
                print(process.name, task.name, facts, file=out, flush=True)
            if shutil.which("gdb"):
                subprocess.run(["gdb", "-p", process.name, "-batch", "-ex", "thread apply all bt 60"], stdout=out,
                               stderr=subprocess.DEVNULL, timeout=120, check=False)


def execute(arguments: list, env: dict[str, str], report: pathlib.Path, timeout: int) -> Outcome:
    process = harness.start(arguments, env=env)
    try:
        out, err = process.communicate(timeout=timeout)
        hung = None
    except subprocess.TimeoutExpired:
        threads_of_group(process.pid, report)
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        hung = report
    # As `walkabout run` passes it on.
    code = process.returncode if process.returncode >= 0 else 128 - process.returncode
    return Outcome(code, out, err, hung)


def comparable(program: programs.Program, text: str) -> str:
    """What can be compared of an output: numbers masked, and the room they take up, where they vary."""
    return re.sub(r" *\d+([.,]\d+)?", " #", text) if program.numbers_vary or program.dies else text


def difference(name: str, expected: str, done: str) -> str:
    lines = difflib.unified_diff(expected.splitlines(), done.splitlines(), f"{name} alone", f"{name} profiled", lineterm="", n=1)
    return "".join(f"\n  {line[:200]}" for line in itertools.islice(lines, 40))


def runs_of(frames: list[str]) -> list[str]:
    """Equal neighbours (recursion) and native code between managed frames put in one line."""
    lines = []
    for native, group in itertools.groupby(frames, lambda frame: frame.startswith("[")):
        for frame, same in itertools.groupby(group):
            count = len(list(same))
            lines.append(f"{frame}  x{count}" if count > 1 else frame)
            if native:
                lines[-1] += f"  and {len(rest)} more" if (rest := list(group)) else ""
    return lines


def side_by_side(example: dict) -> str:
    ours, theirs = runs_of(example["ours"]), runs_of(example["clr"])
    text = f"\n  thread {example['tid']} sample {example['sample']}, ours:"
    for stack, name in ((ours, None), (theirs, "the CLR's:")):
        text += f"\n  {name}" if name else ""
        text += "".join(f"\n    {frame[:150]}" for frame in stack[:40])
    return text


class Judge:
    def __init__(self, folder: pathlib.Path, seconds: float) -> None:
        self.folder = folder
        self.seconds = seconds
        self.unprofiled: dict[Case, Outcome] = {}
        self.runs = 0

    def expected(self, case: Case) -> Outcome:
        """The unprofiled run, once for each build and setting."""
        plain = dataclasses.replace(case, interval="", oracle=False, events=False, probed="")
        if plain not in self.unprofiled:
            outcome = execute(command(case, self.seconds), environment(case), self.folder / "unprofiled-hang.txt",
                              case.program.timeout)
            if outcome.hung or (outcome.returncode != 0) != case.program.dies:
                raise SystemExit(f"{case}: already wrong without walkabout: {outcome}")
            self.unprofiled[plain] = outcome
        return self.unprofiled[plain]

    def judge(self, case: Case) -> Verdict:
        if case.probed:
            return self.judge_probed(case)
        expected = self.expected(case)
        self.runs += 1
        path = self.folder / f"{self.runs:04}-{case.program.name}-{case.tfm}-{case.mode}-{case.setting}.walk"
        interval = (case.oracle and case.program.oracle_interval) or case.interval
        options = ["--interval", interval, *case.program.options, *(["--oracle"] if case.oracle else []),
                   *(["--events", EVERY_KIND] if case.events else [])]
        cli = harness.BUILD / case.program.agent / "walkabout"
        done = execute([cli, "run", "-q", "-o", path, *options, "--", *command(case, self.seconds)],
                       environment(case), path.with_suffix(".hang.txt"), case.program.timeout)
        verdict = Verdict(case, collections.Counter(runs=1), [])
        self.compare_ends(expected, done, verdict)
        if path.exists() and not done.hung:
            self.read(path, verdict)
        elif not done.hung:
            verdict.faults.append("no-recording")
            verdict.details += done.stderr[-2000:]
        if verdict.faults:
            verdict.details += f"\n  kept: {path}"
        else:
            path.unlink()
        return verdict

    def judge_probed(self, case: Case) -> Verdict:
        expected = self.expected(case)
        self.runs += 1
        done = execute([harness.BUILD / "bin" / "walkabout", case.probed, *PROBED[case.probed], "--", *command(case, self.seconds)],
                       environment(case), self.folder / f"{self.runs:04}.hang.txt", case.program.timeout)
        verdict = Verdict(case, collections.Counter(runs=1), [])
        done.stderr, begin, rest = done.stderr.partition('{\n  "command_line": ')
        try:
            said = json.loads(begin + rest)
        except json.JSONDecodeError:
            said = {}
        if case.program.dies:  # the traces of its end have frames that are inlined else
            done.stderr = expected.stderr
        self.compare_ends(expected, done, verdict)
        if not said and not done.hung:
            verdict.faults.append("UNREPORTED")
            verdict.details += done.stderr[-2000:]
        elif said and (said["damage"] or not said["complete"]) and not case.program.dies:
            verdict.faults.append("DAMAGED")
        verdict.counts.update(probed=said.get("rewritten", 0), left_alone=said.get("refused", 0))
        return verdict

    def compare_ends(self, expected: Outcome, done: Outcome, verdict: Verdict) -> None:
        program = verdict.case.program
        same = (expected.returncode, comparable(program, expected.stdout), comparable(program, expected.stderr)) == \
               (done.returncode, comparable(program, done.stdout), comparable(program, done.stderr))
        if done.hung:
            verdict.faults.append("HANG")
            verdict.details += f"\n  its threads: {done.hung}"
        elif done.returncode > 128 and done.returncode != expected.returncode:
            verdict.faults.append(f"CRASH:{done.returncode - 128}")
        elif not same:
            verdict.faults.append("CHANGED")
        for fault, name in ((done.hung, "hangs"), ("CRASH" in str(verdict.faults), "crashes"),
                            ("CHANGED" in verdict.faults, "changed")):
            verdict.counts[name] += bool(fault)
        if not same:
            verdict.details += (f"\n  exit {done.returncode} instead of {expected.returncode}"
                                + "".join(difference(name, getattr(expected, name), getattr(done, name)) for name in ("stdout", "stderr")))

    def read(self, path: pathlib.Path, verdict: Verdict) -> None:
        case, counts = verdict.case, verdict.counts
        stats = harness.Recording(path, None).stats()
        counts.update(samples=stats["samples"], rooted=stats["rooted"], gaps=stats["walk_end"]["gap"],
                      unrooted=stats["samples"] - stats["rooted"] - stats["walk_end"]["gap"],
                      dropped=sum(stats["drops"].values()))
        if case.program.may_be_unrooted:
            counts["excused"] = counts["unrooted"]
        elif counts["unrooted"] > 0:
            ends = {name: count for name, count in stats["walk_end"].items() if count and name != "rooted"}
            verdict.faults.append("unrooted")
            verdict.details += f"\n  {counts['unrooted']} of {counts['samples']} unrooted: {ends} {stats['unknown_pc'][:5]}"
        if stats["attempts"] != stats["samples"] + counts["dropped"]:
            verdict.faults.append("UNACCOUNTED")
        if stats["drops"]["corrupt"] or (stats["damage"] and not case.program.dies):
            verdict.faults.append("DAMAGED")
            verdict.details += f"\n  {stats['drops']} {stats['damage']}"
        self.read_events(stats, verdict)
        expected = case.program.message
        reported = [message for message in stats["messages"] if expected and re.search(expected, message)]
        if expected and not reported:
            verdict.faults.append("UNREPORTED")
        verdict.details += "".join(f"\n  the agent says: {text}" for text in stats["messages"] if text not in reported)
        if case.oracle and stats["oracle"]:
            self.read_oracle(path, verdict)

    def read_events(self, stats: dict, verdict: Verdict) -> None:
        """Every event that came is a sample or counted as lost, and has its whole stack."""
        for name, event in stats["events"].items():
            if name == "cpu":
                continue
            dropped = sum(event["drops"].values())
            verdict.counts.update(events=event["samples"], events_rooted=event["rooted"], events_dropped=dropped)
            if event["attempts"] != event["samples"] + dropped:
                verdict.faults.append(f"UNACCOUNTED:{name}")
                verdict.details += f"\n  {name}: {event}"

    def read_oracle(self, path: pathlib.Path, verdict: Verdict) -> None:
        done = harness.walkabout("verify", path, "--json", "--examples", "3")
        if done.returncode not in (0, 3):
            verdict.faults.append("UNVERIFIED")
            verdict.details += f"\n  {done}"
            return
        found = json.loads(done.stdout)
        verdict.counts.update(compared=found["compared"], equal=found["equal"], unexplained=found["unexplained"],
                              explained=sum(found["explained"].values()), refused=sum(found["refused"].values()))
        verdict.counts.update({f"rule {rule}": count for rule, count in found["explained"].items()})
        verdict.counts.update({f"refused {hresult}": count for hresult, count in found["refused"].items()})
        if found["unexplained"]:
            verdict.faults.append("UNEXPLAINED")
            for example in found["examples"]:
                if example["verdict"] == "unexplained":
                    verdict.details += side_by_side(example)
