// One walk as a capturing agent's handler saw it: the registers, what the walk read, the stack, the frames,
// and the CLR's walk from the same registers. Filled in the handler, emptied by the capture thread. Test
// build only.
#pragma once

#include <atomic>
#include <cstdint>

#include "unwind/walk/walker.h"

namespace walkabout::stacks {

inline constexpr uint32_t kMaxFrames = 2048;
inline constexpr uint32_t kMaxReads = 8192;
inline constexpr uint32_t kMaxReadBytes = 516;  // the longest read: UNWIND_INFO of a method not reported yet
inline constexpr uint32_t kMaxStack = 64u << 10;

struct Read {
  uint64_t address = 0;
  uint32_t size = 0;
  uint8_t bytes[kMaxReadBytes];
};

struct CapturedWalk {
  enum State : uint32_t { kFree, kFilling, kReady };
  std::atomic<uint32_t> state{kFree};  // release/acquire: hands the rest over
  uint32_t tid = 0;
  uint64_t sample = 0;
  unwind::Registers leaf;
  unwind::WalkOutcome outcome;
  uint64_t frame_count = 0;   // of the walk made for the sample, which used a memo
  uint64_t traced_count = 0;  // of the traced one, which did not
  unwind::WalkOutcome traced;
  wire::Frame frames[kMaxFrames];
  uint32_t read_count = 0;
  Read reads[kMaxReads];
  uint64_t stack_begin = 0;
  uint32_t stack_size = 0;
  uint8_t stack[kMaxStack];
  bool clr_requested = false;
  uint32_t hresult = 0;
  uint32_t clr_count = 0;
  wire::Frame clr[kMaxFrames];

  void begin() {
    read_count = stack_size = hresult = clr_count = 0;
    clr_requested = false;
  }
  // False when there is no room left.
  bool note(uint64_t address, const void* bytes, size_t size);
};

}  // namespace walkabout::stacks
