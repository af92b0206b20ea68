#include "profile/build/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "profile/model/test_recording.h"
#include "profile/model/test_stacks.h"
#include "profile/query/totals.h"

namespace walkabout::profile {
namespace {

using testing::lines;
using testing::path;
using testing::TestRecording;
using wire::Frame;
using wire::FrameKind;

struct Fixture {
  explicit Fixture(BuildOptions options = {}) : builder(options), emit(builder) {}
  Builder builder;
  TestRecording emit;
  Profile build() { return builder.build(""); }
};
uint8_t flag(wire::SampleFlag f) { return static_cast<uint8_t>(f); }

TEST(Builder, NamesAMixedStack) {
  Fixture f;
  const auto libc = f.emit.module("/lib/x86_64-linux-gnu/libc.so.6");
  const auto r2r = f.emit.module("/app/System.Private.CoreLib.dll", wire::ModuleKind::kReadyToRun);
  f.builder.on_method_range({r2r, 100, 200, f.emit.method("System.Array", "Sort", "System.Int32[]")});
  const auto thread = f.emit.thread(".NET TP Worker", 7);
  const auto stack =
      f.emit.stack({f.emit.jitted("Demo.Program", "Main"), Frame::in_code(FrameKind::kReadyToRun, r2r, 150),
                    TestRecording::native(libc, 0x510)});
  f.emit.symbols(libc, false, {{0x500, 0x600, "qsort", "", false}});
  f.emit.sample(thread, 10, 1000, stack);
  const Profile p = f.build();
  EXPECT_EQ(lines(p), ".NET TP Worker 10 1000 native Demo.Program.Main();System.Array.Sort(int[]);qsort\n");
  EXPECT_EQ(p.frames[p.nodes[p.samples[0].node].frame].module, "libc.so.6");
  EXPECT_EQ(p.total_weight, 1000u);
  EXPECT_EQ(p.duration_us, 10u);
}

TEST(Builder, ACallerIsNamedByTheCallBeforeItsReturnAddress) {
  Fixture f;
  const auto lib = f.emit.module("/app/libdemo.so");
  f.emit.symbols(lib, false, {{0x100, 0x200, "first", "", false}, {0x200, 0x300, "second", "", false}});
  const auto thread = f.emit.thread("t", 1);
  // `first` ends with a call that does not return: its return address is `second`'s first byte.
  const auto caller = f.emit.stack({TestRecording::native(lib, 0x200)});
  f.emit.sample(thread, 1, 1, f.emit.push(caller, TestRecording::native(lib, 0x200)));
  const Profile p = f.build();
  EXPECT_EQ(path(p, p.samples[0].node), "first;second");
}

TEST(Builder, AllTiersAndOffsetsOfAMethodAreOneFrame) {
  Fixture f;
  const auto method = f.emit.method("Demo.Program", "Loop");
  const auto tier0 = f.emit.jit(method);
  const auto tier1 = f.emit.jit(method);
  const auto thread = f.emit.thread("t", 1);
  f.emit.sample(thread, 1, 1, f.emit.stack({Frame::in_code(FrameKind::kJitted, tier0, 1)}));
  f.emit.sample(thread, 2, 1, f.emit.stack({Frame::in_code(FrameKind::kJitted, tier0, 9)}));
  f.emit.sample(thread, 3, 1, f.emit.stack({Frame::in_code(FrameKind::kJitted, tier1, 1)}));
  const Profile p = f.build();
  EXPECT_EQ(p.frames.size(), 1u);
  EXPECT_EQ(p.nodes.size(), 2u);
}

TEST(Builder, FoldsRunsOfUnnamedFramesPerLibrary) {
  const auto build = [](bool unfold) {
    Fixture f({.unfold = unfold});
    const auto clr = f.emit.module("/usr/share/dotnet/libcoreclr.so");
    const auto jit = f.emit.module("/usr/share/dotnet/libclrjit.so");
    f.emit.symbols(clr, true,
                   {{0x100, 0x200, "coreclr_execute_assembly", "", false},
                    {0x200, 0x380, "coreclr_x+0x0", "", true},
                    {0x380, 0x900, "coreclr_x+0x180", "", true}});
    const auto thread = f.emit.thread("t", 1);
    f.emit.sample(thread, 1, 1,
                  f.emit.stack({TestRecording::native(clr, 0x110), TestRecording::native(clr, 0x300),
                                TestRecording::native(clr, 0x400), TestRecording::native(jit, 0x10),
                                TestRecording::native(jit, 0x20), TestRecording::native(clr, 0x1000)}));
    return f.build();
  };
  const Profile folded = build(false);
  EXPECT_EQ(lines(folded),
            "t 1 1 jit coreclr_execute_assembly;[libcoreclr.so];[libclrjit.so];[libcoreclr.so]\n");
  EXPECT_EQ(folded.stripped, std::vector<std::string>{"libcoreclr.so"});
  const Profile unfolded = build(true);
  EXPECT_EQ(lines(unfolded),
            "t 1 1 jit "
            "coreclr_execute_assembly;coreclr_x+0x0;coreclr_x+0x180;libclrjit.so+0x10;libclrjit.so+0x20;"
            "libcoreclr.so+0x1000\n");
}

TEST(Builder, KnowsTheRuntimesOwnLibraries) {
  Fixture f;
  const auto thread = f.emit.thread("t", 1);
  for (const char* name :
       {"/x/libcoreclr.so", "/x/libSystem.Native.so", "/x/libhostfxr.so", "/usr/bin/dotnet",
        "/x/libSystem.Security.Cryptography.Native.OpenSsl.so", "/x/libdemo.so", "/x/dotnet.so"}) {
    f.emit.sample(thread, 1, 1, f.emit.stack({TestRecording::native(f.emit.module(name), 1)}));
  }
  const Profile p = f.build();
  std::string kinds;
  for (const DisplayFrame& frame : p.frames) kinds += std::string(to_string(frame.kind)) + " ";
  EXPECT_EQ(kinds, "runtime runtime runtime runtime runtime native native ");
}

TEST(Builder, ASingleFileProgramHasTheRuntimeInside) {
  const auto kind_of_program = [](bool separate_runtime) {
    Fixture f;
    f.builder.on_session({.command_line = "./app --fast"});
    const auto app = f.emit.module("/srv/app");
    if (separate_runtime) f.emit.module("/x/libcoreclr.so");
    f.emit.sample(f.emit.thread("t", 1), 1, 1, f.emit.stack({TestRecording::native(app, 1)}));
    return f.build().frames[0].kind;
  };
  EXPECT_EQ(kind_of_program(false), Kind::kRuntime);
  EXPECT_EQ(kind_of_program(true), Kind::kNative);
}

TEST(Builder, ReportsWhatTheThreadWasDoing) {
  Fixture f;
  const auto managed = f.emit.stack({f.emit.jitted("A", "B")});
  const auto jit = f.emit.push(managed, TestRecording::native(f.emit.module("/x/libclrjit.so"), 1));
  const auto libc_in_jit = f.emit.push(jit, TestRecording::native(f.emit.module("/x/libc.so.6"), 1));
  const auto gc = f.emit.stack({TestRecording::native(f.emit.module("/x/libclrgc.so"), 1)});
  const auto stub = f.emit.push(managed, Frame::at_address(FrameKind::kStub, 0x7000));
  const auto unknown = f.emit.push(managed, Frame::at_address(FrameKind::kUnknown, 0x7000));
  const auto worker = f.emit.thread("worker", 1);
  const auto rooted = wire::WalkEnd::kRooted;
  f.emit.sample(worker, 1, 1, managed);
  f.emit.sample(worker, 2, 1, managed, rooted, flag(wire::SampleFlag::kInGc));
  f.emit.sample(worker, 3, 1, managed, rooted, flag(wire::SampleFlag::kInJit));
  f.emit.sample(worker, 4, 1, jit, rooted, flag(wire::SampleFlag::kInGc));
  f.emit.sample(worker, 5, 1, libc_in_jit);
  f.emit.sample(worker, 6, 1, gc);
  f.emit.sample(worker, 7, 1, stub);
  f.emit.sample(worker, 8, 1, unknown);
  f.emit.sample(f.emit.thread(".NET Server GC", 2), 9, 1, managed);
  f.emit.sample(f.emit.thread(".NET BGC", 3), 10, 1, managed);
  const Profile p = f.build();
  std::string activities;
  for (const Sample& s : p.samples) activities += std::string(to_string(s.activity)) + " ";
  EXPECT_EQ(activities, "managed gc jit gc jit runtime runtime native gc gc ");
}

TEST(Builder, HalfStacksAreMarkedAndNotMixedWithWholeOnes) {
  Fixture f;
  const auto thread = f.emit.thread("t", 1);
  const auto stack = f.emit.stack({f.emit.jitted("A", "B"), f.emit.jitted("A", "C")});
  f.emit.sample(thread, 1, 1, stack);
  f.emit.sample(thread, 2, 1, stack, wire::WalkEnd::kBadReturn);
  f.emit.sample(thread, 3, 1, stack, wire::WalkEnd::kBadReturn);
  f.emit.sample(thread, 4, 1, base::StackId());
  const Profile p = f.build();
  EXPECT_EQ(path(p, p.samples[0].node), "A.B();A.C()");
  EXPECT_EQ(path(p, p.samples[1].node), "[cut off: bad return];A.B();A.C()");
  EXPECT_EQ(p.samples[1].node, p.samples[2].node);
  EXPECT_EQ(path(p, p.samples[3].node), "[no frames]");
}

TEST(Builder, StacksOfSeveralTreesAreOneTree) {
  Fixture f;
  const auto thread = f.emit.thread("t", 1);
  const auto main = f.emit.jitted("A", "Main"), work = f.emit.jitted("A", "Work");
  f.emit.sample(thread, 1, 1, f.emit.stack({main, work}));
  f.emit.new_tree();
  const auto second = f.emit.stack({main});
  f.emit.sample(thread, 2, 2, second);
  f.emit.sample(thread, 3, 3, f.emit.push(second, work));
  f.emit.sample(thread, 4, 4, base::StackId());
  const Profile p = f.build();
  EXPECT_EQ(lines(p),
            "t 1 1 managed A.Main();A.Work()\nt 2 2 managed A.Main()\nt 3 3 managed A.Main();A.Work()\n"
            "t 4 4 native [no frames]\n");
  EXPECT_EQ(p.samples[0].node, p.samples[2].node);
}

TEST(Builder, ReportsHowManyFramesWereLeftOut) {
  Fixture f;
  f.emit.sample(f.emit.thread("t", 1), 1, 1,
                f.emit.stack({f.emit.jitted("A", "B"), Frame::at_address(FrameKind::kLeftOut, 512),
                              f.emit.jitted("A", "C")}));
  const Profile p = f.build();
  EXPECT_EQ(path(p, p.samples[0].node), "A.B();[left out 512 frames];A.C()");
}

TEST(Builder, ThreadsByTheirDotNetNameElseTheOsName) {
  Fixture f;
  f.emit.thread("worker", 11, "Sorter");
  f.emit.thread("worker", 12);
  f.emit.thread("", 13);
  const Profile p = f.build();
  ASSERT_EQ(p.threads.size(), 3u);
  EXPECT_EQ(p.threads[0].name, "Sorter");
  EXPECT_EQ(p.threads[1].name, "worker");
  EXPECT_EQ(p.threads[2].name, "thread 13");
}

TEST(Builder, SumsUpPerThread) {
  Fixture f;
  const auto a = f.emit.thread("a", 1);
  const auto b = f.emit.thread("b", 2);
  const auto stack = f.emit.stack({f.emit.jitted("A", "B")});
  f.emit.sample(a, 1, 10, stack);
  f.emit.sample(b, 2, 5, stack);
  f.emit.sample(a, 3, 10, stack);
  f.builder.on_thread_end({b, 9, 0});
  const Profile p = f.build();
  EXPECT_EQ(p.threads[0].samples, 2u);
  EXPECT_EQ(p.threads[0].weight, 20u);
  EXPECT_EQ(p.threads[1].weight, 5u);
  EXPECT_EQ(p.total_weight, 25u);
  EXPECT_EQ(p.duration_us, 9u);
}

TEST(Builder, TimeAfterTheLastSampleOfAThreadBelongsToIt) {
  Fixture f;
  const auto a = f.emit.thread("a", 1);
  const auto b = f.emit.thread("never sampled", 2);
  const auto stack = f.emit.stack({f.emit.jitted("A", "B")});
  f.emit.sample(a, 1, 10, stack);
  f.emit.sample(a, 3, 10, stack);
  f.builder.on_thread_end({a, 9, 77});
  f.builder.on_thread_end({b, 9, 5});
  const Profile p = f.build();
  EXPECT_EQ(p.samples[0].weight, 10u);
  EXPECT_EQ(p.samples[1].weight, 87u);
  EXPECT_EQ(p.threads[0].unsampled_ns, 0u);
  EXPECT_EQ(p.threads[1].unsampled_ns, 5u);
  EXPECT_EQ(p.total_weight, 97u);
}

TEST(Builder, PutsSamplesInTimeOrder) {
  Fixture f;
  const auto a = f.emit.thread("a", 1);
  const auto b = f.emit.thread("b", 2);
  const auto stack = f.emit.stack({f.emit.jitted("A", "B")});
  f.emit.sample(a, 10, 1, stack);
  f.emit.sample(a, 30, 1, stack);
  f.emit.sample(b, 20, 1, stack);
  const Profile p = f.build();
  EXPECT_EQ(lines(p), "a 10 1 managed A.B()\nb 20 1 managed A.B()\na 30 1 managed A.B()\n");
}

TEST(Builder, CodeTheRecordingNeverExplainsIsShownAsSuch) {
  Fixture f;
  const auto dll = f.emit.module("/app/Lib.dll", wire::ModuleKind::kReadyToRun);
  f.emit.sample(f.emit.thread("t", 1), 1, 1,
                f.emit.stack({TestRecording::native(base::CodeId(99), 5),
                              Frame::in_code(FrameKind::kJitted, base::CodeId(98), 5),
                              Frame::in_code(FrameKind::kReadyToRun, dll, 5),
                              Frame::at_address(FrameKind::kUnknown, 5)}));
  const Profile p = f.build();
  EXPECT_EQ(path(p, p.samples[0].node), "[unknown library];[managed code];[Lib.dll];[unknown]");
}

// Sums of a profile that is bounded are those of one that is not.
void expect_same_sums(const Profile& bounded, const Profile& whole) {
  const Totals a = sum_up(bounded), b = sum_up(whole);
  EXPECT_EQ(a.all.samples, b.all.samples);
  EXPECT_EQ(a.all.weight, b.all.weight);
  EXPECT_EQ(a.walk_end, b.walk_end);
  for (size_t i = 0; i < a.activity.size(); ++i) EXPECT_EQ(a.activity[i].samples, b.activity[i].samples);
  for (size_t i = 0; i < whole.frames.size(); ++i) {
    const std::string& name = whole.frames[i].name;
    size_t at = 0;
    while (at < bounded.frames.size() && bounded.frames[at].name != name) ++at;
    ASSERT_LT(at, bounded.frames.size()) << name;
    EXPECT_EQ(a.frame_self[at].samples, b.frame_self[i].samples) << name;
    EXPECT_EQ(a.frame_self[at].weight, b.frame_self[i].weight) << name;
    EXPECT_EQ(a.frame_total[at].samples, b.frame_total[i].samples) << name;
    EXPECT_EQ(a.frame_total[at].weight, b.frame_total[i].weight) << name;
  }
  for (size_t i = 0; i < whole.threads.size(); ++i) {
    EXPECT_EQ(bounded.threads[i].samples, whole.threads[i].samples);
    EXPECT_EQ(bounded.threads[i].weight, whole.threads[i].weight);
  }
}

std::string messages(const Profile& p) {
  std::string all;
  for (const wire::Message& m : p.messages) all += m.text + "\n";
  return all;
}

TEST(Builder, EqualSamplesOfASpanBecomeOneWhenThereAreTooMany) {
  const auto build = [](size_t most) {
    Fixture f({.bounds = {.samples = most}});
    const auto a = f.emit.thread("a", 1), b = f.emit.thread("b", 2);
    const auto one = f.emit.stack({f.emit.jitted("A", "B")}), two = f.emit.push(one, f.emit.jitted("A", "C"));
    for (uint64_t i = 0; i < 1000; ++i) f.emit.sample(i % 3 == 0 ? a : b, i * 100, 7, i < 500 ? one : two);
    f.builder.on_thread_end({a, 100'000, 77});
    return f.build();
  };
  const Profile whole = build(1 << 20), bounded = build(100);
  EXPECT_EQ(whole.samples.size(), 1000u);
  EXPECT_EQ(whole.thinned.span_us, 0u);
  EXPECT_EQ(messages(whole), "");
  EXPECT_LE(bounded.samples.size(), 101u);
  EXPECT_GT(bounded.samples.size(), 10u) << "and not more than needed";
  EXPECT_THAT(messages(bounded), ::testing::HasSubstr("are one, at the time of the first"));
  expect_same_sums(bounded, whole);
  EXPECT_TRUE(std::is_sorted(bounded.samples.begin(), bounded.samples.end(),
                             [](const Sample& x, const Sample& y) { return x.time_us < y.time_us; }));
}

// Broken by a number of its own for each.
TEST(Builder, AsyncStacksByTurnsBecomeOneTheSame) {
  Fixture f({.async = true, .bounds = {.samples = 100}});
  const auto thread = f.emit.thread("t", 1);
  const auto stack = f.emit.stack({f.emit.jitted("A", "Pool"), f.emit.jitted("A", "Runs")});
  const auto red = f.emit.stack({f.emit.jitted("A", "Red")}),
             blue = f.emit.stack({f.emit.jitted("A", "Blue")});
  for (uint64_t i = 0; i < 1000; ++i) {
    wire::Samples samples{thread, {i * 100},        {7}, {stack}, {wire::WalkEnd::kRooted},
                          {0},    wire::kCpuSource, {}};
    samples.async_joint = {1};
    samples.awaiter = {i % 2 == 0 ? red : blue};
    f.builder.on_samples(samples);
  }
  const Profile p = f.build();
  EXPECT_LE(p.samples.size(), 101u);
  EXPECT_EQ(p.total_weight, 7000u);
  EXPECT_EQ(path(p, p.samples[0].node), "A.Red();A.Runs()");
}

// Trees of stacks that nearly all differ, as recursion in random order makes them, and one hot stack.
Profile varied(const BuildOptions& options, bool wall = false) {
  Fixture f(options);
  if (wall) f.builder.on_source(testing::wall_source());
  const auto thread = f.emit.thread("t", 1);
  std::vector<Frame> functions;
  for (int i = 0; i < 4; ++i) functions.push_back(f.emit.jitted("Demo", "F" + std::to_string(i)));
  const Frame hot = f.emit.jitted("Demo", "Hot");
  uint32_t random = 1;
  for (uint64_t i = 0; i < 3000; ++i) {
    if (i % 100 == 99) f.emit.new_tree();
    auto stack = f.emit.stack({functions[0]});
    for (int depth = 0; depth < 12 && i % 10 != 0; ++depth)
      stack = f.emit.push(stack, functions[(random = random * 1664525 + 1013904223) >> 30]);
    if (i % 10 == 0) stack = f.emit.push(stack, hot);
    f.emit.sample(thread, i, 5 + i % 3, stack,
                  i % 50 == 1 ? wire::WalkEnd::kBadReturn : wire::WalkEnd::kRooted);
    if (wall) f.emit.wall(thread, i, 1'000 + i % 7, stack, wire::ThreadState::kRunning);
  }
  return f.build();
}

TEST(Builder, RareStacksAreCutOffWhenThereAreTooMany) {
  const Profile whole = varied({});
  const Profile bounded = varied({.bounds = {.nodes = 500}});
  EXPECT_GT(whole.nodes.size(), 10'000u);
  EXPECT_LE(bounded.nodes.size(), 500u + 100 * 13);
  EXPECT_THAT(messages(bounded), ::testing::HasSubstr("more stacks than a profile keeps apart"));
  expect_same_sums(bounded, whole);
  const auto of_hot_stack = [](const Profile& p) {
    uint64_t count = 0;
    for (const Sample& s : p.samples) count += path(p, s.node) == "Demo.F0();Demo.Hot()" ? s.count : 0;
    return count;
  };
  EXPECT_EQ(of_hot_stack(bounded), of_hot_stack(whole)) << "what is not rare stays";
}

TEST(Builder, WhatIsCutOffIsOfTheEventThatIsShown) {
  Filter wall;
  wall.event = "wall";
  for (const Filter& filter : {Filter(), wall}) {
    const Profile whole = *filtered(varied({.filter = filter}, true), filter);
    const Profile bounded = *filtered(varied({.bounds = {.nodes = 500}, .filter = filter}, true), filter);
    EXPECT_LT(bounded.nodes.size(), whole.nodes.size());
    expect_same_sums(bounded, whole);
  }
}

TEST(Builder, BothBoundsHoldTogether) {
  const Profile whole = varied({});
  for (const bool in_time_order : {true, false}) {
    const Profile bounded =
        varied({.in_time_order = in_time_order, .bounds = {.samples = 200, .nodes = 500}});
    EXPECT_LE(bounded.samples.size(), 301u);
    expect_same_sums(bounded, whole);
  }
}

TEST(Builder, AFilterChoosesBeforeStacksAreCutOff) {
  const Filter filter{.from_us = 500, .to_us = 2500, .focus = "F3"};
  const Profile expected = *filtered(varied({}), filter);
  const Profile bounded = varied({.bounds = {.nodes = 500}, .filter = filter});
  EXPECT_GT(expected.samples.size(), 100u);
  EXPECT_EQ(bounded.samples.size(), expected.samples.size());
  expect_same_sums(bounded, expected);
}

TEST(Builder, IsCompleteOnlyIfTheAgentEmittedEnd) {
  Fixture cut_off;
  EXPECT_FALSE(cut_off.build().complete);
  Fixture whole;
  whole.builder.on_end({5});
  EXPECT_TRUE(whole.build().complete);
}

}  // namespace
}  // namespace walkabout::profile
