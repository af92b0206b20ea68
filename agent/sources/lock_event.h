// The values and labels of the source "locks" (locks.h), as it declares them.
#pragma once

#include <array>
#include <cstdint>

namespace walkabout::agent {

struct LockEvent {
  std::array<uint64_t, 3> values;
  std::array<uint64_t, 2> labels;

  static LockEvent waited(uint64_t ns, uint64_t lock, uint64_t owner) { return {{ns, 1, 0}, {lock, owner}}; }
  // Of the owner: so long it held another one up.
  static LockEvent held_up(uint64_t ns, uint64_t lock, uint64_t owner) { return {{0, 0, ns}, {lock, owner}}; }
};

}  // namespace walkabout::agent
