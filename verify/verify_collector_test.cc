#include "verify/verify_collector.h"

#include <gtest/gtest.h>

#include "profile/model/test_recording.h"

namespace walkabout::profile {
namespace {

using testing::TestRecording;
using wire::Frame;
using wire::FrameKind;

struct Recorded {
  VerifyCollector collector;
  TestRecording emit{collector};
  base::CodeId libc = emit.module("/lib/libc.so.6");
  base::ThreadId thread = emit.thread("main", 42);
  uint64_t samples = 0;
  bool clr_first = false;

  // A sample and the CLR's walk of it, leaf first.
  void sample(base::StackId stack, std::vector<Frame> clr, uint32_t hresult = 0, bool seeded = true) {
    emit.sample(thread, 1, 1, stack);
    collector.on_oracle(
        {thread, samples++, hresult, std::move(clr), 100 + samples, 1000 + samples, clr_first, seeded});
  }
};

TEST(Verify, CountsWhatEachSampleCameTo) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const Frame work = f.emit.jitted("Demo", "Work", 20);
  const auto stack = f.emit.stack({TestRecording::native(f.libc, 5), main, work});
  const auto in_native = f.emit.push(f.emit.stack({main}), TestRecording::native(f.libc, 7));
  const Frame main_elsewhere = Frame::in_code(FrameKind::kJitted, main.code(), 99);
  f.sample(stack, {work, main});
  f.sample(stack, {work, main});
  f.sample(in_native, {main_elsewhere});
  f.sample(stack, {main});
  f.sample(stack, {}, 0x80131360);
  f.sample(stack, {}, 0x80004005);
  f.sample(stack, {}, 0x80004005);
  f.sample(stack, {}, 0, false);
  const Verification v = f.collector.verify(10);
  EXPECT_EQ(v.compared, 4u);
  EXPECT_EQ(v.equal, 2u);
  EXPECT_EQ(v.explained, (std::map<std::string, uint64_t>{{"pinvoke_return_address", 1}}));
  EXPECT_EQ(v.unexplained, 1u);
  EXPECT_EQ(v.refused, (std::map<uint32_t, uint64_t>{{0x80131360, 1}, {0x80004005, 2}}));
  EXPECT_EQ(v.without_managed_frame, 1u);
}

TEST(Verify, CostIsReportedByDepthAndByWhoWalkedFirst) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const auto deep = [&](int frames) {
    base::StackId stack = f.emit.stack({main});
    for (int i = 1; i < frames; ++i) stack = f.emit.push(stack, main);
    return stack;
  };
  f.sample(deep(4), {});  // its cycles: ours 101, the CLR's 1001; the next one's 102 and 1002
  f.sample(deep(5), {});
  f.clr_first = true;
  f.sample(deep(14), {});
  f.sample(deep(5), {}, 0x80004005);
  f.clr_first = false;
  f.sample(deep(15), {});
  f.sample(f.emit.push(deep(15), TestRecording::native(f.libc, 7)), {});  // begins in native code
  const Verification v = f.collector.verify(0);
  ASSERT_EQ(v.cost.size(), 3u);
  EXPECT_EQ(v.cost.at(0).samples, 1u);
  EXPECT_EQ(v.cost.at(0).our_cycles_p50, 101u);
  EXPECT_EQ(v.cost.at(0).clr_second_cycles_p50, 1001u);
  EXPECT_EQ(v.cost.at(0).clr_samples, 0u);
  EXPECT_EQ(v.cost.at(10).samples, 1u);
  EXPECT_EQ(v.cost.at(10).our_cycles_p50, 102u);
  EXPECT_EQ(v.cost.at(10).clr_samples, 1u);
  EXPECT_EQ(v.cost.at(10).clr_cycles_p50, 1003u);
  EXPECT_EQ(v.cost.at(10).our_second_cycles_p50, 103u);
  EXPECT_EQ(v.cost.at(20).samples, 1u);
  EXPECT_EQ(v.all_costs.samples, 3u);
  EXPECT_EQ(v.all_costs.our_cycles_p50, 102u);
  EXPECT_EQ(v.all_costs.clr_cycles_p50, 1003u);
}

