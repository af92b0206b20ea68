// The stack of a thread of this process that is blocked, taken without waking it: one copy of the stack, and
// a walk over the copy.
//
// The kernel copies, so nothing faults where the thread ends meanwhile. Its run count before and behind the
// copy tells whether it stood still all the while; a copy of a stack that moved is thrown away. Frames come
// as they do from a tick; what is not certain says so by its WalkEnd.
//
// One thread. Allocates. Source: process_vm_readv(2).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "agent/linux/blocked_thread.h"
#include "agent/linux/handler/capture.h"
#include "unwind/code/reader_gate.h"
#include "unwind/walk/blocked_walk.h"

namespace walkabout::agent {

// A copy of the words from a stack pointer up, made in chunks as the walk comes to them.
class StackCopy {
 public:
  static constexpr uint64_t kChunkBytes = 16 << 10;
  static constexpr uint64_t kMost = 1 << 20;
  // Words read outside of the copy in one walk: code, the runtime's objects, a stack above kMost. A walk that
  // asks for more ends there.
  static constexpr uint32_t kMostOutside = 2048;

  StackCopy();
  // hi: where the stack ends; 0: not known, then it is read as far as there is memory.
  void begin(uint64_t sp, uint64_t hi);
  // What the walk reads: the copy, and outside of it this process's memory. Valid until the next begin().
  unwind::Memory memory();
  uint64_t sp() const { return sp_; }
  uint64_t end() const { return sp_ + copied_; }  // of what is in the copy

 private:
  static bool load(void* self, uint64_t address, void* to, size_t size);
  static const uint8_t* code(void* self, uint64_t pc, size_t size);
  bool reach(uint64_t end);
  bool read_outside(uint64_t address, void* to, size_t size);

  uint64_t sp_ = 0;
  uint64_t limit_ = 0;   // above it nothing is copied
  uint64_t copied_ = 0;  // bytes from sp_ on
  uint32_t outside_ = 0;
  std::unique_ptr<uint8_t[]> bytes_;
  uint8_t code_[64] = {};
};

// How much a thread has run. Where the kernel keeps no run count, the CPU clock has to do: it is exact but
// for a run that lasted no time by the scheduler's own clock.
struct Ran {
  uint64_t runs = 0;
  uint64_t cpu_ns = 0;
  bool operator==(const Ran&) const = default;
};
// REQUIRES: as of place_of().
Ran ran(pid_t tid, SchedCounts* counts = nullptr);

// What a look found.
struct BlockedStack {
  Standing standing = Standing::kUnknown;
  int64_t call = -1;  // as of ThreadPlace
  SchedCounts counts;
  Ran ran;  // when it stood there
  unwind::BlockedWalk walk;
  std::vector<wire::Frame> frames;  // leaf first; walk.frames of them count
  // Those of the async method that it is in, as of that moment: others may come to await it while it stands.
  Awaiters awaiters;
};

class BlockedStacks {
 public:
  // depth: frames kept of a stack. async: null where nobody asks for awaiters; outlives this.
  BlockedStacks(const unwind::CodeMap& code, unwind::ReaderGate& gate, uint32_t depth,
                const AsyncSetup* async = nullptr);

  // Looks where a thread stands and takes its stack. stack_hi: of its stack, 0: not known. runtime_thread:
  // see unwind::Memory. kRuns: it ran, or it did while it was looked at. REQUIRES: as of place_of().
  const BlockedStack& look(pid_t tid, uint64_t stack_lo, uint64_t stack_hi, uint64_t runtime_thread);

 private:
  static constexpr int kTries = 2;  // a thread that moves under two looks runs

  void find_awaiters(const unwind::Memory& memory, uint32_t turns);

  const unwind::CodeMap code_;
  unwind::ReaderGate& gate_;
  unwind::MappedMemo memo_;
  unwind::FrameSizes sizes_;
  StackCopy copy_;
  const AsyncSetup* async_;
  std::vector<uint64_t> stack_pointers_;  // of the first frames
  BlockedStack seen_;
};

}  // namespace walkabout::agent
