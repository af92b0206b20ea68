// Functions that the compiler has to put into others: native_lines_test.py knows which line is hot in each.
#include "put_inside.h"

#include <cstdint>

// Marks are read by the test: HOT NAME stands on the lines of NAME's loop, CALL NAME where NAME is called.
namespace inlining {
namespace {

INLINED uint64_t inner(uint64_t n, uint64_t rounds) {
  for (uint64_t i = 0; i < rounds; ++i)            // HOT inner
    n = n * 6364136223846793005u + (n >> 33 ^ i);  // HOT inner
  return n;
}

INLINED uint64_t outer(uint64_t n, uint64_t rounds) {
  n += rounds;
  return inner(n, rounds) + 1;  // CALL inner
}

}  // namespace
}  // namespace inlining

extern "C" __attribute__((visibility("default"), noinline)) uint64_t inlining_alone(uint64_t n,
                                                                                    uint64_t rounds) {
  return inlining::outer(n, rounds) ^ 1;  // CALL outer
}

extern "C" __attribute__((visibility("default"), noinline)) uint64_t inlining_header(uint64_t n,
                                                                                     uint64_t rounds) {
  return inlining::Mixer(n).mix(rounds) ^ 2;  // CALL mix
}
