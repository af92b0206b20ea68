// What a thread has found out about callers: where a counted method has its return address, and which pair of
// method and caller the calls that return there are (caller_table.h). A call that was seen before needs no
// look at the code maps.
//
// All of it is void when their generation changes (unwind::CodeMap). One thread at a time; zeroes are empty.
// A pc is of one method, whose frame is as its prolog left it: the return address is always as far above.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace walkabout::agent {

class CallerMemo {
 public:
  static constexpr uint32_t kUnknown = UINT32_MAX;

  // pc, sp: where the counted method stands, with its frame. kUnknown: it is to be found out.
  uint32_t find(uint64_t pc, uint64_t sp, uint32_t generation) const {
    const Method& method = methods_[place(pc, kMethods)];
    if (method.pc != pc || method.generation != generation) return kUnknown;
    const uint64_t caller = *reinterpret_cast<const uint64_t*>(sp + method.above);
    const Call& call = calls_[place(pc ^ caller << 7, kCalls)];
    const bool same = call.pc == pc && call.caller == caller && call.generation == generation;
    return same ? call.pair : kUnknown;
  }
  // slot: of the stack, with the return address.
  void keep(uint64_t pc, uint64_t sp, uint64_t slot, uint32_t generation, uint32_t pair) {
    const uint64_t caller = *reinterpret_cast<const uint64_t*>(slot);
    methods_[place(pc, kMethods)] = {pc, generation, static_cast<uint32_t>(slot - sp)};
    calls_[place(pc ^ caller << 7, kCalls)] = {pc, caller, generation, pair};
  }

 private:
  static constexpr size_t kMethods = 16, kCalls = 32;
  struct Method {
    uint64_t pc;
    uint32_t generation;
    uint32_t above;  // its stack pointer: bytes
  };
  struct Call {
    uint64_t pc;
    uint64_t caller;  // return address
    uint32_t generation;
    uint32_t pair;
  };
  static size_t place(uint64_t key, size_t size) {
    return static_cast<size_t>(key * 0x9e37'79b9'7f4a'7c15u >> 40) & (size - 1);
  }

  std::array<Method, kMethods> methods_;
  std::array<Call, kCalls> calls_;
};

}  // namespace walkabout::agent
