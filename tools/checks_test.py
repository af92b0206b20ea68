#!/usr/bin/env python3
"""The checks see what they are for: each is shown a tree that breaks its rule."""
import pathlib
import subprocess
import tempfile
import unittest

import check_agent_exports
import check_callback_stack
import check_docs
import check_handler_symbols
import check_includes
import check_names
import check_test_names
import check_tests_built
import failed_tests

TABLE = """## Folders and who may include whom
| folder | what | includes |
|---|---|---|
| base | | |
| base/linux | | base |
| wire | | base |
| unwind/code | | base, wire/frame.h |
| unwind/walk | | base, unwind/code |
| agent/core | | base, wire, unwind |
| agent/linux | | base, base/linux, agent/core |
"""


class Scratch(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def write(self, name: str, text: str = "") -> pathlib.Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path


class Includes(Scratch):
    def setUp(self) -> None:
        super().setUp()
        self.write("ARCHITECTURE.md", TABLE)
        for header in ["base/fd.h", "base/linux/ticks.h", "wire/frame.h", "wire/ring.h", "unwind/code/map.h",
                       "unwind/walk/walker.h", "unwind/walk/x64/regs.h", "agent/core/registry.h", "agent/linux/clock.h"]:
            self.write(header)

    def check(self, name: str, *includes: str) -> list[str]:
        self.write(name, "".join(f'#include "{header}"\n' for header in includes))
        return check_includes.problems(self.root)

    def test_what_the_table_allows(self) -> None:
        self.assertEqual(self.check("unwind/code/a.cc", "base/fd.h", "wire/frame.h", "unwind/code/map.h"), [])
        self.assertEqual(self.check("agent/linux/a.cc", "agent/core/registry.h", "base/linux/ticks.h"), [])
        self.assertEqual(self.check("unwind/walk/x64/a.cc", "unwind/walk/walker.h", "unwind/code/map.h"), [])

    def test_a_folder_without_a_row_is_all_below_it(self) -> None:
        self.assertEqual(self.check("agent/core/a.cc", "unwind/walk/walker.h", "unwind/walk/x64/regs.h"), [])

    def test_against_the_flow(self) -> None:
        self.assertEqual(len(self.check("base/a.cc", "wire/ring.h")), 1)
        (self.root / "base/a.cc").unlink()
        self.assertEqual(len(self.check("unwind/code/a.cc", "unwind/walk/walker.h")), 1)

    def test_another_header_of_a_folder_of_which_one_is_allowed(self) -> None:
        self.assertIn("wire/ring.h", self.check("unwind/code/a.cc", "wire/frame.h", "wire/ring.h")[0])

    def test_what_is_for_one_system(self) -> None:
        self.assertEqual(len(self.check("agent/core/a.cc", "base/linux/ticks.h")), 1)
        self.assertEqual(len(self.check("agent/core/a_windows.cc", "base/linux/ticks.h")), 2)
        (self.root / "agent/core/a.cc").unlink()
        (self.root / "agent/core/a_windows.cc").unlink()
        self.assertEqual(self.check("agent/core/a_linux.cc", "base/linux/ticks.h"), [])

    def test_tests_see_their_top_folder(self) -> None:
        self.assertEqual(self.check("unwind/code/a_test.cc", "unwind/walk/walker.h"), [])
        self.assertEqual(self.check("agent/core/fake_world.h", "agent/linux/clock.h"), [])
        self.assertEqual(len(self.check("base/a_test.cc", "wire/ring.h")), 1)

    def test_relative_include(self) -> None:
        self.assertEqual(len(self.check("wire/a.cc", "ring.h")), 1)

    def test_a_folder_that_nobody_knows(self) -> None:
        self.assertIn("not in the table", self.check("other/a.cc")[0])

    def test_a_circle(self) -> None:
        self.write("ARCHITECTURE.md", TABLE.replace("| wire | | base |", "| wire | | base, unwind |"))
        self.assertIn("unwind/code → wire → unwind/code", check_includes.problems(self.root)[0])


class Names(Scratch):
    def test_one_name_one_file(self) -> None:
        for name in ["agent/linux/clock.h", "agent/windows/clock.h", "unwind/x64/plt.cc", "unwind/arm64/plt.cc", "a/one.h",
                     "tests/apps/a/one.h", "tests/apps/b/one.h"]:
            self.write(name)
        self.assertEqual(check_names.problems(self.root), [])
        self.write("b/one.h")
        self.write("agent/linux/session/clock.h")
        self.write("web/src/model/one.h")
        self.assertEqual(len(check_names.problems(self.root)), 2)


class TestNames(Scratch):
    def test_what_two_tests_define_has_two_names(self) -> None:
        self.write("a/one_test.cc", "constexpr int kOne = 1;\nstd::string text(int i) {\n  int local = i;\n}\nusing A = b::A;\n"
                                    "struct Fixture {\n  int local;\n};\nTEST(A, B) {\n}\n")
        self.write("a/two_test.cc", "constexpr int kTwo = 1;\nusing testing::text;\nclass Other {\n  int local;\n};\nTEST(A, C) {\n}\n")
        self.write("b/three_test.cc", "constexpr int kOne = 1;\n")
        self.write("a/linux/four_test.cc", "int by_system();\n")
        self.write("a/five_windows_test.cc", "int by_system();\n")
        self.assertEqual(check_test_names.problems(self.root), [])
        self.write("a/six_test.cc", "const std::vector<int> kOne{1};\n\nstruct A {\n};\nint by_system() {\n}\n")
        self.assertEqual(check_test_names.problems(self.root), [
            "a/five_windows_test.cc and a/six_test.cc define by_system", "a/linux/four_test.cc and a/six_test.cc define by_system",
            "a/one_test.cc and a/six_test.cc define A", "a/one_test.cc and a/six_test.cc define kOne"])


class TestsBuilt(Scratch):
    def test_tests_left_out_are_named(self) -> None:
        built = self.write("wire/built_test.cc")
        self.write("wire/forgotten_test.cc")
        self.write("build/wire/copy_test.cc")
        self.write("tests/e2e/run_test.py")
        self.write("tests/e2e/forgotten_test.py")
        found = check_tests_built.problems(self.root, {built}, "python3 tests/e2e/run_test.py")
        self.assertEqual(found, ["wire/forgotten_test.cc: is in no test program",
                                 "tests/e2e/forgotten_test.py: no test of ctest runs it"])

    def test_windows_has_its_own(self) -> None:
        self.write("agent/windows/forgotten_test.cc")
        self.assertEqual(check_tests_built.problems(self.root, set(), ""), [])
        self.assertEqual(check_tests_built.problems(self.root, set(), "", windows=True),
                         ["agent/windows/forgotten_test.cc: is in no test program"])


class HandlerSymbols(Scratch):
    def check(self, source: str, allowed: set[str]) -> list[str]:
        path = self.write("handler.c", source)
        library = str(self.root / "handler.a")
        subprocess.check_call(["cc", "-c", "-O1", "-ffunction-sections", str(path), "-o", f"{library}.o"])
        subprocess.check_call(["ar", "rc", library, f"{library}.o"])
        called = check_handler_symbols.needed(["handler"], [library])
        return check_handler_symbols.problems(called, allowed | {"_GLOBAL_OFFSET_TABLE_"})

    def test_malloc_behind_a_call_is_seen(self) -> None:
        found = self.check("""void* malloc(unsigned long);
                              __attribute__((noinline)) void* inner(void) { return malloc(8); }
                              void* handler(void) { return inner(); }""", {"memcpy"})
        self.assertEqual(len(found), 1)
        self.assertIn("malloc", found[0])

    def test_what_the_handler_does_not_reach_does_not_count(self) -> None:
        self.assertEqual(self.check("""int close(int); void* malloc(unsigned long);
                                       void* start(void) { return malloc(8); }
                                       __attribute__((constructor)) void at_load(void) { start(); }
                                       void handler(void) { close(1); }""", {"close"}), [])

    def test_a_handler_that_is_not_there_proves_nothing(self) -> None:
        with self.assertRaises(SystemExit):
            self.check("void other(void) {}", set())

    def test_comments_of_the_allowlist(self) -> None:
        self.assertEqual(check_handler_symbols.read_allowlist("# why\nmemcpy  # copies\n\nread\n"), {"memcpy", "read"})


class CallbackStack(Scratch):
    # The names of the agent's functions, in a library that does nothing.
    CODE = """
        #define CALLBACKS void EventPipeEventDelivered(int); void RuntimeSuspendStarted(int); void RuntimeThreadSuspended(int); void ThreadDestroyed(int);
        #define PARTS void on_event(int); void on_callback(int); void on_suspension(int); void on_thread_end(int); void on_thread_stopped(int);
        namespace walkabout::clr { template <typename T> struct Reporting { CALLBACKS }; }
        using walkabout::clr::Reporting;
        __attribute__((noinline)) void fill(volatile char* room) { *room = 1; }
        namespace walkabout::agent {
        struct Profiler { CALLBACKS void called(int); void on_suspension(int); };
        struct Source { PARTS };  struct GcSource { PARTS };
        __attribute__((noinline)) void write_stack(int) { volatile char room[100000]; fill(room); }
        __attribute__((noinline)) void capture(int n) { volatile char room[OF_CAPTURE]; fill(room); write_stack(n); fill(room); }
        void Profiler::EventPipeEventDelivered(int) { volatile char room[64]; fill(room); }
        void Profiler::RuntimeSuspendStarted(int) {}  void Profiler::RuntimeThreadSuspended(int) {}  void Profiler::ThreadDestroyed(int) {}
        void Profiler::called(int) {}  void Profiler::on_suspension(int) {}
        void Source::on_event(int) {}  void Source::on_thread_stopped(int) {}
        void GcSource::on_event(int n) { capture(n); fill(nullptr); }
        void GcSource::on_callback(int) {}  void GcSource::on_suspension(int) {}  void GcSource::on_thread_end(int) {}
        void GcSource::on_thread_stopped(int) {}
        }
        template <> void Reporting<walkabout::agent::Profiler>::EventPipeEventDelivered(int) {}
        template <> void Reporting<walkabout::agent::Profiler>::RuntimeSuspendStarted(int) {}
        template <> void Reporting<walkabout::agent::Profiler>::RuntimeThreadSuspended(int) {}
        template <> void Reporting<walkabout::agent::Profiler>::ThreadDestroyed(int) {}"""

    def check(self, code: str) -> list[str]:
        path = self.write("agent.cc", code)
        library = str(self.root / "agent.so")
        subprocess.check_call(["c++", "-shared", "-fPIC", "-fvisibility=hidden", "-O1", str(path), "-o", library])
        disassembly = subprocess.check_output(["objdump", "-dC", "--no-show-raw-insn", library], text=True)
        return check_callback_stack.problems(check_callback_stack.functions(disassembly))

    def test_what_calls_take_is_added_up(self) -> None:
        self.assertEqual(self.check(self.CODE.replace("OF_CAPTURE", "600")), [])
        found = self.check(self.CODE.replace("OF_CAPTURE", "1000"))
        self.assertEqual(len(found), 1)
        self.assertRegex(found[0], r"^1\d\d\d bytes of stack, at most 1024: .*GcSource::on_event\(int\), .*capture\(int\)")

    def test_an_agent_without_these_functions_proves_nothing(self) -> None:
        self.assertIn("where does the runtime call now?", self.check("void other() {}")[0])
        renamed = self.CODE.replace("OF_CAPTURE", "600").replace("GcSource::on_event", "GcSource::on_other")
        self.assertEqual(self.check(renamed.replace("{ PARTS };", "{ PARTS void on_other(int); };")), ["there is no source with on_event()"])

    def test_frames_are_read_as_compilers_make_them(self) -> None:
        frames = {"sub    $0x408,%rsp": 1032, "add    $0xffffffffffffff80,%rsp": 128, "push   %rbx": 8, "sub    %rax,%rsp": 0}
        for code, size in frames.items():
            function = check_callback_stack.functions(f"0000000000001000 <f(int)>:\n    1000:\t{code}\n")["f(int)"]
            self.assertEqual((function.frame, function.unknown), (size, size == 0), code)


class AgentExports(unittest.TestCase):
    GOOD = {"DllGetClassObject", "DllCanUnloadNow"}

    def test_good(self) -> None:
        self.assertEqual(check_agent_exports.problems(self.GOOD, {"libc.so.6", "ld-linux-x86-64.so.2"}), [])

    def test_bad(self) -> None:
        self.assertEqual(len(check_agent_exports.problems(self.GOOD | {"malloc"}, set())), 1)
        self.assertEqual(len(check_agent_exports.problems({"DllGetClassObject"}, set())), 1)
        self.assertEqual(len(check_agent_exports.problems(self.GOOD, {"libstdc++.so.6"})), 1)

    def test_nothing_of_a_newer_glibc(self):
        line = "0000000000000000      DF *UND*  0000000000000000 (GLIBC_{}) {}\n"
        old = line.format("2.2.5", "dlsym") + line.format("2.31", "open") + line.format("2.4", "ppoll")
        self.assertEqual(check_agent_exports.too_new(old), [])
        new = line.format("2.34", "dlsym") + line.format("3.1", "open")
        self.assertEqual(check_agent_exports.too_new(old + new),
                         ["needs dlsym of glibc 2.34", "needs open of glibc 3.1"])

    def test_it_stays_small(self):
        sizes = "   text\t   data\t    bss\t    dec\t    hex\tfilename\n {}\t   9120\t {}\t1\t1\tlibwalkabout.so\n"
        self.assertEqual(check_agent_exports.too_large(sizes.format(604928, 527312)), [])
        self.assertEqual(check_agent_exports.too_large(sizes.format(1450000, 920000)),
                         ["text: 1,450,000 bytes, at most 1,441,792", "data + bss: 929,120 bytes, at most 917,504"])


class Docs(Scratch):
    def test_good(self) -> None:
        self.write("docs/other.md", "# A heading: `code`, and more\n")
        self.write("README.md", "[a](docs/other.md#a-heading-code-and-more) [b](https://github.com/a) [c](#top)\n# Top\n")
        self.assertEqual(check_docs.problems(self.root), [])

    def test_bad(self) -> None:
        for text in ["[a](missing.md)", "![a](missing.png)", "[a](#nowhere)", "https:/" + "/packages.example/simple",
                     "see /work/" + "main/x"]:
            self.write("README.md", text)
            self.assertEqual(len(check_docs.problems(self.root)), 1, text)


CTEST_LOG = """\
        Start  1: Unit.Good
 1/4 Test  #1: Unit.Good .....................   Passed    0.01 sec
        Start  2: e2e.bad
        Start  3: Unit.Skipped
 2/4 Test  #2: e2e.bad .......................***Failed    2.17 sec
AssertionError: 3 != 4

 3/4 Test  #3: Unit.Skipped ..................***Skipped   0.00 sec
why it was skipped
 4/4 Test  #4: e2e.slow ......................***Timeout  60.00 sec

75% tests passed, 2 tests failed out of 4
"""


class FailedTests(unittest.TestCase):
    def test_only_what_failed_and_what_it_printed(self) -> None:
        found = failed_tests.failed(CTEST_LOG.splitlines())
        self.assertEqual([name for name, _ in found], ["e2e.bad ***Failed    2.17 sec", "e2e.slow ***Timeout  60.00 sec"])
        self.assertEqual(found[0][1], ["AssertionError: 3 != 4", ""])
        self.assertEqual(found[1][1], [""])


if __name__ == "__main__":
    unittest.main()