TEST(Verify, ShowsBothStacksOfADifference) {
  Recorded f;
  f.emit.symbols(f.libc, false, {{0, 100, "qsort", "", false}});
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const Frame work = f.emit.jitted("Demo", "Work", 20);
  f.sample(f.emit.stack({main, TestRecording::native(f.libc, 7), work}), {work});
  const Verification v = f.collector.verify(10);
  ASSERT_EQ(v.examples.size(), 1u);
  EXPECT_EQ(v.examples[0].verdict, "unexplained");
  EXPECT_EQ(v.examples[0].tid, 42u);
  EXPECT_EQ(v.examples[0].ours,
            (std::vector<std::string>{"Demo.Work() +0x14", "[libc.so.6 qsort +0x7]", "Demo.Main() +0xa"}));
  EXPECT_EQ(v.examples[0].clr, (std::vector<std::string>{"Demo.Work() +0x14"}));
}

TEST(Verify, ShowsNoMoreExamplesThanRequestedOfEachVerdict) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const auto in_native = f.emit.push(f.emit.stack({main}), TestRecording::native(f.libc, 7));
  for (int i = 0; i < 5; ++i) f.sample(in_native, {Frame::in_code(FrameKind::kJitted, main.code(), 99)});
  for (int i = 0; i < 5; ++i) f.sample(in_native, {});
  const Verification v = f.collector.verify(2);
  ASSERT_EQ(v.examples.size(), 4u);
  EXPECT_EQ(v.examples[0].verdict, "unexplained");
  EXPECT_EQ(v.examples[3].verdict, "pinvoke_return_address");
}

// Its code was reported after the walk: the CLR's walk began at the frame below.
TEST(Verify, FramesAboveTheSeedAreNotLookedForInTheClrsWalk) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const Frame work = f.emit.jitted("Demo", "Work", 20);
  const auto stack = f.emit.stack({main, work});
  f.emit.sample(f.thread, 1, 1, stack);
  wire::Oracle answer{f.thread, f.samples++, 0, {main}};
  answer.above_seed = 1;
  f.collector.on_oracle(answer);
  EXPECT_EQ(f.collector.verify(0).explained, (std::map<std::string, uint64_t>{{"named_after_the_walk", 1}}));
  f.sample(stack, {main});  // seeded with Work, which it leaves out
  EXPECT_EQ(f.collector.verify(0).unexplained, 1u);
}

TEST(Verify, ACallbackThatALibraryCalledByATailCallIsStillACallback) {
  Recorded f;
  f.emit.module("/x/libcoreclr.so");
  const auto library = f.emit.module("/x/libother.so");
  const Frame sort = f.emit.jitted("Demo", "Sort", 10), compare = f.emit.jitted("Demo", "Compare", 20);
  const auto tail_called = f.emit.stack({sort, compare});
  f.sample(tail_called, {sort});
  EXPECT_EQ(f.collector.verify(0).unexplained, 1u);
  f.sample(f.emit.stack({sort, TestRecording::native(library, 7), compare}), {compare, sort});
  const Verification v = f.collector.verify(0);
  EXPECT_EQ(v.unexplained, 0u);
  EXPECT_EQ(v.explained.count("callback_in_preemptive_transition"), 1u);
}

TEST(Verify, ACallbackMayBeAThreadsOnlyManagedFrame) {
  Recorded f;
  f.emit.module("/x/libcoreclr.so");
  const auto library = f.emit.module("/x/libother.so");
  const Frame work = f.emit.jitted("Demo", "Work", 10), called = f.emit.jitted("Demo", "Called", 20);
  f.sample(f.emit.stack({TestRecording::native(library, 7), called}), {});
  EXPECT_EQ(f.collector.verify(0).unexplained, 0u);
  f.sample(f.emit.stack({work}), {});
  EXPECT_EQ(f.collector.verify(0).unexplained, 1u);
}

