#include "agent/linux/handler/capture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/linux/session/tick_world.h"

namespace walkabout::agent {
namespace {

using namespace testing;  // the world's spelling

constexpr base::SourceId kEvents(2), kMore(16);
constexpr uint64_t kFastNs = 100'000;
constexpr uint64_t kNoTicksNs = uint64_t{1000} * 1'000'000'000;

uint32_t index_of(const ThreadSlot& slot) { return static_cast<uint32_t>(&slot - thread_slots().data()); }

std::vector<const wire::RawSample*> all_in(wire::Consumer ring) {
  std::vector<const wire::RawSample*> all;
  for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.pass()) all.push_back(sample);
  return all;
}

uint64_t drops_in(const wire::SourceAccount& account) {
  return std::accumulate(std::begin(account.drops), std::end(account.drops), uint64_t{0},
                         [](uint64_t sum, const auto& drop) { return sum + drop.load(); });
}

// A source that hands on what a drop left it. Broken by one lane for both: ticks write into the sample that
// is being taken. Broken by one memo for both: walks end in the wrong place.
TEST(Capture, WhileTicksComeNothingIsLostAndSumsAreExact) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine, 4 << 20, kFastNs);
    ASSERT_TRUE(world.ok());
    std::thread([&] {
      const ThreadSlot& armed = world.arm_self();
      ThreadSlot* slot = world.threads.callback_slot();
      ASSERT_EQ(slot, &armed);
      constexpr uint64_t kLeastCalls = 3000, kLeastTicks = 20;
      uint64_t owed = 0, total = 0, calls = 0;
      while (calls < kLeastCalls || slot->shared->cpu().samples < kLeastTicks) {
        const uint64_t i = ++calls;
        owed += i, total += i;
        const std::array<uint64_t, 2> values{owed, i};
        const std::array<uint64_t, 1> labels{i * 3};
        if (!capture_here(*slot, {kEvents, values, labels})) owed = 0;
        burn_ns(10'000);
      }
      world.threads.stop();
      const wire::LaneHeader& lane = slot->shared->lane(wire::Lane::kCallback);
      const wire::SourceAccount& account = lane.of(kEvents);
      EXPECT_EQ(account.attempts, calls);
      EXPECT_EQ(account.attempts, account.samples + drops_in(account));
      EXPECT_GT(account.samples, calls / 20);
      uint64_t sum = 0, last_time = 0, number = 0;
      for (const wire::RawSample* sample :
           all_in(world.threads.ring(index_of(*slot), wire::Lane::kCallback))) {
        sum += sample->value;
        EXPECT_EQ(sample->source, kEvents.value);
        EXPECT_EQ(sample->subject, 0u);
        EXPECT_EQ(sample->index, number++);
        ASSERT_EQ(sample->more_values, 1u);
        ASSERT_EQ(sample->labels, 1u);
        EXPECT_EQ(wire::Consumer::labels(sample)[0], wire::Consumer::more_values(sample)[0] * 3);
        EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
        EXPECT_GE(sample->frames, 3u);
        EXPECT_GE(sample->time_ns, last_time);
        last_time = sample->time_ns;
      }
      EXPECT_EQ(number, account.samples);
      EXPECT_EQ(sum + owed, total);
      EXPECT_GT(lane.cost_ns, 0u);
      const wire::SlotHeader& shared = *slot->shared;
      EXPECT_EQ(shared.cpu().attempts, shared.cpu().samples + drops_of(shared));
      uint64_t weights = 0;
      for (const wire::RawSample* sample :
           all_in(world.threads.ring(index_of(*slot), wire::Lane::kHandler))) {
        EXPECT_EQ(sample->end, wire::WalkEnd::kRooted);
        weights += sample->value;
      }
      EXPECT_EQ(weights, shared.last_cpu_ns);
    }).join();
  }
}

struct Call {
  ThreadSlot* slot;
  base::SourceId source;
};

void capture_in_native_code(void* data) {
  const auto* call = static_cast<const Call*>(data);
  const uint64_t value = 7;
  capture_here(*call->slot, {call->source, {&value, 1}, {}});
}

