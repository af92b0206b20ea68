#!/usr/bin/env python3
"""`run --every`: one whole file after the other, without a gap between them, within bounds of disk and CPU time."""
import os
import pathlib
import signal
import stat
import subprocess
import time
import unittest

from harness import CLI, EndToEnd, Recording, app, clean_environment, execute, finish, main, start, walkabout

SETTLING = 0.005  # seconds: between reading the process's clock and its threads', on a machine with much to do


class Continuous(EndToEnd):
    def setUp(self) -> None:
        super().setUp()
        self.out = self.folder / "out"

    def run_command(self, *command: str, options: tuple = (), name: str = "%host-%pid-%t-%n.walk",
                    interval: str = "1ms") -> list:
        return [CLI, "run", "--every", "1s", "-i", interval, "-o", self.out / name, *options, "--", *command]

    def files(self) -> list[pathlib.Path]:
        """In the order they were begun in."""
        return sorted(self.out.glob("*.walk"), key=lambda path: int(path.stem.rpartition("-")[2]))

    def stats(self, done) -> list[dict]:
        """Of all files; what holds for each and for all."""
        self.assertEqual(list(self.out.glob("*.part")), [], done)
        all_stats = [Recording(path, done).stats() for path in self.files()]
        for stats in all_stats:
            self.assert_accounts(stats)
            self.assertEqual(stats["lost"], 0)
            self.assertEqual(stats["damage"], "")
        weights = sum(stats["cpu_weight_seconds"] for stats in all_stats)
        cpu = sum(stats["process_cpu_seconds"] for stats in all_stats)
        self.assertAlmostEqual(weights, cpu, delta=max(0.01 * cpu, SETTLING), msg=(weights, cpu))
        return all_stats


class Files(Continuous):
    def test_each_is_whole_and_together_they_are_all(self) -> None:
        done = execute(*self.run_command(*app("qsort"), "4"))
        self.assertEqual(done.returncode, 0, done)
        all_stats = self.stats(done)
        self.assertGreaterEqual(len(all_stats), 4)
        self.assertTrue(all(stats["complete"] for stats in all_stats))
        self.assertIn(str(self.files()[-1]), done.stderr)
        self.assertEqual(stat.S_IMODE(self.out.stat().st_mode), 0o700)
        for path, stats in list(zip(self.files(), all_stats))[:-1]:  # the last may be short
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
            if stats["samples"] == 0:  # a busy machine gave it next to nothing in that second
                self.assertLess(stats["process_cpu_seconds"], 0.05, stats)
                continue
            self.assert_rooted(stats)
            self.assert_cpu_time_is_covered(stats)
            self.assertGreater(stats["samples"], 0.5 * stats["process_cpu_seconds"] / 1e-3)  # one a millisecond is asked for
        # Of the files behind the first that has them; the last may be short. The program compiled its methods before.
        names = ("NativeSort.Program.Weigh(int)", "qsort")
        have = [all(any(name in frame for frame in Recording(path, done).frames()) for name in names)
                for path in self.files()[:-1]]
        self.assertIn(True, have[:-1], have)
        self.assertTrue(all(have[have.index(True):]), have)

    def test_times_of_the_files_follow_each_other(self) -> None:
        done = execute(*self.run_command(*app("exitcode"), "burn", "3"))
        all_stats = self.stats(done)
        for before, after in zip(all_stats, all_stats[1:]):
            self.assertAlmostEqual(before["start"] + before["duration"], after["start"], delta=0.1)

    def test_threads_keep_their_names(self) -> None:
        done = execute(*self.run_command(*app("demo"), options=("--budget", "50%")))
        recordings = [Recording(path, done).report() for path in self.files()]
        self.stats(done)
        names = [{thread["name"] for thread in report["threads"]} for report in recordings]
        self.assertTrue(names[0] & names[1], names)

    def test_a_killed_program_loses_nothing_in_its_last_file(self) -> None:
        process = start(self.run_command(*app("exitcode"), "burn", "60"))
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        while len(self.files()) < 2:
            time.sleep(0.1)
        target = int(subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True,
                                    check=True).stdout.split()[0])
        os.kill(target, signal.SIGKILL)
        done = finish(process, 60)
        self.assertEqual(done.returncode, 128 + signal.SIGKILL)
        all_stats = self.stats(done)
        self.assertEqual([stats["complete"] for stats in all_stats], [True] * (len(all_stats) - 1) + [False])

    def test_terminated_from_outside(self) -> None:
        process = start(self.run_command(*app("exitcode"), "burn", "60"))
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        while not self.files():
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        self.stats(finish(process, 60))

    def test_a_killed_collector_leaves_what_it_had(self) -> None:
        process = start(self.run_command(*app("exitcode"), "burn", "60"))
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        while not self.files():
            time.sleep(0.1)
        target = int(subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True,
                                    check=True).stdout.split()[0])
        self.addCleanup(os.kill, target, signal.SIGKILL)
        time.sleep(0.5)
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()
        parts = list(self.out.glob("*.walk.part"))
        self.assertEqual(len(parts), 1)
        self.assertEqual(execute(CLI, "stats", parts[0]).returncode, 0)
        os.kill(target, 0)  # goes on


