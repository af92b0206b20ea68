#!/usr/bin/env python3
"""`walkabout symbols` brings the names of stripped libraries back, on a machine that does not have them; a recording
taken in a container has the names of the container's files."""
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from harness import BUILD, CLI, Done, EndToEnd, Recording, app, clean_environment, execute, main, walkabout
from symbol_servers import Server, debuginfod, free_port

LIBRARY = BUILD / "apps" / "native-library" / "libhostile.so"
HIDDEN = "call_through("  # not exported: only a symbol table has it
USAGE = 2


def objcopy(*arguments) -> None:
    subprocess.run(["objcopy", *arguments], check=True)


def build_id(path: pathlib.Path) -> str:
    notes = subprocess.run(["readelf", "-n", path], capture_output=True, text=True, check=True).stdout
    return notes.split("Build ID:")[1].split()[0]


class Symbols(EndToEnd):
    @classmethod
    def setUpClass(cls) -> None:
        """A recording of a stripped library that is gone afterwards, its debug file, and that of another build."""
        folder = tempfile.TemporaryDirectory(dir=BUILD)
        cls.addClassCleanup(folder.cleanup)
        cls.shared = pathlib.Path(folder.name)
        cls.build_id = build_id(LIBRARY)
        cls.debug_file, cls.image = cls.shared / "hostile.debug", cls.shared / "image.so"
        cls.other = cls.shared / "other.debug"
        objcopy("--only-keep-debug", LIBRARY, cls.debug_file)
        objcopy("--strip-all", LIBRARY, cls.image)
        objcopy("--only-keep-debug", LIBRARY.parent / "libhostile_slow_load.so", cls.other)
        ran = cls.shared / "ran"
        ran.mkdir()
        shutil.copy(cls.image, ran / LIBRARY.name)
        cls.recorded = cls.shared / "recorded.walk"
        done = walkabout("run", "-q", "-i", "1ms", "-o", cls.recorded, "--", *app("native"), "nest", "2",
                         env=clean_environment(LD_LIBRARY_PATH=str(ran)))
        assert done.returncode == 0, done
        shutil.rmtree(ran)

    def setUp(self) -> None:
        super().setUp()
        self.walk = self.folder / "app.walk"
        shutil.copy(self.recorded, self.walk)
        self.cache = {"DEBUGINFOD_CACHE_PATH": str(self.folder / "cache")}

    def symbols(self, *options, expect: int = 0, **environment: str) -> Done:
        done = walkabout("symbols", self.walk, *options, env=clean_environment(**self.cache, **environment))
        self.assertEqual(done.returncode, expect, done)
        return done

    def library(self, *options, expect: int = 0, **environment: str) -> dict:
        """What --json says of the library."""
        result = json.loads(self.symbols("--json", *options, expect=expect, **environment).stdout)
        for key in ("addresses", "named_before", "named"):
            self.assertEqual(result[key], sum(library[key] for library in result["libraries"]), key)
        found = [library for library in result["libraries"] if library["path"].endswith(LIBRARY.name)]
        self.assertEqual(len(found), 1, result)
        return found[0] | {"written": result["written"], "problems": result["problems"]}

    def has_names(self, path: pathlib.Path) -> bool:
        return any(HIDDEN in frame for frame in Recording(path, Done(0, "", "")).frames())

    def assert_named(self, library: dict, source: str) -> None:
        self.assertEqual((library["from"], library["build_id"]), (source, self.build_id), library)
        self.assertLess(library["named_before"], library["named"], library)
        self.assertEqual((library["named"], library["why"]), (library["addresses"], ""), library)
        self.assertTrue(self.has_names(self.walk))

    def assert_as_it_was(self) -> None:
        self.assertEqual(self.walk.read_bytes(), self.recorded.read_bytes())
        self.assertEqual([path.name for path in self.folder.glob("*.tmp")], [])

    def test_without_sources_nothing_changes_and_the_reason_is_reported(self) -> None:
        library = self.library()
        self.assertEqual((library["named"], library["written"]), (library["named_before"], ""), library)
        self.assertIn("No such file", library["why"])
        self.assert_as_it_was()
        text = self.symbols().stdout
        self.assertIn("without a name, and why:", text)
        self.assertIn("nothing new", text)
        self.assertFalse(self.has_names(self.walk))

    def test_build_id_folder(self) -> None:
        place = self.folder / "store" / ".build-id" / self.build_id[:2] / f"{self.build_id[2:]}.debug"
        place.parent.mkdir(parents=True)
        shutil.copy(self.debug_file, place)
        library = self.library("--folder", self.folder / "store")
        self.assert_named(library, "folder")
        self.assertEqual(library["place"], str(place))

    def test_folder_of_files_with_any_name(self) -> None:
        deep = self.folder / "store" / "a" / "b"
        deep.mkdir(parents=True)
        shutil.copy(self.other, deep / "libhostile.so.debug")
        shutil.copy(self.debug_file, deep / "whatever")
        os.mkfifo(deep / "pipe")
        (deep / "round").symlink_to("..")
        self.assert_named(self.library("--folder", self.folder / "store"), "folder")

    def test_naming_twice_changes_nothing_more(self) -> None:
        self.symbols("--folder", self.shared)
        named = self.walk.read_bytes()
        library = self.library("--folder", self.shared)
        self.assertEqual((library["from"], library["named"]), ("recording", library["addresses"]))
        self.assertEqual(self.walk.read_bytes(), named)

    def test_another_file(self) -> None:
        out = self.folder / "out.walk"
        self.assertIn("wrote", self.symbols("--folder", self.shared, "-o", out).stdout)
        self.assertTrue(self.has_names(out))
        self.assert_as_it_was()

    def test_only_names_change(self) -> None:
        before, frames = Recording(self.walk, None).stats(), Recording(self.walk, None).stacks()
        self.symbols("--folder", self.shared)
        after = Recording(self.walk, None).stats()
        for key in before.keys() - {"file_bytes", "bytes_per_sample"}:
            self.assertEqual(before[key], after[key], key)
        self.assertEqual(sum(w for _, w in frames), sum(w for _, w in Recording(self.walk, None).stacks()))

    def test_links_and_modes_stay(self) -> None:
        self.walk.chmod(0o640)
        link = self.folder / "link.walk"
        link.symlink_to(self.walk.name)
        done = walkabout("symbols", link, "--folder", self.shared)
        self.assertEqual(done.returncode, 0, done)
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.walk.stat().st_mode & 0o777, 0o640)
        self.assertTrue(self.has_names(self.walk))

    def test_debuginfod(self) -> None:
        store = self.folder / "store"
        store.mkdir()
        shutil.copy(self.debug_file, store)
        with debuginfod(store, self.folder / "debuginfod.sqlite", self.build_id) as url:
            self.assert_named(self.library("--debuginfod", url), "debuginfod")
            shutil.copy(self.recorded, self.walk)
            self.assert_named(self.library(DEBUGINFOD_URLS=url), "debuginfod")

    def symbol_server(self) -> Server:
        server = Server()
        self.addCleanup(server.close)
        return server

    def debug_path(self) -> str:
        return f"/_.debug/elf-buildid-sym-{self.build_id}/_.debug"

    def image_path(self) -> str:
        return f"/libhostile.so/elf-buildid-{self.build_id}/libhostile.so"

    def test_symbol_server(self) -> None:
        server = self.symbol_server()
        server.files[self.debug_path()] = self.debug_file.read_bytes()
        library = self.library("--symbol-server", server.url + "/")
        self.assert_named(library, "symbol server")
        self.assertEqual(library["place"], server.url + self.debug_path())
        self.assertEqual(len(server.requests), len(set(server.requests)), "nothing is asked for twice")

    def test_symbol_server_of_the_environment_has_the_library_itself(self) -> None:
        server = self.symbol_server()
        server.moved[self.image_path()] = "/elsewhere"
        server.files["/elsewhere"] = LIBRARY.read_bytes()
        self.assert_named(self.library(WALKABOUT_SYMBOL_SERVER=server.url), "symbol server")
        self.assertIn(self.debug_path(), server.requests)

    def test_no_server_is_used_unless_named(self) -> None:
        """Then the libraries that could do it are not even loaded."""
        loads = lambda *options: self.symbols(*options, LD_DEBUG="libs").stderr
        server = self.symbol_server()
        self.assertNotRegex(loads(), "libcurl|libdebuginfod")
        self.assertRegex(loads("--symbol-server", server.url), "libcurl")
        self.assertRegex(loads("--debuginfod", server.url), "libdebuginfod")

    def test_unreachable_server(self) -> None:
        url = f"http://127.0.0.1:{free_port()}"
        for option in ("--symbol-server", "--debuginfod"):
            done = self.symbols(option, url, expect=1)
            self.assertIn("cannot be asked", done.stderr)
            self.assertIn(option, done.stderr)
            self.assertEqual(done.stderr.count("cannot be asked"), 1, "reported once")
            self.assert_as_it_was()
        library = self.library("--symbol-server", url, "--folder", self.shared, expect=1)
        self.assert_named(library, "folder")

    def test_server_that_fails(self) -> None:
        server = self.symbol_server()
        server.status = 503
        self.assertIn("the server says 503", self.symbols("--symbol-server", server.url, expect=1).stderr)
        self.assert_as_it_was()

    def refused(self, content: bytes, *messages: str, cut: bool = False) -> None:
        server = self.symbol_server()
        server.files[self.debug_path()] = content
        server.cut = {self.debug_path()} if cut else set()
        library = self.library("--symbol-server", server.url, expect=1)
        self.assertEqual((library["named"], library["written"]), (library["named_before"], ""), library)
        for text in messages:
            self.assertIn(text, " ".join(library["problems"]))
            self.assertIn(text, library["why"])
        self.assert_as_it_was()

    def test_wrong_answers_are_refused(self) -> None:
        whole = self.debug_file.read_bytes()
        self.refused(self.other.read_bytes(), "refused", self.debug_path(), "another build")
        self.refused(whole[:len(whole) // 2], "refused", "cut off")
        self.refused(whole, "cut off", cut=True)
        self.refused(b"<html>please log in</html>", "refused", "not an ELF file")
        self.refused(b"", "refused", "not an ELF file")

    def test_wrong_file_in_a_build_id_folder_is_refused(self) -> None:
        place = self.folder / "store" / ".build-id" / self.build_id[:2] / f"{self.build_id[2:]}.debug"
        place.parent.mkdir(parents=True)
        shutil.copy(self.other, place)
        self.assertIn("another build", self.symbols("--folder", self.folder / "store", expect=1).stderr)
        self.assert_as_it_was()

    def test_wrong_answer_of_debuginfod_is_refused(self) -> None:
        server = self.symbol_server()
        server.files[f"/buildid/{self.build_id}/debuginfo"] = self.other.read_bytes()
        self.assertIn("another build", self.symbols("--debuginfod", server.url, expect=1).stderr)
        self.assert_as_it_was()

    def test_download_cut_off_by_debuginfod(self) -> None:
        server = self.symbol_server()
        path = f"/buildid/{self.build_id}/debuginfo"
        server.files[path] = self.debug_file.read_bytes()
        server.cut = {path}
        done = self.symbols("--debuginfod", server.url, expect=1)
        self.assertIn("libhostile.so did not arrive whole", done.stderr)
        self.assert_as_it_was()

    def test_secrets_of_a_url_are_not_shown(self) -> None:
        server = self.symbol_server()
        server.files[self.debug_path()] = self.debug_file.read_bytes()
        done = self.symbols("--symbol-server", server.url.replace("//", "//user:pa55word@"))
        self.assertIn(server.url, done.stdout)
        self.assertNotIn("pa55word", done.stdout + done.stderr)
        self.assertEqual(self.library()["place"], "symbol server", "the recording does not say which")

    def test_bad_files_and_options(self) -> None:
        for options, code, message in [
                ([self.folder / "missing.walk"], 1, "No such file"),
                ([self.walk, "-o", self.folder / "out.html"], USAGE, "OUT.walk"),
                ([self.walk, "--folder", self.folder / "missing"], USAGE, "missing"),
                ([self.walk, "--debuginfod", "host"], USAGE, "no URL"),
                ([self.walk, "--symbol-server", "ftp://127.0.0.1"], USAGE, "http://"),
                ([self.folder], 1, "no regular file"),
                ([self.walk, "--folder", self.shared, "-o", self.folder / "no" / "out.walk"], 1, "No such file")]:
            done = walkabout("symbols", *options)
            self.assertEqual(done.returncode, code, done)
            self.assertIn(message, done.stderr)
        self.assert_as_it_was()

    def test_damaged_recording_is_not_rewritten_in_place(self) -> None:
        self.walk.write_bytes(self.recorded.read_bytes()[:-100])
        damaged = self.walk.read_bytes()
        done = self.symbols("--folder", self.shared, expect=1)
        self.assertIn("-o", done.stderr)
        self.assertEqual(self.walk.read_bytes(), damaged)
        out = self.folder / "out.walk"
        self.assertIn("could not be read", self.symbols("--folder", self.shared, "-o", out).stderr)
        self.assertTrue(self.has_names(out))
        self.walk.write_bytes(b"\x7fELF no recording")
        self.assertIn("app.walk", self.symbols(expect=1).stderr)

    def test_read_only_folder(self) -> None:
        script = ('mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" symbols "$1/app.walk" --folder "$3"')
        done = execute("unshare", "-Urm", "sh", "-c", script, "sh", self.folder, CLI, self.shared)
        self.assertEqual(done.returncode, 1, done)
        for text in ("Read-only file system", "as it was", "-o"):
            self.assertIn(text, done.stderr)
        self.assert_as_it_was()

    def test_full_disk(self) -> None:
        small = self.folder / "small"
        small.mkdir()
        script = ('mount -t tmpfs -o size="$4" none "$1" && cp "$2" "$1/app.walk" && "$3" symbols "$1/app.walk" --folder "$5"; '
                  'code=$?; cmp "$2" "$1/app.walk" && [ $(ls "$1" | wc -l) = 1 ] && exit $code; exit 99')
        size = self.walk.stat().st_size * 3 // 2
        done = execute("unshare", "-Urm", "sh", "-c", script, "sh", small, self.walk, CLI, str(size), self.shared)
        self.assertEqual(done.returncode, 1, done)
        self.assertIn("No space left", done.stderr)

    def test_container_is_named_with_its_own_files(self) -> None:
        inside = self.folder / "inside"
        inside.mkdir()
        script = ('mount -t tmpfs none "$1" && cp "$2" "$1" && shift 2 && exec "$@"')
        recording = self.record(["unshare", "-Urm", "sh", "-c", script, "sh", inside, LIBRARY, *app("native"), "nest", "2"],
                                "-i", "1ms", env={"LD_LIBRARY_PATH": str(inside)})
        self.assertEqual(list(inside.iterdir()), [], "the library is in the namespace alone")
        self.assertTrue(self.has_names(recording.path))


if __name__ == "__main__":
    main()
