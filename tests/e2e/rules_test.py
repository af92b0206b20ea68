#!/usr/bin/env python3
"""Rules 1 and 3 of the profiling API, on real programs (docs/accuracy.md has the list): nobody but the kernel sends ticks,
and a thread that is sampled while it holds what the whole process needs keeps nobody waiting."""
import signal

import seccomp
from harness import BUILD, CLI, EndToEnd, Recording, app, clean_environment, finish, main, share, start

LIBRARY = BUILD / "apps" / "native-library"
PARKED_SECONDS = 0.2  # of CPU time: kParkedNs in tests/apps/native/library/parking.h
TIMEOUT = 60  # a broken rule shows as a hang


class Rules(EndToEnd):
    def run_program(self, command: list, *options: str, preexec_fn=None) -> Recording:
        path = self.folder / "out.walk"
        done = finish(start([CLI, "run", "-o", path, *options, "--", *command], preexec_fn=preexec_fn,
                            env=clean_environment(LD_LIBRARY_PATH=str(LIBRARY))), TIMEOUT)
        self.assertEqual(done.returncode, 0, done)
        return Recording(path, done)


class Parked(Rules):
    """Broken by a call in agent/linux/handler/handler.cc's tick() that takes what the parked thread holds: named at each test,
    and each hung until TIMEOUT."""

    def check(self, situation: str, place: list[str], interval: str, *options: str) -> None:
        program = ["env", f"LD_PRELOAD={LIBRARY / 'libhostile_parking.so'}", "DOTNET_gcConcurrent=0", *app("native"), situation]
        recording = self.run_program(program, "--interval", interval, *options)
        self.assertIn(f"{situation}: done", recording.run.stdout)
        stats = recording.stats()
        self.assert_accounts(stats)
        self.assert_rooted(stats)
        # Both were sampled all the time: the parked thread down to its entry, and the two that went on beside it.
        stacks = recording.stacks()
        for frames, seconds in ((["Program.Main", *place, "hostile_parked"], PARKED_SECONDS),
                                (["Native.Parking.Peer", "hostile_peer"], 2 * PARKED_SECONDS)):
            sampled = share(stacks, frames) * (stats["cpu_weight_seconds"] - stats["unsampled_cpu_seconds"])
            self.assertGreater(sampled, seconds * 0.8, frames)

    # malloc(1): the parked thread's first tick waited for itself.
    def test_in_malloc(self) -> None:
        self.check("parkinmalloc", ["hostile_park_in_malloc", "malloc"], "1ms")

    # dl_iterate_phdr(): the peers waited for the loader's lock, the parked thread for them.
    def test_in_the_loaders_list(self) -> None:
        self.check("parkinloaderlist", ["hostile_park_in_loader_list", "dl_iterate_phdr"], "100us")

    # dlopen("libm.so.6"): the same.
    def test_in_an_initializer(self) -> None:
        self.check("parkindlopen", ["hostile_park_in_dlopen", "dlopen"], "100us")

    # What breaks these two is a question to the CLR, and the handler has nobody to ask but with the oracle: below.
    def test_before_a_collection(self) -> None:
        self.check("parkbeforegc", ["Native.Parking.BeforeGc", "hostile_park_before_gc"], "100us")

    def test_in_a_collection(self) -> None:
        self.check("parkingc", ["Native.Parking.InGc", "madvise"], "100us")

    # The CLR's own walk may wait for a collection's end (agent/shared/oracle_gate.h). Broken by a gate that is always open.
    def test_with_the_oracle(self) -> None:
        for situation in ("parkbeforegc", "parkingc"):
            self.check(situation, ["Native.Parking.Among"], "1ms", "--oracle")


class Signals(Rules):
    # Broken by a tgkill of the tick's signal to each thread in Sampler::look(): killed by SIGSYS.
    def test_ticks_come_from_the_kernel_alone(self) -> None:
        ticks = [int(s) for s in (signal.SIGURG, signal.SIGPROF, signal.SIGVTALRM)]
        for program in (["alloc", "1", "3"], ["shortthreads", "100", "1"]):
            for engine in ("auto", "timer"):
                recording = self.run_program([*app(program[0]), *program[1:]], "--interval", "1ms", "--engine", engine,
                                             preexec_fn=seccomp.die_of_sending(*ticks))
                self.assertGreater(recording.stats()["samples"], 10)


if __name__ == "__main__":
    main()