// Who called what throws is met only once; that an exception is dispatched is known by code nearer the leaf.
TEST(Verify, WhoIsBelowCodeThatDispatchesThrew) {
  Recorded f;
  const auto runtime = f.emit.module("/x/libcoreclr.so");
  const auto at = [&](uint32_t offset) { return TestRecording::native(runtime, offset); };
  const Frame main = f.emit.jitted("Demo", "Main", 10), work = f.emit.jitted("Demo", "Work", 20);
  const auto passed = f.emit.stack({main, work, at(70), at(30), at(5)});
  f.sample(passed, {main});
  EXPECT_EQ(f.collector.verify(0).unexplained, 1u);
  f.collector.on_method(
      {base::MethodId(99), "System.Runtime.EH", "DispatchEx", "", "System.Private.CoreLib.dll", 0});
  const Frame dispatcher = Frame::in_code(FrameKind::kJitted, f.emit.jit(base::MethodId(99)), 5);
  f.sample(f.emit.stack({main, at(80), at(30), dispatcher}), {main});
  const Verification v = f.collector.verify(0);
  EXPECT_EQ(v.unexplained, 0u);
  EXPECT_EQ(v.explained.count("unwound_frames"), 1u);
}

// The dispatcher was never sampled, so who throws is not known by its helper.
TEST(Verify, WhoIsBelowAHandlerThatNativeCodeCalledThrew) {
  Recorded f;
  const auto method = f.emit.method("Demo", "Catches");
  const base::CodeId code(77);
  f.collector.on_jit_code({code, method, wire::Tier::kTier0, 0x1000, 0x100, 0x80});
  const auto at = [&](uint32_t offset) { return Frame::in_code(FrameKind::kJitted, code, offset); };
  const Frame thrower = f.emit.jitted("Demo", "Throws", 20);
  const Frame native = TestRecording::native(f.emit.module("/x/libcoreclr.so"), 7);
  f.sample(f.emit.stack({at(0x10), thrower, native, at(0x90)}), {at(0x10)});
  EXPECT_EQ(f.collector.verify(0).explained.count("unwound_frames"), 1u);
  f.sample(f.emit.stack({at(0x10), thrower, at(0x90)}), {at(0x10)});
  EXPECT_EQ(f.collector.verify(0).unexplained, 1u);
}

TEST(Verify, AMethodNotYetAnnouncedIsComparedByItsAddress) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const Frame unannounced = Frame::at_address(FrameKind::kStub, 0x7ff2520855fa);
  const auto stack = f.emit.stack({main, unannounced, TestRecording::native(f.libc, 5)});
  f.sample(stack, {unannounced, main});
  f.sample(stack, {Frame::at_address(FrameKind::kStub, 0x7ff2520855fb), main});
  f.sample(stack, {main});
  const Verification v = f.collector.verify(10);
  EXPECT_EQ(v.equal, 2u) << "the CLR has it at the same address; or leaves it out, as it does stubs";
  EXPECT_EQ(v.unexplained, 1u) << "it has it elsewhere";
}

TEST(Verify, AStubIsNativeToTheClr) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const auto in_stub = f.emit.push(f.emit.stack({main}), Frame::at_address(FrameKind::kStub, 0x7000));
  f.sample(in_stub, {Frame::in_code(FrameKind::kJitted, main.code(), 99)});
  EXPECT_EQ(f.collector.verify(0).explained.count("pinvoke_return_address"), 1u);
}

