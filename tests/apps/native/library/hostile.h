// What the corpus's programs call. Each function answers 0 when everything came out right, unless it says
// otherwise.
#pragma once

#include <cstdint>

#define HOSTILE extern "C" __attribute__((visibility("default")))

namespace hostile {

// CPU work that the compiler cannot leave out.
inline uint32_t burn(uint32_t seed, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    seed = (seed * 1664525 + 1013904223) ^ (seed >> 7);
    asm volatile("" : "+r"(seed));
  }
  return seed;
}

}  // namespace hostile
