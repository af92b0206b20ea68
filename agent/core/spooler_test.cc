#include "agent/core/spooler.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/core/fake_code_heap.h"
#include "agent/core/fake_managed_code.h"
#include "agent/linux/session/tick_world.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"
#include "wire/records.h"
#include "wire/test_values.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kNoTicks = uint64_t{1000} * 1'000'000'000;
constexpr uint32_t kRing = 64 << 10;
constexpr uint64_t kWeightNs = 10'000'700;

// As the handler would, had there been a tick. requested: the CLR's walk was, where there are frames, and
// gave nothing.
void write_sample(wire::SlotHeader* shared, std::span<const wire::Frame> frames = {}, bool requested = true,
                  uint64_t time_ns = 0) {
  wire::Producer producer(shared);
  const auto size = static_cast<uint32_t>(sizeof(wire::RawSample) + frames.size_bytes());
  auto* sample = new (producer.begin(size)) wire::RawSample;
  sample->size = size;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->time_ns = time_ns;
  sample->value = kWeightNs;
  sample->frames = static_cast<decltype(sample->frames)>(frames.size());
  if (requested && !frames.empty()) sample->oracle = static_cast<uint8_t>(wire::OracleState::kRequested);
  std::copy(frames.begin(), frames.end(), reinterpret_cast<wire::Frame*>(sample + 1));
  shared->cpu().attempts += 1;
  shared->cpu().samples += 1;
  producer.commit(sample->size);
}

constexpr uint64_t kShortNs = 50'000'000;
constexpr uint32_t kSmallTree = 4;  // nodes

// Three frames, leaf first; equal but for the leaf.
std::array<wire::Frame, 3> some_stack(uint64_t leaf) {
  const auto stub = [](uint64_t at) { return wire::Frame::at_address(wire::FrameKind::kStub, at); };
  return {stub(0x1000 + leaf), stub(2), stub(1)};
}

std::string taken_from(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::string all{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  return all;
}

// A varint's value, and where what follows it begins.
std::pair<size_t, size_t> varint_at(const std::string& bytes, size_t at) {
  size_t value = 0;
  for (int shift = 0; at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[at++]);
    value |= size_t{byte & 0x7fu} << shift;
    if (byte < 0x80) break;
  }
  return {value, at};
}

struct SpoolerTest : ::testing::Test {
  SpoolerTest() { EXPECT_TRUE(world.ok()); }

  // Whether all samples of this thread were read; they are written to `path`.
  uint64_t spool(const std::string& path, int samples, std::span<const wire::Frame> frames = {}) {
    shared = world.arm_self().shared;
    for (int i = 0; i < samples; ++i) write_sample(shared, frames);
    return spool(path, Spooler::Options());
  }
  // What is in the ring.
  uint64_t spool(const std::string& path, const Spooler::Options& options) {
    clr::NullICorProfilerInfo15 info;
    StreamOut out(world.host);
    EXPECT_TRUE(out.create(path).ok());
    Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, options);
    EXPECT_TRUE(spooler.start(1).ok());
    spooler.stop(10'000, 0);
    return shared->ticks().taken[0];
  }

  testing::TickWorld world{testing::engines().front(), kRing, kNoTicks};
  wire::SlotHeader* shared = nullptr;
};

TEST_F(SpoolerTest, AWrittenSampleLeavesItsRing) {
  const std::string path = ::testing::TempDir() + "spooled-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 3), 3u);
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
  std::remove(path.c_str());
}

TEST_F(SpoolerTest, WeightsAreWholeMicrosecondsWhoseSumIsRight) {
  const std::string path = ::testing::TempDir() + "weights-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 4), 4u);
  wire::Samples expected;  // at 10.000700, 20.001400, 30.002100 and 40.002800 ms of CPU time
  expected.thread = base::ThreadId(1);
  expected.time_us = {0, 0, 0, 0};
  expected.values = {10'000'000, 10'001'000, 10'001'000, 10'000'000};
  expected.stack.resize(4);
  expected.end.resize(4);
  expected.flags.resize(4);
  std::string record;
  wire::encode(expected, record);
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(written.find(record), std::string::npos);
  std::remove(path.c_str());
}

