#include "wire/ring_size.h"

#include <gtest/gtest.h>

#include "wire/limits.h"
#include "wire/ring.h"

namespace walkabout::wire {
namespace {

TEST(RingSize, HoldsWhatComesInBetweenTwoPasses) {
  for (const uint64_t interval_ns : {kMinIntervalNs, uint64_t{1'000'000}, kUsualIntervalNs, kMaxIntervalNs}) {
    const uint64_t samples = uint64_t{pass_ms(interval_ns)} * 1'000'000 / interval_ns;
    EXPECT_GE(ring_size(interval_ns, 16, false), samples * sizeof(RawSample)) << interval_ns;
  }
}

TEST(RingSize, HoldsADeepStack) {
  for (const uint32_t depth : {kMinDepth, kUsualDepth, kMaxDepth}) {
    EXPECT_GT(ring_size(kMaxIntervalNs, depth, false), sizeof(RawSample) + depth * sizeof(Frame)) << depth;
    EXPECT_GE(ring_size(kMaxIntervalNs, depth, true), ring_size(kMaxIntervalNs, depth, false)) << depth;
  }
}

TEST(RingSize, IsAPowerOfTwoAsRingsWantIt) {
  for (uint32_t depth = 16; depth < 65'536; depth = depth * 3 / 2) {
    const uint32_t size = ring_size(kMinIntervalNs, depth, true);
    EXPECT_EQ(size & (size - 1), 0u) << depth;
  }
}

}  // namespace
}  // namespace walkabout::wire