// The walk goes through our own frames into the method that called us. Broken by registers of another place:
// the stack has no such method, or does not end at the thread's entry.
TEST(Capture, BeginsAtWhoeverCalledTheAgent) {
  TickWorld world(engines().front(), 1 << 20, kNoTicksNs);
  ASSERT_TRUE(world.ok());
  const FakeManagedCode code;
  world.registry.jitted(code.event(1));
  for (const bool own_image : {false, true}) {
    CaptureSetup setup = capture_setup();
    setup.own_image = own_image;
    set_capture(setup);
    std::thread([&] {
      world.arm_self();
      Call call{world.threads.callback_slot(), kEvents};
      code.run(capture_in_native_code, &call, 1);
      const auto samples = all_in(world.threads.ring(index_of(*call.slot), wire::Lane::kCallback));
      ASSERT_EQ(samples.size(), 1u);
      EXPECT_EQ(samples[0]->end, wire::WalkEnd::kRooted);
      const wire::Frame* frames = wire::Consumer::frames(samples[0]);
      const wire::Frame* end = frames + samples[0]->frames;
      const auto managed = std::find_if(frames, end, [](wire::Frame f) { return f.managed(); });
      ASSERT_NE(managed, end);
      if (own_image) {
        EXPECT_EQ(managed, frames) << "the agent's own frames are in front of it";
      } else {
        EXPECT_GT(managed, frames);
      }
    }).join();
  }
}

TEST(Capture, EachSourceHasItsAccount) {
  TickWorld world(engines().front(), 1 << 20, kNoTicksNs);
  std::thread([&] {
    world.arm_self();
    ThreadSlot* slot = world.threads.callback_slot();
    const uint64_t value = 1;
    for (const base::SourceId source : {kEvents, kMore}) {
      slot->callback_throttle.reset();
      EXPECT_FALSE(capture_here(*slot, {source, {&value, 1}, {}}));
      EXPECT_EQ(capture_here(*slot, {source, {&value, 1}, {}}), wire::DropCause::kThrottled);
      count_drop(*slot, source, wire::DropCause::kStopping);
      const wire::SourceAccount& account = slot->shared->lane(wire::Lane::kCallback).of(source);
      EXPECT_EQ(account.attempts, 3u);
      EXPECT_EQ(account.samples, 1u);
      EXPECT_EQ(account.drops[static_cast<size_t>(wire::DropCause::kThrottled)], 1u);
      EXPECT_EQ(account.drops[static_cast<size_t>(wire::DropCause::kStopping)], 1u);
    }
    EXPECT_TRUE(world.threads.totals().settled());
    EXPECT_EQ(world.threads.totals().of(kMore).attempts, 3u);
    EXPECT_GT(world.threads.totals().callbacks_ns, 0u);
    EXPECT_EQ(world.threads.totals().handler_ns, 0u);
  }).join();
}

TEST(Capture, AFullLaneAndAStoppedRecordingDropAndCount) {
  TickWorld world(engines().front(), 4096, kNoTicksNs);
  std::thread([&] {
    world.arm_self();
    ThreadSlot* slot = world.threads.callback_slot();
    const uint64_t value = 1;
    Dropped last;
    for (int i = 0; i < 100 && last != wire::DropCause::kRingFull; ++i) {
      slot->callback_throttle.reset();
      last = capture_here(*slot, {kEvents, {&value, 1}, {}});
    }
    EXPECT_EQ(last, wire::DropCause::kRingFull);
    stop_captures(true);
    EXPECT_EQ(capture_here(*slot, {kEvents, {&value, 1}, {}}), wire::DropCause::kStopping);
    stop_captures(false);
    const wire::SourceAccount& account = slot->shared->lane(wire::Lane::kCallback).of(kEvents);
    EXPECT_EQ(account.attempts, account.samples + drops_in(account));
  }).join();
}

