"""The corpus: which programs, in which builds, under which settings of the runtime.

Every program works for a settable short time, checks itself and prints what depends on nothing but the program, so
that a profiled run can be compared with an unprofiled one. Only a profiler can ask for ReJIT: that program has an agent
of its own (tests/rejit), and does the same without it.
"""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Program:
    name: str
    command: tuple[str, ...]  # the folder in tests/apps, then arguments; SECONDS is replaced
    numbers_vary: bool = False  # what it prints holds counts and times
    dies: bool = False  # of a signal, as it does without a profiler; what it had not sent may be lost
    may_be_unrooted: bool = False
    settings: tuple[tuple[str, str], ...] = ()  # its own
    options: tuple[str, ...] = ()  # of walkabout run
    quick: bool = True
    oracle_interval: str = ""  # with the oracle instead of a shorter one: walks must cost less than what is between them
    timeout: int = 60  # seconds after which it counts as hanging
    agent: str = "bin"  # the folder of the build with the walkabout and the agent to run it with
    message: str = ""  # what that agent must report in the recording: a regular expression


def situations(app: str, *names: str) -> list[Program]:
    return [Program(name, (app, name, "SECONDS")) for name in names]


PROGRAMS = [
    # Two walks of 50,000 frames at every tick: most of its time is the oracle's.
    Program("deep-50000", ("deep", "50000", "SECONDS"), numbers_vary=True, options=("--depth", "65536"), quick=False,
            timeout=300, oracle_interval="100ms"),
    Program("deep-3000", ("deep", "3000", "SECONDS"), numbers_vary=True, options=("--depth", "65536"),
            oracle_interval="20ms"),
    Program("deep-300", ("deep", "300", "SECONDS"), numbers_vary=True),
    Program("osr", ("osr", "100")),
    Program("qsort", ("qsort", "SECONDS"), numbers_vary=True),
    Program("generics", ("generics", "1")),
    Program("demo", ("demo", "SECONDS"), numbers_vary=True),
    Program("alloc", ("alloc", "SECONDS", "3"), numbers_vary=True),
    # A generation 0 of 64 KB: a collection every few microseconds, at nearly every allocation's safe point.
    Program("alloc-storm", ("alloc", "SECONDS", "3"), numbers_vary=True, settings=(("DOTNET_GCgen0size", "0x10000"),)),
    Program("hijack", ("hijack", "SECONDS")),
    Program("shortthreads", ("shortthreads", "1000", "0"), numbers_vary=True),
    Program("shortthreads-10000", ("shortthreads", "10000", "0"), numbers_vary=True, quick=False),
    *situations("native", "nest", "nestdelegate", "cppexceptions", "longjmp", "malloc", "dlopen", "loaderlock", "signals",
                "nativethreads"),
    *situations("exceptions", "rethrow", "filter", "finally", "inflight", "hardware", "throughruntime", "runtimethrows"),
    Program("throughnative", ("exceptions", "throughnative", "SECONDS"), dies=True),
    Program("stackoverflow", ("exceptions", "stackoverflow", "SECONDS"), dies=True, may_be_unrooted=True),
    *situations("emit", "dynamicmethod", "assembly", "expression", "collectible", "tiering"),
    Program("rejit", ("emit", "rejit", "SECONDS"), agent="rejit", message="methods compiled again: [1-9].*, errors: 0$"),
    *situations("tasks", "tasks", "valuetasks", "streams", "timers", "poolgrowth", "parallel"),
    *situations("io", "read", "poll", "sleep", "connect", "sockets", "asyncsockets", "processes"),
]

SETTINGS: dict[str, dict[str, str]] = {
    "default": {},
    "server-gc": {"DOTNET_gcServer": "1"},
    "no-concurrent-gc": {"DOTNET_gcConcurrent": "0"},
    "no-pgo": {"DOTNET_TieredPGO": "0"},
    "no-ready-to-run": {"DOTNET_ReadyToRun": "0"},
    "no-tiering": {"DOTNET_TieredCompilation": "0"},
    "quick-jit-for-none": {"DOTNET_TC_QuickJitForLoops": "0"},
    "no-w^x": {"DOTNET_EnableWriteXorExecute": "0"},
    "aggressive-tiering": {"DOTNET_TieredCompilation_BackgroundWorkerTimeoutMs": "0", "DOTNET_TC_CallCountThreshold": "2",
                           "DOTNET_TC_BackEdgeThreshold": "2", "DOTNET_TC_CallCountingDelayMs": "0"},
}

# Builds besides net10.0 on the installed runtime: (framework, mode), with the apps worth the minutes of building them.
BUILDS = {
    ("net8.0", "selfcontained"): ("native", "exceptions", "emit", "tasks", "io", "generics", "qsort", "hijack"),
    ("net9.0", "selfcontained"): ("native", "exceptions", "emit", "tasks", "io", "qsort", "hijack"),
    ("net10.0", "singlefile"): ("native", "exceptions", "tasks", "qsort"),
    ("net10.0", "composite"): ("native", "exceptions", "emit", "tasks", "qsort"),
}
