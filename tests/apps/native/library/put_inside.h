#pragma once

#include <cstdint>

#define INLINED inline __attribute__((always_inline))

namespace inlining {

class Mixer {
 public:
  explicit Mixer(uint64_t n) : n_(n) {}
  INLINED uint64_t mix(uint64_t rounds) {
    for (uint64_t i = 0; i < rounds; ++i)              // HOT mix
      n_ = (n_ ^ n_ >> 29) * 0xbf58476d1ce4e5b9u + i;  // HOT mix
    return n_;
  }

 private:
  uint64_t n_;
};

}  // namespace inlining
