// Functions that are put into others, from a file in a folder of its own.
#pragma once

#define INLINED inline __attribute__((always_inline))

namespace inlined {

template <typename T>
INLINED T mix(T value, unsigned by) {
  value ^= value << (by & 7);
  value += by * 3;
  return value;
}

class Shape {
 public:
  explicit Shape(unsigned sides) : sides_(sides) {}
  INLINED unsigned grow(unsigned by) {
    sides_ = mix(sides_, by);
    return sides_ + mix(by, sides_);
  }

 private:
  unsigned sides_;
};

}  // namespace inlined