// With it, what the stack under way is made of is emitted again; no sample is on a node of the tree before.
TEST_F(SpoolerTest, ATreeOfStacksAtItsBoundIsFollowedByANewOne) {
  shared = world.arm_self().shared;
  for (const uint64_t leaf : {1, 2, 3}) write_sample(shared, some_stack(leaf), false);
  const std::string path = ::testing::TempDir() + "trees-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, {0, 0, kSmallTree}), 3u);
  const std::string written = taken_from(path);
  size_t at = 0;
  for (const uint64_t leaf : {1, 2, 3}) {
    const auto stack = some_stack(leaf);
    const wire::Nodes nodes{{0, 1, 2}, {stack[2], stack[1], stack[0]}, leaf != 1};
    wire::Samples expected;
    expected.thread = base::ThreadId(1);
    expected.time_us = {0};
    expected.values = {leaf * kWeightNs / 1000 * 1000 - (leaf - 1) * kWeightNs / 1000 * 1000};
    expected.stack = {base::StackId(3)};
    std::string records;
    wire::encode(nodes, 1, records);
    wire::encode(expected, records);
    at = written.find(records, at);
    ASSERT_NE(at, std::string::npos) << "stack " << leaf;
  }
}

// A stack is never divided.
TEST_F(SpoolerTest, AStackLargerThanATreeIsATree) {
  const std::string path = ::testing::TempDir() + "large-" + std::to_string(::getpid());
  shared = world.arm_self().shared;
  for (const uint64_t leaf : {1, 2}) write_sample(shared, some_stack(leaf), false);
  EXPECT_EQ(spool(path, {0, 0, 1}), 2u);
  std::string first;
  const auto stack = some_stack(1);
  wire::encode(wire::Nodes{{0, 1, 2}, {stack[2], stack[1], stack[0]}, false}, 1, first);
  EXPECT_NE(taken_from(path).find(first), std::string::npos);
}

TEST_F(SpoolerTest, ASampleThatCouldNotBeWrittenStaysForTheCollector) {
  EXPECT_EQ(spool("/dev/full", 3), 3u);
  EXPECT_EQ(shared->ticks().tail, 0u);
}

// Broken by room that is given back before: what the process had read is lost when it is killed just then.
TEST_F(SpoolerTest, ARingMoreThanHalfFullKeepsWhatWasNotWritten) {
  const int many = kRing / sizeof(wire::RawSample) * 3 / 4;
  EXPECT_EQ(spool("/dev/full", many), static_cast<uint64_t>(many));
  EXPECT_EQ(shared->ticks().tail, 0u);
}

TEST_F(SpoolerTest, ARingMoreThanHalfFullIsEmptiedOnceItWasWritten) {
  const int many = kRing / sizeof(wire::RawSample) * 3 / 4;
  const std::string path = ::testing::TempDir() + "scarce-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, many), static_cast<uint64_t>(many));
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
  std::remove(path.c_str());
}

