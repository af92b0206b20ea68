#!/usr/bin/env python3
"""Ctrl-C ends the target and the CLI, and the recording is written all the same."""
import os
import signal

from harness import CLI, EndToEnd, Recording, app, finish, main, start


class Interrupt(EndToEnd):
    def begin(self):
        path = self.folder / "out.walk"
        html = self.folder / "out.html"
        process = start([CLI, "run", "-o", path, "-o", html, "--interval", "1ms", "--", *app("exitcode"), "burn", "60"])
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline().strip(), "ready")
        return process, path, html

    def test_ctrl_c(self) -> None:
        process, path, html = self.begin()
        os.killpg(process.pid, signal.SIGINT)
        done = finish(process, 30)
        self.assertEqual(done.returncode, 128 + signal.SIGINT, done)
        self.assert_accounts(Recording(path, done).stats())
        self.assertTrue(html.exists())

    # Not from a terminal: only the CLI is told, and it must not leave the target behind.
    def test_terminate_the_cli(self) -> None:
        process, path, _ = self.begin()
        process.send_signal(signal.SIGTERM)
        done = finish(process, 30)
        self.assertIn(done.returncode, (128 + signal.SIGTERM, -signal.SIGTERM), done)
        self.assert_accounts(Recording(path, done).stats())


if __name__ == "__main__":
    main()