class Bounds(Continuous):
    def test_only_so_many_files_stay_and_others_are_left_alone(self) -> None:
        self.out.mkdir()
        other = self.out / "important.walk"
        other.write_text("mine")
        done = execute(*self.run_command(*app("qsort"), "4", options=("--keep", "2"), name="app-%n.walk"))
        self.assertEqual(done.returncode, 0, done)
        self.assertEqual(other.read_text(), "mine")
        other.unlink()
        self.assertEqual(len(self.files()), 2, self.files())
        self.assertGreaterEqual(int(self.files()[0].stem.rpartition("-")[2]), 3)

    def test_a_budget_lowers_the_rate_and_reports_it(self) -> None:
        command = [CLI, "run", "-i", "100us", "--budget", "0.01%", "-o", self.folder / "out.walk", "-o",
                   self.folder / "out.html", "--", *app("qsort"), "5"]
        done = execute(*command)
        self.assertEqual(done.returncode, 0, done)
        self.assertIn("budget 0.01%: sampling took", done.stderr)
        stats = Recording(self.folder / "out.walk", done).stats()
        self.assertGreaterEqual(len(stats["rates"]), 2, stats)
        interval = 100e-6
        for rate in stats["rates"]:
            self.assertEqual(rate["before"], interval)
            self.assertEqual(rate["interval"], min(2 * interval, 1))
            self.assertGreater(rate["cost"], rate["budget"])
            self.assertAlmostEqual(rate["budget"], 1e-4)
            interval = rate["interval"]
        self.assertEqual(sum("budget" in message for message in stats["messages"]), len(stats["rates"]))
        self.assert_accounts(stats)
        self.assert_cpu_time_is_covered(stats)

    def test_the_next_file_knows_the_lowered_rate(self) -> None:
        done = execute(*self.run_command(*app("qsort"), "4", options=("--budget", "0.01%")))
        all_stats = self.stats(done)
        self.assertEqual(all_stats[0]["interval"], 0.001)
        last = all_stats[-1]
        self.assertEqual(last["rates"][0]["time"], 0)
        self.assertGreater(last["rates"][0]["interval"], last["interval"])
        self.assertLess(all_stats[-2]["samples"], all_stats[0]["samples"])

    def test_within_the_budget_nothing_changes(self) -> None:
        recording = self.record(app("qsort") + ["3"], "--budget", "50%")
        self.assertEqual(recording.stats()["rates"], [])

    # The files' folder is lost in the middle, and comes back.
    def test_a_folder_that_cannot_be_written_is_reported_and_tried_again(self) -> None:
        process = start(self.run_command(*app("exitcode"), "burn", "8"))
        self.addCleanup(process.kill)
        while len(self.files()) < 1:
            time.sleep(0.1)
        self.out.rename(self.folder / "away")
        self.out.write_text("in the way")
        time.sleep(2.5)
        self.out.unlink()
        done = finish(process, 60)
        self.assertEqual(done.stdout, "ready\n")
        self.assertIn("cannot write", done.stderr)
        self.assertIn("the next file is tried", done.stderr)
        self.assertIn("samples lost: at least", done.stderr)
        self.assertGreaterEqual(len(self.files()), 1, done)
        for path in self.files():
            self.assert_accounts(Recording(path, done).stats())

    @unittest.skipIf(subprocess.run(["unshare", "-Urm", "true"], check=False, capture_output=True).returncode != 0,
                     "namespaces are not allowed here")
    def test_a_full_disk(self) -> None:
        self.out.mkdir()
        script = f'mount -t tmpfs -o size=32k none {self.out} && "$@"; code=$?; cp {self.out}/* {self.folder}; exit $code'
        done = execute("unshare", "-Urm", "sh", "-c", script, "sh",
                       *self.run_command(*app("qsort"), "4", interval="100us"))
        self.assertIn("No space left on device", done.stderr)
        self.assertRegex(done.stderr, r"recordings? of process \d+ could not be written to the end; samples lost: at least \d")
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("sorts", done.stdout)
        kept = list(self.folder.glob("*.walk"))
        self.assertTrue(kept, done)
        for path in kept:
            self.assert_accounts(Recording(path, done).stats())


class Errors(Continuous):
    def refused(self, *messages: str, options: tuple) -> None:
        done = walkabout("run", *options, "--", "true")
        self.assertEqual(done.returncode, 2, done)
        for text in messages:
            self.assertIn(text, done.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_names(self) -> None:
        out = self.folder / "out"
        self.refused("%x", "%host, %pid, %t", options=("--every", "60s", "-o", f"{out}/%x-%t.walk"))
        self.refused("neither %t nor %n", options=("--every", "60s", "-o", f"{out}/%pid.walk"))
        self.refused("folder", options=("--every", "60s", "-o", f"{out}/%pid/%t.walk"))
        self.refused("convert", options=("--every", "60s", "-o", f"{out}/%t.html"))
        self.refused("one -o", options=("--every", "60s", "-o", f"{out}/%t.walk", "-o", f"{out}/%t.html"))

    def test_values(self) -> None:
        files = ("-o", f"{self.folder}/%t.walk")
        self.refused("1s", options=("--every", "10ms", *files))
        self.refused("24", options=("--every", "60s", "--keep", "some", *files))
        self.refused("--every", options=("--keep", "24", "-o", f"{self.folder}/a.walk"))
        self.refused("1%", options=("--budget", "1", "-o", f"{self.folder}/a.walk"))

    def test_children_need_names_of_their_own(self) -> None:
        self.refused("%pid", options=("--every", "60s", "--children", "-o", f"{self.folder}/%t.walk"))

    def test_settings_of_the_environment_do_not_count(self) -> None:
        done = walkabout("run", "-o", self.folder / "a.walk", "--", *app("hello"),
                         env=clean_environment(WALKABOUT_EVERY="1s", WALKABOUT_BUDGET="nonsense"))
        self.assertEqual(done.returncode, 0, done)


if __name__ == "__main__":
    main()