TEST(Capture, ARiderIsASecondSampleOfTheNextTick) {
  for (const EngineChoice& engine : engines()) {
    TickWorld world(engine, 1 << 20, kFastNs);
    ASSERT_TRUE(world.ok());
    std::thread([&] {
      const ThreadSlot& slot = world.arm_self();
      std::vector<ThreadTable::Living> living;
      world.threads.living(&living);
      ASSERT_EQ(living.size(), 1u);
      EXPECT_EQ(living[0].tid, own_tid());
      EXPECT_GT(living[0].stack_hi, living[0].stack_lo);
      uint64_t left = 0;
      for (uint64_t i = 1; slot.shared->ticks().of(kEvents).samples < 20; ++i) {
        ASSERT_TRUE(world.threads.leave_rider(living[0], kEvents, i, {i, 2 * i}, 2));
        left += i;
        burn_ns(150'000);
      }
      world.threads.stop();
      const uint64_t rest = world.threads.take_back_rider(living[0]);
      const wire::RawSample* ticked = nullptr;
      uint64_t riders = 0, sum = 0;
      for (const wire::RawSample* sample : all_in(world.threads.ring(index_of(slot), wire::Lane::kHandler))) {
        if (sample->source == wire::kCpuSource.value) {
          ticked = sample;
          continue;
        }
        ASSERT_NE(ticked, nullptr);
        EXPECT_EQ(sample->source, kEvents.value);
        EXPECT_EQ(sample->time_ns, ticked->time_ns);
        EXPECT_EQ(sample->end, ticked->end);
        ASSERT_EQ(sample->frames, ticked->frames);
        EXPECT_TRUE(std::equal(wire::Consumer::frames(sample),
                               wire::Consumer::frames(sample) + sample->frames,
                               wire::Consumer::frames(ticked)));
        ASSERT_EQ(sample->labels, 2u);
        EXPECT_EQ(wire::Consumer::labels(sample)[1], 2 * wire::Consumer::labels(sample)[0]);
        EXPECT_EQ(sample->index, riders++);
        sum += sample->value;
        ticked = nullptr;
      }
      EXPECT_GE(riders, 20u);
      EXPECT_EQ(sum + rest, left);
      const wire::SourceAccount& account = slot.shared->ticks().of(kEvents);
      EXPECT_EQ(account.samples, riders);
      EXPECT_EQ(account.attempts, riders);
      EXPECT_FALSE(world.threads.leave_rider(living[0], kEvents, 1, {}, 0)) << "it is gone";
    }).join();
  }
}

TEST(Capture, AThreadOfTheAgentsWritesOfOthers) {
  TickWorld world(engines().front(), 1 << 20, kNoTicksNs);
  std::thread([&] {
    const ThreadSlot& self = world.arm_self();
    std::thread([&] {
      ThreadSlot* writer = world.threads.add_writer();
      ASSERT_NE(writer, nullptr);
      const std::array<wire::Frame, 2> frames{wire::Frame::at_address(wire::FrameKind::kStub, 1),
                                              wire::Frame::at_address(wire::FrameKind::kStub, 2)};
      Subject subject{base::ThreadId(1), 5, frames, wire::WalkEnd::kGap, 0, 77};
      const uint64_t value = 9, label = 3;
      EXPECT_FALSE(capture_about(*writer, subject, {kEvents, {&value, 1}, {&label, 1}}));
      const auto samples = all_in(world.threads.ring(index_of(*writer), wire::Lane::kCallback));
      ASSERT_EQ(samples.size(), 1u);
      EXPECT_EQ(samples[0]->subject, 1u);
      EXPECT_EQ(samples[0]->index, 5u);
      EXPECT_EQ(samples[0]->time_ns, 77u);
      EXPECT_EQ(samples[0]->end, wire::WalkEnd::kGap);
      EXPECT_EQ(wire::Consumer::labels(samples[0])[0], 3u);
      EXPECT_EQ(wire::Consumer::frames(samples[0])[1], frames[1]);
    }).join();
    std::vector<ThreadTable::Living> living;
    world.threads.living(&living);
    EXPECT_EQ(living.size(), 1u) << "the writer is not of the program";
    EXPECT_EQ(self.shared->lane(wire::Lane::kCallback).of(kEvents).attempts, 0u);
    world.threads.update({own_tid()});
    std::vector<ThreadView> views;
    world.threads.view(&views);
    ASSERT_EQ(views.size(), 2u);
    EXPECT_TRUE(views[1].writer);
    EXPECT_FALSE(views[1].ended) << "its samples may still be there";
  }).join();
}

// A lane that nobody uses takes no memory.
TEST(Capture, ALaneIsOpenedByItsFirstUse) {
  TickWorld world(engines().front(), 1 << 20, kNoTicksNs);
  std::thread([&] {
    const ThreadSlot& slot = world.arm_self();
    EXPECT_FALSE(world.rings.has_callback_lane(index_of(slot)));
    EXPECT_EQ(slot.callback_memo, nullptr);
    EXPECT_EQ(world.threads.callback_slot(), &slot);
    EXPECT_TRUE(world.rings.has_callback_lane(index_of(slot)));
    EXPECT_EQ(current_slot(), &slot);
  }).join();
  std::thread([&] { EXPECT_EQ(world.threads.callback_slot(), nullptr) << "not armed"; }).join();
}

}  // namespace
}  // namespace walkabout::agent
