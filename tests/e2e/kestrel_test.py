#!/usr/bin/env python3
"""An ASP.NET Core service under load from a second process."""
import json
import os
import signal

from harness import CLI, EndToEnd, Recording, app, execute, finish, main, start


class Kestrel(EndToEnd):
    def serve(self, *options: str) -> tuple[Recording, dict]:
        load = app("load")
        path = self.folder / "out.walk"
        service = start([CLI, "run", "-o", path, *options, "--", *app("web"), "120"])
        self.addCleanup(service.kill)
        line = service.stdout.readline().split()
        self.assertEqual(line[:1], ["listening"], line)
        client = execute(*load, line[1], "4")
        self.assertEqual(client.returncode, 0, client)
        os.killpg(service.pid, signal.SIGINT)  # Ctrl-C: the service shuts down in good order
        done = finish(service)
        self.assertEqual(done.returncode, 0, done)
        return Recording(path, done), json.loads(client.stdout)

    def test_under_load(self) -> None:
        recording, client = self.serve("--interval", "1ms")
        self.assertEqual(client["failures"], 0)
        stats = recording.stats()
        self.assert_whole(stats)
        frames = recording.frames()
        for wanted in ["Microsoft.AspNetCore.Server.Kestrel.", "System.Text.Json.", "People.Make"]:
            self.assertTrue(any(frame.startswith(wanted) for frame in frames), wanted)

    def test_equal_to_the_runtimes_walk(self) -> None:
        recording, _ = self.serve("--interval", "2ms", "--oracle")
        self.assert_equal_to_clr(recording)


if __name__ == "__main__":
    main()