TEST(Verify, MethodsInReadyToRunCodeAreComparedByRange) {
  Recorded f;
  const auto image = f.emit.module("/x/CoreLib.dll", wire::ModuleKind::kReadyToRun);
  const auto method = f.emit.method("System.Array", "Sort");
  f.collector.on_method_range({image, 100, 200, method});
  const auto stack = f.emit.stack({Frame::in_code(FrameKind::kReadyToRun, image, 150)});
  const auto in_native = f.emit.push(stack, TestRecording::native(f.libc, 7));
  f.sample(in_native, {Frame::in_code(FrameKind::kReadyToRun, image, 160)});
  f.sample(in_native, {Frame::in_code(FrameKind::kReadyToRun, image, 260)});
  const Verification v = f.collector.verify(0);
  EXPECT_EQ(v.explained.count("pinvoke_return_address"), 1u);
  EXPECT_EQ(v.unexplained, 1u);
}

TEST(Verify, WhatIsMarkedCutIsNoDifferenceAsFarAsItGoes) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const Frame work = f.emit.jitted("Demo", "Work", 20);
  const auto cut = [&](base::StackId stack, std::vector<Frame> clr) {
    f.emit.sample(f.thread, 1, 1, stack, wire::WalkEnd::kBadReturn);
    f.collector.on_oracle({f.thread, f.samples++, 0, std::move(clr), 1, 1});
  };
  cut(f.emit.stack({work}), {work, main});
  cut(f.emit.stack({TestRecording::native(f.libc, 5)}), {work, main});
  cut(f.emit.stack({work, main}), {main, work});
  cut(f.emit.stack({main}), {work, main});
  const Verification v = f.collector.verify(5);
  EXPECT_EQ(v.cut, 3u);
  EXPECT_EQ(v.compared, 1u);
  EXPECT_EQ(v.unexplained, 1u) << "its leaf is another";
}

TEST(Verify, ShortenedAndLostSamplesAreNotCompared) {
  Recorded f;
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  f.sample(f.emit.stack({main, Frame::at_address(FrameKind::kLeftOut, 9), main}), {main, main, main});
  f.collector.on_oracle({f.thread, 77, 0, {main}, 1, 1, true});
  f.collector.on_oracle({base::ThreadId(9), 0, 0, {main}, 1, 1, true});
  const Verification v = f.collector.verify(5);
  EXPECT_EQ(v.compared, 0u);
  EXPECT_EQ(v.shortened, 1u);
  EXPECT_EQ(v.missing, 2u);
  EXPECT_TRUE(v.examples.empty());
}

TEST(Verify, EachSourceIsCountedApart) {
  Recorded f;
  const base::SourceId alloc(3);
  const Frame main = f.emit.jitted("Demo", "Main", 10);
  const Frame work = f.emit.jitted("Demo", "Work", 20);
  const auto stack = f.emit.stack({main, work});
  f.sample(stack, {work, main});
  wire::Samples samples;
  samples.thread = f.thread;
  samples.source = alloc;
  samples.time_us = {1, 2};
  samples.values = {8, 8};
  samples.stack = {stack, stack};
  samples.end = {wire::WalkEnd::kRooted, wire::WalkEnd::kRooted};
  samples.flags = {0, 0};
  for (const auto origin :
       {wire::SampleOrigin::kTally, wire::SampleOrigin::kObserver, wire::SampleOrigin::kCallback}) {
    samples.origin = origin;
    f.collector.on_samples(samples);
  }
  for (uint64_t i = 0; i < 3; ++i) {
    wire::Oracle answer{f.thread, i, 0, i == 1 ? std::vector<Frame>{main} : std::vector<Frame>{work, main}};
    answer.source = alloc;
    f.collector.on_oracle(answer);
  }
  const Verification v = f.collector.verify(10);
  EXPECT_EQ(v.by_source.at(wire::kCpuSource).compared, 1u);
  EXPECT_EQ(v.by_source.at(alloc).compared, 2u) << "of those that were taken in callbacks";
  EXPECT_EQ(v.by_source.at(alloc).unexplained, 1u);
  EXPECT_EQ(v.by_source.at(alloc).missing, 1u);
  EXPECT_EQ(v.compared, 3u);
  ASSERT_EQ(v.examples.size(), 1u);
  EXPECT_EQ(v.examples[0].source, alloc);
}

}  // namespace
}  // namespace walkabout::profile
