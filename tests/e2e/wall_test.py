#!/usr/bin/env python3
"""Wall-clock time: every thread's life is in its samples, and a blocked thread has its stack and its system call."""
import collections
import signal
import subprocess
import time
from typing import NamedTuple

from harness import EndToEnd, app, execute, main, with_agent
from stream import ROOTED, Sample, Stream

RUNNING, RUNNABLE, BLOCKED = 1, 2, 3
# What each thread of tests/apps/wall blocks in, and the call's number on x86-64 Linux.
FUTEX, POLL, RECVMSG, READ, NANOSLEEP = 202, 7, 47, 0, 230
PLACES = {"lock": ("InLock", FUTEX), "monitorwait": ("InMonitorWait", FUTEX), "semaphore": ("InSemaphore", FUTEX),
          "event": ("InEvent", FUTEX), "sleep": ("InSleep", FUTEX), "libcsleep": ("InLibcSleep", NANOSLEEP),
          "libcpoll": ("InLibcPoll", POLL), "receive": ("InReceive", RECVMSG), "poll": ("InPoll", POLL),
          "read": ("InRead", READ), "task": ("InTask", FUTEX)}
OTHERS = ["computing", "byturns", "waking"]


def seconds(samples: list[Sample]) -> float:
    return sum(sample.values[0] for sample in samples) / 1e9


class Life(NamedTuple):
    name: str
    least: float  # seconds: of its body
    most: float  # from the kernel's birth of it, to 10 ms, until the program saw it gone

    def has(self, sampled: float) -> bool:
        return 0.99 * self.least <= sampled <= 1.01 * self.most


def lived(output: str) -> dict[int, Life]:
    """By thread id, as the program measured them itself."""
    lines = (line.split() for line in output.splitlines())
    return {int(words[4]): Life(words[1], float(words[2]) / 1000, float(words[3]) / 1000)
            for words in lines if words[:1] == ["lived"]}


