#!/usr/bin/env python3
"""--children: every .NET process that the command starts gets a recording of its own; without it only the first."""
import shlex

from harness import EndToEnd, Recording, app, main, walkabout


class Children(EndToEnd):
    def run_two(self, *options: str):
        qsort = shlex.join(app("qsort") + ["1"])
        hello = shlex.join(app("hello"))
        done = walkabout("run", "-o", self.folder / "out.walk", "-o", self.folder / "out.html", "--interval", "1ms",
                         *options, "--", "sh", "-c", f"{qsort} & {hello}; wait; exit 5")
        self.assertEqual(done.returncode, 5, done)
        self.assertIn("Hello, World!", done.stdout)
        return done

    def test_a_file_each(self) -> None:
        done = self.run_two("--children")
        walks = sorted(self.folder.glob("*.walk"))
        self.assertEqual(len(walks), 2, walks)
        self.assertEqual(len(list(self.folder.glob("*.html"))), 2)
        self.assertIn(self.folder / "out.walk", walks)
        for path in walks:
            self.assert_accounts(Recording(path, done).stats())
        sorting = [path for path in walks
                   if any(frame.startswith("NativeSort.") for frame in Recording(path, done).frames())]
        self.assertEqual(len(sorting), 1)

    def test_only_the_first_without_it(self) -> None:
        done = self.run_two()
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["out.html", "out.walk"])
        self.assertNotIn("not profiling", done.stderr, "an unwanted child is no failure to speak of")


if __name__ == "__main__":
    main()
