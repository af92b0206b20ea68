#include "wire/ring_size.h"

#include <gtest/gtest.h>

#include "wire/ring.h"

namespace walkabout::wire {
namespace {

constexpr uint64_t kFinestNs = 100'000, kCoarsestNs = 1'000'000'000;

TEST(RingSize, HoldsWhatComesInBetweenTwoPasses) {
  for (const uint64_t interval_ns : {kFinestNs, uint64_t{1'000'000}, kUsualIntervalNs, kCoarsestNs}) {
    const uint64_t samples = uint64_t{pass_ms(interval_ns)} * 1'000'000 / interval_ns;
    EXPECT_GE(ring_size(interval_ns, 16, false), samples * sizeof(RawSample)) << interval_ns;
  }
}

TEST(RingSize, HoldsADeepStack) {
  for (const uint32_t depth : {16u, kUsualDepth, 65'536u}) {
    EXPECT_GT(ring_size(kCoarsestNs, depth, false), sizeof(RawSample) + depth * sizeof(Frame)) << depth;
    EXPECT_GE(ring_size(kCoarsestNs, depth, true), ring_size(kCoarsestNs, depth, false)) << depth;
  }
}

TEST(RingSize, IsAPowerOfTwoAsRingsWantIt) {
  for (uint32_t depth = 16; depth < 65'536; depth = depth * 3 / 2) {
    const uint32_t size = ring_size(kFinestNs, depth, true);
    EXPECT_EQ(size & (size - 1), 0u) << depth;
  }
}

}  // namespace
}  // namespace walkabout::wire