class Wall(EndToEnd):
    def run_wall(self, events: str, *arguments, **settings) -> tuple[Stream, dict[int, Life]]:
        path = self.folder / "stream"
        environment = with_agent(WALKABOUT_STREAM=str(path), WALKABOUT_EVENTS=events, **settings)
        done = execute(*app("wall"), *arguments, env=environment)
        self.assertEqual(done.returncode, 0, done)
        stream = Stream(path)
        attempts, samples, drops = stream.accounts[stream.sources["wall"]]
        self.assertEqual(attempts, samples + sum(drops))
        self.assertEqual(samples, len(stream.of("wall")))
        return stream, lived(done.stdout)

    def assert_lives(self, stream: Stream, lives: dict[int, Life]) -> None:
        """A thread's samples have its life. bench/wall.py has the ratio."""
        self.assertEqual({life.name for life in lives.values()}, {*PLACES, *OTHERS, "parent", "child"})
        for tid, life in lives.items():
            sampled = seconds([s for s in stream.of("wall") if stream.tids[s.thread] == tid])
            self.assertTrue(life.has(sampled), f"{tid}: {sampled} of {life}")

    def assert_blocked(self, stream: Stream, name: str) -> None:
        method, call = PLACES[name]
        blocked = [s for s in stream.of("wall", name) if s.labels[0] == BLOCKED]
        # Where a busy machine held a pass up, time is of no place.
        samples = [s for s in blocked if s.has_stack]
        self.assertGreaterEqual(seconds(samples) / seconds(blocked), 0.5, f"{name}: {blocked}")
        there = [s for s in samples if s.labels == [BLOCKED, call + 1] and f"Program.{method}" in s.methods]
        # Looks are seconds apart on a machine that is busy enough: what is between two places is both's by halves.
        self.assertGreaterEqual(seconds(there) / seconds(samples), 0.7, f"{name}: {samples}")
        self.assertEqual([s for s in there if s.end != ROOTED], [], name)

    def test_every_blocked_thread_has_its_stack_and_its_call(self) -> None:
        stream, lives = self.run_wall("cpu,wall", "each", "6")
        for name in PLACES:
            self.assert_blocked(stream, name)
        self.assert_lives(stream, lives)

    def test_running_threads_have_their_ticks_stacks(self) -> None:
        stream, _ = self.run_wall("cpu,wall", "each", "4")
        running = [s for s in stream.of("wall", "computing") if s.labels[0] in (RUNNING, RUNNABLE)]
        there = [s for s in running if "Program.Computing" in s.methods]
        self.assertGreater(seconds(there) / seconds(stream.of("wall", "computing")), 0.8)
        # What ran is CPU time, and rides on CPU time's samples.
        cpu = seconds(stream.of("cpu", "computing"))
        wall = seconds([s for s in running if s.labels[0] == RUNNING])
        self.assertTrue(0.85 <= wall / cpu <= 1.15, f"{wall} of {cpu} seconds")

    def test_at_a_millisecond(self) -> None:
        stream, lives = self.run_wall("cpu,wall=1ms", "each", "4")
        for name in PLACES:
            self.assert_blocked(stream, name)
        self.assert_lives(stream, lives)

    def test_without_ticks_no_stack_is_guessed(self) -> None:
        stream, lives = self.run_wall("wall", "each", "4")
        self.assert_lives(stream, lives)
        for sample in stream.of("wall"):
            self.assertEqual(sample.labels[0] == BLOCKED or not sample.has_stack, True, sample)

    def test_threads_that_no_pass_sees_have_their_lives(self) -> None:
        """Of 0.3 s each, with passes seconds apart: the table of threads lists them when their slots are free."""
        for period in ("2s", "50ms"):
            stream, lives = self.run_wall(f"cpu,wall={period}", "each", "3", WALKABOUT_INTERVAL="1ms")
            self.assert_lives(stream, lives)
            self.assertGreaterEqual([life.name for life in lives.values()].count("child"), 8)

    def test_riders_are_no_more_than_what_a_thread_ran(self) -> None:
        """Ticks every 100 us take each rider at once. A bait is a fifth of the period, 1 ms at most."""
        stream, _ = self.run_wall("cpu,wall=5ms", "each", "4", WALKABOUT_INTERVAL="100us")
        for name in ("waking", "byturns"):
            cpu = seconds(stream.of("cpu", name))
            ran = seconds([s for s in stream.of("wall", name) if s.labels[0] == RUNNING])
            self.assertLessEqual(ran, 1.02 * cpu + 0.003, name)

    def assert_stops_are_nowhere(self, events: str, stops: int, each: float) -> None:
        """The time of a stopped process is blocked time without a stack, whatever the agent's thread did when it was stopped."""
        path = self.folder / "stream"
        environment = with_agent(WALKABOUT_STREAM=str(path), WALKABOUT_EVENTS=events)
        with subprocess.Popen(app("wall") + ["each", "6"], env=environment, stdout=subprocess.PIPE, text=True) as program:
            self.assertEqual(program.stdout.readline(), "started\n")
            time.sleep(1)
            for _ in range(stops):
                program.send_signal(signal.SIGSTOP)
                time.sleep(each)
                program.send_signal(signal.SIGCONT)
                time.sleep(0.1)
            lives = lived(program.communicate()[0])
        stream = Stream(path)
        self.assert_lives(stream, lives)
        nowhere = {}
        for name in (*PLACES, *OTHERS):
            samples = stream.of("wall", name)
            if seconds(samples) < 0.75 * 6:
                continue  # a stop ended its wait (EINTR), and it ended too
            nowhere[name] = seconds([s for s in samples if s.labels[0] == BLOCKED and not s.has_stack])
            self.assertLessEqual(nowhere[name], 0.9 * seconds(samples), name)
        self.assertGreaterEqual(len(nowhere), len(PLACES), nowhere)
        for name, found in nowhere.items():  # of eight stops none may be missing, where a thread only waits
            self.assertGreaterEqual(found, (0.9 if name in PLACES else 0.5) * stops * each, nowhere)

    def test_the_time_of_a_stopped_process_is_no_places(self) -> None:
        self.assert_stops_are_nowhere("cpu,wall", 1, 1.5)

    def test_stops_in_the_middle_of_a_pass(self) -> None:
        """Passes are a good part of the time here. Broken by an agent that notices only what keeps it from beginning one."""
        self.assert_stops_are_nowhere("cpu,wall=1ms", 8, 0.4)

    def test_many_threads_that_end_together_lose_nothing(self) -> None:
        stream, lives = self.run_wall("cpu,wall", "many", "6", "300", "2")
        sampled = collections.Counter()
        for sample in stream.of("wall"):
            sampled[stream.tids[sample.thread]] += sample.values[0] / 1e9
        self.assertEqual(len(lives), 300)
        self.assertEqual([(sampled[tid], life) for tid, life in lives.items() if not life.has(sampled[tid])], [])


if __name__ == "__main__":
    main()
