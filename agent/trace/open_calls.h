// Calls of async methods that wait: found again by who goes on with them, in whatever thread, without a lock.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/trace/free_list.h"
#include "agent/trace/traced_call.h"

namespace walkabout::agent {

// In ticks. One thread's at a time: its that runs it, then whose that finds it.
struct OpenCall {
  uint64_t begin;
  uint64_t paused;  // when it was last
  uint64_t wall;    // that it ran
  uint64_t off;     // of it, that the thread did not run
  uint64_t waiting;
  uint32_t node, method;
  uint32_t call, caller;
  uint32_t thread;  // that it began in
  uint32_t value_bytes;
  bool told;  // TraceReader::on_slow_call
  bool knows_off;
  uint8_t values[kMostValueBytes];
};

class OpenCalls {
 public:
  static constexpr uint32_t kMost = (1u << 16) - 1;

  bool reserve();
  // Forgets all. REQUIRES: nobody is in here.
  void clear();

  // A number, from 1, and it is all zeroes but for what its last use left in `values`; 0: there is no room.
  uint32_t take();
  void give_back(uint32_t number);
  OpenCall& at(uint32_t number) { return calls_[number]; }

  enum class Put { kDone, kNoRoom, kAmbiguous };
  // It waits. kAmbiguous: another one of that method and identity does, and neither is found any more.
  Put put(uint32_t number, uint32_t method, uint32_t identity);
  // Takes one that waits out again; 0: there is none, or more than one.
  uint32_t find(uint32_t method, uint32_t identity);
  // For who emits, when nobody is in here: one of `number` waits.
  uint32_t waiting_at(uint32_t slot) const;
  static constexpr uint32_t kSlots = 1u << 18;

 private:
  static constexpr uint32_t kLook = 32;  // slots that one may be in
  static constexpr uint64_t kAmbiguousBit = uint64_t{1} << 63;

  OpenCall* calls_ = nullptr;
  // 0: free. Else method, identity (26 bits), number (17 bits), and whether it is ambiguous.
  std::atomic<uint64_t>* slots_ = nullptr;
  std::atomic<uint32_t>* next_ = nullptr;
  FreeList free_;
};

}  // namespace walkabout::agent
