#!/usr/bin/env python3
"""What ./dev package makes: a .deb and a .tar.gz that run from where they are unpacked, a man page and completions that
say what the program's own help says."""
import gzip
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from harness import BUILD, CLI, app, clean_environment, execute, main

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools" / "package"
GLIBC = re.compile(r"^(linux-vdso|ld-linux-x86-64|libc|libm|libpthread|libdl|librt)\.so")


def package(out: pathlib.Path) -> dict[str, pathlib.Path]:
    done = execute(TOOLS / "package.sh", BUILD, out)
    assert done.returncode == 0, done
    return {path.suffix: path for path in out.iterdir()}


def long_options(text: str) -> set[str]:
    return set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.work = pathlib.Path(cls.folder.name)
        cls.made = package(cls.work / "out")
        subprocess.run(["tar", "xzf", cls.made[".gz"], "-C", cls.work], check=True)
        cls.tar = next(cls.work.glob("walkabout-*-linux-x64"))
        cls.deb = cls.work / "deb"
        subprocess.run(["dpkg-deb", "-x", cls.made[".deb"], cls.deb], check=True)

    def profiles(self, cli: pathlib.Path) -> None:
        recording = self.work / "out.walk"
        done = execute(cli, "run", "-i", "1ms", "-o", recording, "--", *app("hello"))
        self.assertEqual(done.returncode, 0, done)
        stats = execute(cli, "stats", recording, "--json")
        self.assertGreater(json.loads(stats.stdout)["samples"], 0)

    def test_the_tar_profiles(self) -> None:
        self.profiles(self.tar / "bin" / "walkabout")

    def test_the_deb_profiles(self) -> None:
        self.profiles(self.deb / "usr" / "bin" / "walkabout")

    def test_the_tar_carries_its_libraries(self) -> None:
        linked = subprocess.run(["ldd", self.tar / "bin" / "walkabout"], capture_output=True, text=True, check=True).stdout
        foreign = [line.strip() for line in linked.splitlines() if not GLIBC.match(pathlib.Path(line.split()[0]).name)]
        self.assertTrue(foreign)
        for line in foreign:
            self.assertIn(f"=> {self.tar}/bin/../lib/walkabout/", line)

    def test_carried_libraries_come_with_their_licences(self) -> None:
        notices = list((self.tar / "share" / "doc" / "walkabout").glob("*.copyright"))
        libraries = [path for path in (self.tar / "lib" / "walkabout").iterdir() if path.name != "libwalkabout.so"]
        self.assertEqual(len(notices), len(libraries), [path.name for path in notices])

    def test_the_deb_names_what_it_needs(self) -> None:
        fields = subprocess.run(["dpkg-deb", "-f", self.made[".deb"]], capture_output=True, text=True, check=True).stdout
        for library in ("libc6", "libdw1", "libzstd1", "libfmt9", "libstdc++6"):
            self.assertRegex(fields, rf"Depends:.* ?{re.escape(library)} \(>=")
        self.assertIn("Architecture: amd64", fields)

    def test_nobody_else_may_write_what_it_installs(self) -> None:
        listing = subprocess.run(["dpkg-deb", "-c", self.made[".deb"]], capture_output=True, text=True, check=True).stdout
        for line in listing.splitlines():
            self.assertRegex(line, r"^[d-]rw[x-]r-[x-]r-[x-] root/root ")

    def test_the_same_sources_give_the_same_bytes(self) -> None:
        again = package(self.work / "again")
        for suffix, path in self.made.items():
            self.assertEqual(path.read_bytes(), again[suffix].read_bytes(), path.name)


class Help(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.tree = pathlib.Path(cls.folder.name)
        subprocess.run([TOOLS / "install_tree.sh", BUILD, cls.tree], check=True)
        text = execute(CLI, "--help").stdout
        cls.verbs = re.findall(r"^  ([a-z]+)  ", text[text.index("Subcommands:"):], re.MULTILINE)
        cls.options = {verb: long_options(execute(CLI, verb, "--help").stdout.split("Options:")[1].split("\n\n")[0])
                       for verb in cls.verbs}

    def file(self, *parts: str) -> pathlib.Path:
        return self.tree.joinpath("share", *parts)

    def run_shell(self, *command: str) -> str:
        done = subprocess.run(command, capture_output=True, text=True, check=False,
                              env=clean_environment(HOME=str(self.tree), TERM="dumb"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_the_verbs_are_found(self) -> None:
        self.assertIn("run", self.verbs)
        self.assertIn("--interval", self.options["run"])

    def test_man_page(self) -> None:
        page = self.file("man", "man1", "walkabout.1.gz")
        source = gzip.decompress(page.read_bytes()).decode()
        for verb in self.verbs:
            self.assertIn(f".SS walkabout {verb} ", source)
            for name in self.options[verb] - {"--help"}:
                self.assertIn(name.replace("-", "\\-"), source)
        checked = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-z", "-K", "utf8"], input=source, capture_output=True, text=True,
                                 check=False)
        self.assertEqual((checked.returncode, checked.stderr), (0, ""))

    def complete_in_bash(self, *words: str) -> set[str]:
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"source {self.file('bash-completion', 'completions', 'walkabout')}; COMP_WORDS=(walkabout {quoted}); "
                  f"COMP_CWORD={len(words)}; _walkabout; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return set(self.run_shell("bash", "--norc", "-c", script).split())

    def test_bash(self) -> None:
        self.assertEqual(self.complete_in_bash(""), set(self.verbs) | {"--help", "--version"})
        self.assertEqual(self.complete_in_bash("ru"), {"run"})
        for verb in self.verbs:
            self.assertEqual(self.complete_in_bash(verb, "--"), self.options[verb], verb)
        self.assertEqual(self.complete_in_bash("run", "--engine", "p"), {"perf"})
        self.assertEqual(self.complete_in_bash("run", "--", "dotnet", "--o"), set(), "the command's own words")

    def test_fish(self) -> None:
        script = self.file("fish", "vendor_completions.d", "walkabout.fish")
        completions = lambda line: {row.split("\t")[0] for row in
                             self.run_shell("fish", "--no-config", "-c", f"source {script}; complete -C '{line}'").splitlines()}
        self.assertEqual(completions("walkabout "), set(self.verbs))
        for verb in self.verbs:
            self.assertEqual(completions(f"walkabout {verb} --"), self.options[verb], verb)
        self.assertEqual(completions("walkabout run --engine "), {"auto", "perf", "timer"})

    def test_zsh(self) -> None:
        script = self.file("zsh", "vendor-completions", "_walkabout")
        self.run_shell("zsh", "-n", str(script))
        # What it hands to the completion system, without the terminal that one needs.
        stubs = ("_describe() { print -l ${(P)2} }; _arguments() { print -l -- $@ }; compdef() { : }; "
                 "words=(walkabout {words}); CURRENT={at}; source " + str(script))
        text = self.run_shell("zsh", "-f", "-c", stubs.replace("{words}", "''").replace("{at}", "2"))
        self.assertEqual({line.split(":")[0] for line in text.splitlines()}, set(self.verbs))
        for verb in self.verbs:
            text = self.run_shell("zsh", "-f", "-c", stubs.replace("{words}", f"{verb} ''").replace("{at}", "3"))
            self.assertEqual(set(re.findall(r"^\*?(--[a-z-]+)\[", text, re.MULTILINE)), self.options[verb], verb)


if __name__ == "__main__":
    main()
