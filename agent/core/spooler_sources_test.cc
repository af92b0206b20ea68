// Samples of every source, by ticks, callbacks and the agent's threads, and sums without stacks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <new>
#include <string>
#include <thread>

#include "agent/core/spooler.h"
#include "agent/core/test_spooler.h"
#include "clr/abi/null_info.h"
#include "wire/encode.h"
#include "wire/records.h"
#include "wire/test_values.h"

namespace walkabout::agent {
namespace {

using namespace testing;

constexpr base::SourceId kFakeSource(3);

// One sample of kFakeSource, as capture() makes it.
void write_fake(wire::LaneHeader& lane, uint8_t* ring, uint64_t n, uint32_t subject = 0) {
  wire::Producer producer(lane, ring, kRing);
  constexpr uint32_t kWords = 2 + 3;
  const auto stack = some_stack(1);
  auto* sample = new (producer.begin(sizeof(wire::RawSample) + kWords * 8)) wire::RawSample;
  sample->size = sizeof(wire::RawSample) + kWords * 8;
  sample->type = static_cast<uint8_t>(wire::RawType::kSample);
  sample->source = static_cast<uint8_t>(kFakeSource.value);
  sample->value = n;
  sample->more_values = sample->labels = 1;
  sample->frames = 3;
  sample->subject = subject;
  auto* words = reinterpret_cast<uint64_t*>(sample + 1);
  words[0] = 10 * n;
  words[1] = 100 * n;
  std::copy(stack.begin(), stack.end(), reinterpret_cast<wire::Frame*>(words + 2));
  lane.of(kFakeSource).attempts += 1;
  lane.of(kFakeSource).samples += 1;
  producer.commit(sample->size);
}

wire::Samples fake_samples(wire::SampleOrigin origin) {
  wire::Samples samples;
  samples.thread = base::ThreadId(1);
  samples.source = kFakeSource;
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
    writer->shared->lane(wire::Lane::kCallback).of(kFakeSource).attempts += 1;
    writer->shared->lane(wire::Lane::kCallback)
        .of(kFakeSource)
        .drops[static_cast<size_t>(wire::DropCause::kThrottled)] += 1;
  }).join();
  const std::string path = ::testing::TempDir() + "sources-" + std::to_string(::getpid());
  wire::Session session;
  Spooler::Options options;
  options.sources = {wire::cpu_source(session), wire::testing::two_values_and_a_label(kFakeSource)};
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
  counters.sources = {{kFakeSource, 7, 6, {0, 1, 0, 0, 0, 0}}};
  const std::string account = encoded(counters);  // its last field
  EXPECT_NE(written.find(account.substr(account.size() - 16)), std::string::npos);
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
  EXPECT_EQ(shared->lane(wire::Lane::kCallback).taken[kFakeSource.value - 1], 2u);
}

// Broken by a tally that is read before the threads are known, and by counters without it.
TEST_F(SpoolerTest, SumsAreSamplesWithoutAStack) {
  shared = world.arm_self().shared;
  Tally tally;
  const std::array<uint64_t, 2> values{30, 3};
  const std::array<uint64_t, 1> label{77};
  EXPECT_TRUE(tally.add(base::ThreadId(1), kFakeSource, values, label));
  EXPECT_TRUE(tally.add(base::ThreadId(1), kFakeSource, values, label));
  EXPECT_TRUE(tally.add(base::ThreadId(99), kFakeSource, values, label)) << "of a thread that never was";
  const std::string path = ::testing::TempDir() + "sums-" + std::to_string(::getpid());
  Spooler::Options options;
  options.sources = {wire::cpu_source(wire::Session{}), wire::testing::two_values_and_a_label(kFakeSource)};
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
  counters.sources = {{kFakeSource, 2, 1, {1, 0, 0, 0, 0, 0}}};
  const std::string account = encoded(counters);
  EXPECT_NE(written.find(account.substr(account.size() - 16)), std::string::npos);
  EXPECT_EQ(tally.lost(kFakeSource), 1u);
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
  const wire::SourceAccount& account = shared->ticks().of(kFakeSource);
  EXPECT_EQ(account.drops[static_cast<size_t>(wire::DropCause::kCorrupt)], 2u);
  EXPECT_TRUE(world.threads.totals().settled());
  EXPECT_EQ(shared->ticks().tail, shared->ticks().head);
}

}  // namespace
}  // namespace walkabout::agent