// The program lives on for days after its collector was killed, and its code comes and goes.
TEST_F(SpoolerTest, AfterTheStreamBrokeUnloadedCodeIsErasedAllTheSame) {
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create("/dev/full").ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
  ASSERT_TRUE(spooler.start(1).ok());
  const auto until = [](auto done) {
    for (int i = 0; i < 10'000 && !done(); ++i) ::usleep(1000);
    return done();
  };
  ASSERT_TRUE(until([&] { return spooler.broken(); }));
  const testing::FakeCodeHeap heap;
  clr::MethodLoad load;
  load.method_id = testing::FakeCodeHeap::kMethod;
  load.start = heap.start();
  load.size = testing::FakeCodeHeap::kSize;
  world.registry.jitted(load);
  EXPECT_EQ(world.registry.compiled_methods(), 1u);
  world.registry.unloaded({load.method_id, load.start});
  EXPECT_TRUE(until([&] { return world.registry.compiled_methods() == 0; }));
  spooler.stop(10'000, 0);
}

// Several in one stream: each is whole, and together they have every sample and all CPU time.
TEST_F(SpoolerTest, OneRecordingAfterTheOther) {
  const std::string path = ::testing::TempDir() + "recordings-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  shared = world.arm_self(false).shared;
  wire::Session session;
  session.monotonic_start_ns = base::monotonic_ns();
  Spooler spooler({world.registry, world.threads, out, &info}, session, {kShortNs, 0, kSmallTree});
  spooler.begin_counting();
  spooler.report(wire::Severity::kWarning, "standing");
  ASSERT_TRUE(spooler.start(1).ok());
  const uint64_t end_ns = base::monotonic_ns() + 10 * kShortNs;
  int written = 0;
  for (; base::monotonic_ns() < end_ns; ++written) {
    testing::burn_ns(1'000'000);
    write_sample(shared, some_stack(static_cast<uint64_t>(written)));
    ::usleep(1000);
  }
  spooler.stop(10'000, world.threads.stop());
  std::ifstream file(path, std::ios::binary);
  const std::string stream{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  // Types by hand: the agent cannot read what it writes.
  int sessions = 0, ends = 0, standing = 0, threads = 0, trees = 0;
  for (size_t at = 0; at < stream.size();) {
    const auto [length, begin] = varint_at(stream, at);
    const auto type = static_cast<wire::RecordType>(static_cast<uint8_t>(stream[begin]) >> 3);
    EXPECT_EQ(sessions, ends + (type == wire::RecordType::kSession ? 0 : 1))
        << "between a Session and its End";
    sessions += type == wire::RecordType::kSession;
    ends += type == wire::RecordType::kEnd;
    if (type == wire::RecordType::kSession) trees = 0;
    if (type == wire::RecordType::kNodes) {
      const bool anew = stream.substr(begin, length).ends_with("\x20\x01");
      EXPECT_EQ(anew, trees++ > 0) << "each stack fills a tree; a recording begins with its first";
    }
    threads += type == wire::RecordType::kThread &&
               stream.substr(begin, length).find("agent_test") != std::string::npos;
    standing += stream.substr(begin, length).find("standing") != std::string::npos;
    at = begin + length;
  }
  EXPECT_GE(sessions, 5);
  EXPECT_EQ(ends, sessions);
  EXPECT_EQ(standing, sessions) << "reported before the first: for the readers of all";
  EXPECT_GE(threads, sessions - 1) << "a living thread is emitted in each";
  EXPECT_EQ(shared->ticks().taken[0], static_cast<uint64_t>(written));
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
}

// Of the last Counters of a stream: the times.
wire::Counters times_in(const std::string& stream) {
  wire::Counters found;
  for (size_t at = 0; at < stream.size();) {
    const auto [length, begin] = varint_at(stream, at);
    at = begin + length;
    if (static_cast<wire::RecordType>(static_cast<uint8_t>(stream[begin]) >> 3) !=
        wire::RecordType::kCounters)
      continue;
    for (size_t field = varint_at(stream, begin + 1).second; field < at;) {
      const auto [key, behind] = varint_at(stream, field);
      const auto [value, next] = varint_at(stream, behind);
      field = next + (key % 8 == 2 ? value : 0);
      for (uint64_t wire::Counters::*time :
           {&wire::Counters::process_cpu_ns, &wire::Counters::agent_threads_ns,
            &wire::Counters::callbacks_ns})
        if (key >> 3 == wire::field_number(time)) found.*time = value;
    }
  }
  return found;
}

// What the spooler does behind the last look at the process's clock is among its threads' CPU time.
TEST_F(SpoolerTest, TheLastPassIsPartOfTheProcessesCpuTime) {
  constexpr uint64_t kProcessNs = 5'000'000'000;
  const std::string path = ::testing::TempDir() + "last-pass-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
  ASSERT_TRUE(spooler.start(1).ok());
  ::usleep(10'000);
  spooler.stop(10'000, kProcessNs);
  const wire::Counters times = times_in(taken_from(path));
  EXPECT_GT(times.process_cpu_ns, kProcessNs);
  EXPECT_LE(times.process_cpu_ns, kProcessNs + times.agent_threads_ns);
}

void spend_some(CallbackTime& time) {
  const CallbackTime::Scope counted(time);
  for (const uint64_t end_ns = base::thread_cpu_ns() + 1'000'000; base::thread_cpu_ns() < end_ns;) {
  }
}

TEST_F(SpoolerTest, CallbacksAreCountedFromWhereTheProcessIs) {
  const std::string path = ::testing::TempDir() + "callbacks-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  CallbackTime callbacks;
  spend_some(callbacks);
  Spooler spooler({world.registry, world.threads, out, &info, &callbacks}, wire::Session{}, {});
  spooler.begin_counting();
  const uint64_t before_ns = callbacks.ns();
  EXPECT_GT(before_ns, 0u);
  spend_some(callbacks);
  ASSERT_TRUE(spooler.start(1).ok());
  spooler.stop(10'000, base::process_cpu_ns());
  EXPECT_EQ(times_in(taken_from(path)).callbacks_ns, callbacks.ns() - before_ns);
}

TEST_F(SpoolerTest, AThreadKeepsItsNameWhenTheSystemsNameChanges) {
  const std::string path = ::testing::TempDir() + "names-" + std::to_string(::getpid());
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  shared = world.arm_self().shared;
  std::string name = "given by the program";
  ASSERT_TRUE(world.threads.set_managed_name(testing::own_tid(), name));
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, {});
  ASSERT_TRUE(spooler.start(1).ok());
  ::usleep(1'200'000);  // names are looked at again after a second
  ::prctl(PR_SET_NAME, "the system's");
  write_sample(shared);
  ::usleep(100'000);
  spooler.stop(10'000, 0);
  ::prctl(PR_SET_NAME, "agent_test");
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  std::remove(path.c_str());
  const size_t renamed = written.find("the system's");
  ASSERT_NE(renamed, std::string::npos);
  const size_t last_name = written.rfind("given by the program");
  ASSERT_NE(last_name, std::string::npos);
  EXPECT_GT(last_name, renamed) << "the last record of the thread has both";
}

std::string encoded(const auto& record) {
  std::string bytes;
  wire::encode(record, bytes);
  return bytes;
}

constexpr base::SourceId kFake(3);

// One sample of kFake, as capture() makes it.
void write_fake(wire::LaneHeader& lane, uint8_t* ring, uint64_t n, uint32_t subject = 0) {
  wire::Producer producer(lane, ring, kRing);
  constexpr uint32_t kWords = 2 + 3;
  const auto stack = some_stack(1);
  auto* sample = new (producer.begin(sizeof(wire::RawSample) + kWords * 8)) wire::RawSample;
  sample->size = sizeof(wire::RawSample) + kWords * 8;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->source = static_cast<uint8_t>(kFake.value);
  sample->value = n;
  sample->more_values = sample->labels = 1;
  sample->frames = 3;
  sample->subject = subject;
  auto* words = reinterpret_cast<uint64_t*>(sample + 1);
  words[0] = 10 * n;
  words[1] = 100 * n;
  std::copy(stack.begin(), stack.end(), reinterpret_cast<wire::Frame*>(words + 2));
  lane.of(kFake).attempts += 1;
  lane.of(kFake).samples += 1;
  producer.commit(sample->size);
}

wire::Samples fake_samples(wire::SampleOrigin origin) {
  wire::Samples samples;
  samples.thread = base::ThreadId(1);
  samples.source = kFake;
  samples.origin = origin;
  samples.time_us = {0, 0};
  samples.values = {1, 2, 10, 20};  // column by column
  samples.labels = {100, 200};
  samples.stack = {base::StackId(3), base::StackId(3)};
  return samples;
}

// Ticks carry riders, callbacks have a lane of their own, and a thread of the agent's writes of others: each
// is a record of its own, all on the same stack, and each source adds up by itself.
TEST_F(SpoolerTest, SamplesOfEverySourceAndOriginAreWritten) {
  const auto index = static_cast<uint32_t>(&world.arm_self() - thread_slots().data());
  shared = world.threads.shared(index);
  ThreadSlot* own = world.threads.callback_slot();
  ASSERT_NE(own->callback_ring, nullptr);
  uint8_t* ticks = reinterpret_cast<uint8_t*>(shared) + wire::kSlotHeaderSize;
  std::thread([&] {
    ThreadSlot* writer = world.threads.add_writer();
    for (const uint64_t n : {1, 2}) {
      write_sample(shared, some_stack(1), false);
      write_fake(shared->ticks(), ticks, n);
      write_fake(shared->lane(wire::Lane::kCallback), own->callback_ring, n);
      write_fake(writer->shared->lane(wire::Lane::kCallback), writer->callback_ring, n, 1);
    }
    writer->shared->lane(wire::Lane::kCallback).of(kFake).attempts += 1;
    writer->shared->lane(wire::Lane::kCallback)
        .of(kFake)
        .drops[static_cast<size_t>(wire::DropCause::kThrottled)] += 1;
  }).join();
  const std::string path = ::testing::TempDir() + "sources-" + std::to_string(::getpid());
  wire::Session session;
  Spooler::Options options;
  options.sources = {wire::cpu_source(session), wire::testing::two_values_and_a_label(kFake)};
  EXPECT_EQ(spool(path, options), 2u);
  const std::string written = taken_from(path);
  const size_t sources =
      written.find(encoded(session) + encoded(options.sources[0]) + encoded(options.sources[1]));
  EXPECT_EQ(sources, 0u) << "behind the Session";
  const size_t thread = written.find("agent_test");
  for (const wire::SampleOrigin origin :
       {wire::SampleOrigin::kTick, wire::SampleOrigin::kCallback, wire::SampleOrigin::kObserver}) {
    const size_t at = written.find(encoded(fake_samples(origin)));
    ASSERT_NE(at, std::string::npos) << static_cast<int>(origin);
    EXPECT_GT(at, thread) << "behind the Thread that they are of";
  }
  wire::Samples cpu;
  cpu.thread = base::ThreadId(1);
  cpu.time_us = {0, 0};
  cpu.values = {10'000'000, 10'001'000};
  cpu.stack = {base::StackId(3), base::StackId(3)};
  EXPECT_NE(written.find(encoded(cpu)), std::string::npos);
  std::string nodes;
  const auto stack = some_stack(1);
  wire::encode(wire::Nodes{{0, 1, 2}, {stack[2], stack[1], stack[0]}, false}, 1, nodes);
  const size_t tree = written.find(nodes);
  ASSERT_NE(tree, std::string::npos);
  EXPECT_EQ(written.find(nodes, tree + 1), std::string::npos) << "the stack is emitted once";
  wire::Counters counters;
  counters.sources = {{kFake, 7, 6, {0, 1, 0, 0, 0, 0}}};
  const std::string account = encoded(counters);  // its last field
  EXPECT_NE(written.find(account.substr(account.size() - 16)), std::string::npos);
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
  EXPECT_EQ(shared->lane(wire::Lane::kCallback).taken[kFake.value - 1], 2u);
}

// Broken by a tally that is read before the threads are known, and by counters without it.
TEST_F(SpoolerTest, SumsAreSamplesWithoutAStack) {
  shared = world.arm_self().shared;
  Tally tally;
  const std::array<uint64_t, 2> values{30, 3};
  const std::array<uint64_t, 1> label{77};
  EXPECT_TRUE(tally.add(base::ThreadId(1), kFake, values, label));
  EXPECT_TRUE(tally.add(base::ThreadId(1), kFake, values, label));
  EXPECT_TRUE(tally.add(base::ThreadId(99), kFake, values, label)) << "of a thread that never was";
  const std::string path = ::testing::TempDir() + "sums-" + std::to_string(::getpid());
  Spooler::Options options;
  options.sources = {wire::cpu_source(wire::Session{}), wire::testing::two_values_and_a_label(kFake)};
  clr::NullICorProfilerInfo15 info;
  {
    StreamOut out(world.host);
    ASSERT_TRUE(out.create(path).ok());
    Spooler spooler({world.registry, world.threads, out, &info, nullptr, nullptr, &tally}, wire::Session{},
                    options);
    ASSERT_TRUE(spooler.start(1).ok());
    spooler.stop(10'000, 0);
  }
  const std::string written = taken_from(path);
  std::string nodes;
  wire::encode(wire::Nodes{{0}, {wire::Frame::not_walked()}, false}, 1, nodes);
  EXPECT_NE(written.find(nodes), std::string::npos);
  wire::Counters counters;
  counters.sources = {{kFake, 2, 1, {1, 0, 0, 0, 0, 0}}};
  const std::string account = encoded(counters);
  EXPECT_NE(written.find(account.substr(account.size() - 16)), std::string::npos);
  EXPECT_EQ(tally.lost(kFake), 1u);
}

TEST_F(SpoolerTest, ASampleThatNoSourceHasIsRefusedAndCounted) {
  const ThreadSlot& slot = world.arm_self();
  shared = slot.shared;
  uint8_t* ticks = reinterpret_cast<uint8_t*>(shared) + wire::kSlotHeaderSize;
  write_sample(shared, some_stack(1), false);
  write_fake(shared->ticks(), ticks, 1);      // it is not on
  write_fake(shared->ticks(), ticks, 1, 99);  // nor is this a thread
  write_sample(shared, some_stack(1), false);
  const std::string path = ::testing::TempDir() + "refused-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, Spooler::Options()), 2u);
  std::remove(path.c_str());
  const wire::SourceAccount& account = shared->ticks().of(kFake);
  EXPECT_EQ(account.drops[static_cast<size_t>(wire::DropCause::kCorrupt)], 2u);
  EXPECT_TRUE(world.threads.totals().settled());
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
}

struct ReportedLate : SpoolerTest, ::testing::WithParamInterface<wire::FrameKind> {};

// A method that was reported behind the tick. Where the walk left it by a guess, its callers may be missing;
// where it left it by the method's own unwind data, they are certain.
TEST_P(ReportedLate, OnlyBehindAGuessMayCallersBeMissing) {
  const testing::FakeManagedCode code;
  world.registry.jitted(code.event(0x1230));
  const bool guessed = GetParam() == wire::FrameKind::kStub;
  const std::string path = ::testing::TempDir() + "late-" + std::to_string(::getpid());
  shared = world.arm_self().shared;
  write_sample(shared,
               std::array{wire::Frame::at_address(GetParam(), code.start() + 4),
                          wire::Frame::at_address(wire::FrameKind::kStub, 1)},
               false);
  EXPECT_EQ(spool(path, Spooler::Options()), 1u);
  wire::Samples expected;
  expected.thread = base::ThreadId(1);
  expected.time_us = {0};
  expected.values = {10'000'000};
  expected.stack = {base::StackId(guessed ? 3 : 2)};  // the gap is a node
  if (guessed) expected.end = {wire::WalkEnd::kGap};
  std::string record;
  wire::encode(expected, record);
  EXPECT_NE(taken_from(path).find(record), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Walks, ReportedLate,
                         ::testing::Values(wire::FrameKind::kStub, wire::FrameKind::kUnreported));

// Broken by writing what there is at once: the frame has no name then.
TEST_F(SpoolerTest, AMethodThatIsNotReportedYetIsWaitedFor) {
  const testing::FakeManagedCode code;
  const std::string path = ::testing::TempDir() + "awaited-" + std::to_string(::getpid());
  shared = world.arm_self().shared;
  const auto frame = wire::Frame::at_address(wire::FrameKind::kUnreported, code.start() + 4);
  write_sample(shared, {}, false);
  write_sample(shared, std::array{frame}, false, base::monotonic_ns() + kNoTicks);
  write_sample(shared, {}, false);
  clr::NullICorProfilerInfo15 info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, Spooler::Options());
  ASSERT_TRUE(spooler.start(1).ok());
  while (shared->ticks().taken[0] < 1) ::usleep(1000);
  ::usleep(50'000);
  EXPECT_EQ(shared->ticks().taken[0], 1u);
  world.registry.jitted(code.event(0x1230));
  while (shared->ticks().taken[0] < 3) ::usleep(1000);
  spooler.stop(10'000, 0);
  const std::string written = taken_from(path);
  std::string nameless;
  wire::encode(wire::Nodes{{0}, {frame.as_unnamed()}}, 1, nameless);
  EXPECT_EQ(written.find(nameless), std::string::npos);
}

// Uses 60 ms of CPU time for each name.
struct SlowRuntime : clr::NullICorProfilerInfo15 {
  clr::HRESULT GetFunctionInfo2(clr::FunctionID, clr::COR_PRF_FRAME_INFO, clr::ClassID*, clr::ModuleID*,
                                uint32_t*, uint32_t, uint32_t*, clr::ClassID*) override {
    testing::burn_ns(60'000'000);
    return clr::E_FAIL;
  }
};

// 720 ms of work against two timeouts of 200 ms. Broken by giving up after a time: a busy machine gave the
// spooler too little of a processor in it.
TEST_F(SpoolerTest, WhoGetsOnSlowlyIsWaitedFor) {
  std::vector<std::unique_ptr<testing::FakeManagedCode>> codes;
  std::vector<wire::Frame> frames;
  shared = world.arm_self().shared;
  for (int i = 0; i < 12; ++i) {
    const auto& code = *codes.emplace_back(std::make_unique<testing::FakeManagedCode>());
    world.registry.jitted(code.event(0x1230 + static_cast<uint64_t>(i)));
    const unwind::ReaderGate::Reader inside(world.registry.gate());
    const base::CodeId id(world.registry.jitted().find(code.start())->code.load());
    frames.push_back(wire::Frame::in_code(wire::FrameKind::kJitted, id, 4));
  }
  const std::string path = ::testing::TempDir() + "slowly-" + std::to_string(::getpid());
  SlowRuntime info;
  StreamOut out(world.host);
  ASSERT_TRUE(out.create(path).ok());
  Spooler spooler({world.registry, world.threads, out, &info}, wire::Session{}, Spooler::Options());
  ASSERT_TRUE(spooler.start(1'000'000).ok());
  write_sample(shared, frames);
  EXPECT_TRUE(spooler.stop(200, 0));
  EXPECT_FALSE(spooler.broken());
  EXPECT_EQ(shared->ticks().taken[0], 1u);
  std::remove(path.c_str());
}

// Code that was not reported at the tick may be named by the time it is written; that the CLR's walk began
// below it must not be forgotten with its address.
TEST_F(SpoolerTest, WhereTheClrsWalkBeganIsWritten) {
  const wire::Frame reported = wire::Frame::in_code(wire::FrameKind::kJitted, base::CodeId(7), 1);
  const wire::Frame unreported = wire::Frame::at_address(wire::FrameKind::kStub, 0x1000);
  const std::string path = ::testing::TempDir() + "seeded-" + std::to_string(::getpid());
  EXPECT_EQ(spool(path, 1, std::array{unreported, unreported, reported, unreported}), 1u);
  wire::Oracle expected;
  expected.thread = base::ThreadId(1);
  expected.above_seed = 2;
  std::string record;
  wire::encode(expected, record);
  std::ifstream file(path, std::ios::binary);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_NE(written.find(record), std::string::npos);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace walkabout::agent
