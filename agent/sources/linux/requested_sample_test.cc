#include "agent/sources/linux/requested_sample.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "agent/linux/session/tick_world.h"
#include "wire/sources.h"

namespace walkabout::agent {
namespace {

constexpr auto kLeftOut = static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
constexpr auto kInGc = static_cast<uint8_t>(wire::SampleFlag::kInGc);
constexpr base::SourceId kLocksOfTest = wire::source_id("locks");

// Broken by giving stacks the whole ring: on a busy machine the time that was waited is lost with it.
TEST(RequestedSample, WhereAStackHasNoRoomItsAmountsAreKept) {
  testing::TickWorld world(testing::engines().front(), 1 << 16, uint64_t{1000} * 1'000'000'000);
  std::thread([&] {
    ThreadSlot* writer = world.threads.add_writer();
    ASSERT_NE(writer, nullptr);
    const RequestedStack deep{
        std::vector<wire::Frame>(1000, wire::Frame::at_address(wire::FrameKind::kStub, 1)),
        wire::WalkEnd::kRooted, kLeftOut | kInGc, 1};
    PerThread<uint32_t> taken;
    const Place place{1, base::ThreadId(1)};
    const uint64_t ns = 7;
    constexpr uint32_t kMany = 60;  // seven have room
    for (uint32_t i = 0; i < kMany; ++i)
      capture_requested(*writer, place, i, deep, taken, {kLocksOfTest, {&ns, 1}, {}});
    EXPECT_EQ(taken.of(place), kMany);
    const wire::SourceAccount& account = writer->shared->lane(wire::Lane::kCallback).of(kLocksOfTest);
    EXPECT_EQ(account.attempts, kMany);
    EXPECT_EQ(account.samples, kMany);
    wire::Consumer ring =
        world.threads.ring(static_cast<uint32_t>(writer - thread_slots().data()), wire::Lane::kCallback);
    uint32_t whole = 0, others = 0;
    for (const wire::RawSample* sample; (sample = ring.next()) != nullptr; ring.pass()) {
      EXPECT_EQ(sample->value, ns);
      EXPECT_EQ(sample->index, whole + others);
      if (sample->end == wire::WalkEnd::kRooted) {
        EXPECT_EQ(sample->frames, deep.frames.size());
        ++whole;
      } else {
        EXPECT_EQ(sample->end, wire::WalkEnd::kNotWalked);
        EXPECT_EQ(sample->flags, kInGc);
        EXPECT_EQ(*wire::Consumer::frames(sample), wire::Frame::not_walked());
        ++others;
      }
    }
    EXPECT_GT(whole, 0u);
    EXPECT_EQ(whole + others, kMany);
  }).join();
}

}  // namespace
}  // namespace walkabout::agent
