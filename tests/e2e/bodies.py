"""Methods whose IL a profiler rewrites (tests/il/rewriting_profiler.cc) before they are compiled; the assemblies they are of."""
import dataclasses
import json
import pathlib

from harness import BUILD, Done, app, clean_environment, execute, finish, runtimes, start

CLSID = "{6B1C5A0E-6B7D-4C57-9C37-0A6E6F1B8D42}"
PROFILER = BUILD / "rewriting" / "librewriting.so"
LIBRARIES = ("Castle.Core", "Dapper", "FSharp.Core", "Google.Protobuf", "Markdig", "MathNet.Numerics", "Mono.Cecil", "Newtonsoft.Json",
             "NodaTime", "Serilog", "YamlDotNet")
REFUSED = "InvalidProgramException"
TIMEOUT = 3600  # of a whole framework on a busy machine
# They raise exceptions themselves, and so never return.
NEVER_LEFT = {"System.Runtime.EH.RhThrowEx", "System.Runtime.EH.DispatchEx", "System.Runtime.EH.RhThrowHwEx", "System.Runtime.EH.RhRethrow"}


@dataclasses.dataclass
class Rewritten:
    done: Done
    report: dict


def environment(**extra: str) -> dict[str, str]:
    """No code that was compiled before, and virtual methods that RuntimeHelpers.PrepareMethod compiles as well."""
    return clean_environment(DOTNET_ReadyToRun="0", DOTNET_BackpatchEntryPointSlots="0", **extra)


def run_plain(command: list, **extra: str) -> Done:
    return finish(start(command, env=environment(**extra)), TIMEOUT)


def run_rewritten(command: list, mode: str, report: pathlib.Path, **extra: str) -> Rewritten:
    report.unlink(missing_ok=True)
    settings = environment(CORECLR_ENABLE_PROFILING="1", CORECLR_PROFILER=CLSID, CORECLR_PROFILER_PATH=str(PROFILER), REWRITE=mode,
                           REWRITE_REPORT=str(report), **extra)
    done = finish(start(command, env=settings), TIMEOUT)
    return Rewritten(done, json.loads(report.read_text()) if report.exists() else {})


def check_bodies(files: list) -> dict:
    done = execute(BUILD / "bin" / "check_bodies", *files)
    assert done.returncode == 0, done
    return json.loads(done.stdout)


def libraries(names: tuple = LIBRARIES) -> list[pathlib.Path]:
    folder = pathlib.Path(app("prepare")[-1]).parent
    return [folder / f"{name}.dll" for name in names]


def shared_framework() -> list[pathlib.Path]:
    """Of the runtime that `dotnet` takes, ASP.NET's included."""
    return [file for name, folder in dict(runtimes()).items() for file in sorted(folder.glob("*.dll"))
            if name.startswith(("Microsoft.NETCore", "Microsoft.AspNetCore"))]
