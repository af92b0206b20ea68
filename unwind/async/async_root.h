// Finds, on a stack that was walked, the innermost async method that was resumed: its caller on the stack is
// what ran it on, its logical caller is who awaits it. Pure, no allocation, no locks: async-signal-safe.
//
// A MoveNext on the stack is either started by its method, then the stack tells its caller, or resumed by its
// box. The pointer to the state machine, which it runs with, is in a register or a word of the stack between
// the leaf and its caller; GetClassLayout's offsets and the class of what is found there decide, and the
// state, which says that it runs. What was left behind on the stack may look the same: two objects for one
// MoveNext are none.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "unwind/async/async_chain.h"
#include "unwind/async/async_methods.h"
#include "unwind/async/async_types.h"
#include "unwind/async/heap_reader.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// Where the pointer was found last, for each return address: nearly always it is there again. Any thread.
class AsyncHints {
 public:
  // All zeroes, a power of two, that outlive this.
  explicit AsyncHints(std::span<std::atomic<uint64_t>> words) : words_(words) {}
  // Bytes below the caller's stack pointer; 0: not known.
  uint32_t find(wire::Frame frame) const {
    const uint64_t word = words_[place(frame)].load(std::memory_order_relaxed);
    return word >> 32 == tag(frame) ? static_cast<uint32_t>(word) : 0;
  }
  void keep(wire::Frame frame, uint32_t below) {
    words_[place(frame)].store(tag(frame) << 32 | below, std::memory_order_relaxed);
  }

 private:
  static uint64_t scatter(wire::Frame frame) { return frame.bits * 0x9e3779b97f4a7c15u; }
  static uint64_t tag(wire::Frame frame) { return scatter(frame) >> 32; }
  size_t place(wire::Frame frame) const { return scatter(frame) & (words_.size() - 1); }

  std::span<std::atomic<uint64_t>> words_;
};

// All that was learnt of the runtime.
struct AsyncKnowledge {
  AsyncTypes& types;
  AsyncMethods& methods;
  AsyncHints& hints;
};

// A stack as it was walked. Of its first frames the stack pointers, in the same order; none where another
// thread's stack is looked at, which is not searched.
struct WalkedStackView {
  const Registers& leaf;
  const Memory& stack;  // [lo, hi): the thread's own
  std::span<const wire::Frame> frames;
  std::span<const uint64_t> stack_pointers;
};

enum class AsyncFind : uint8_t {
  kNone,   // no async method was resumed: the stack tells all callers
  kFound,  // frames[joint - 1] is it
  // frames[joint - 1] is it, and has returned: its state machine says so, and none of its class runs. It
  // completes its task, and those who awaited it are on their way.
  kReturned,
  kUnknown,  // frames[joint - 1] is or may be an async method of which it is not known how it came there
};

struct AsyncRoot {
  AsyncFind found = AsyncFind::kNone;
  uint32_t joint = 0;
  AsyncObject method;
  wire::AsyncUnknown why = wire::AsyncUnknown::kNone;
  // The number of the first frame, and 1, that nobody had looked at yet and that counted as ordinary: whoever
  // looks at it later has to see whether it is. 0: there is none.
  uint32_t unseen = 0;
};

AsyncRoot find_resumed(const WalkedStackView& stack, const AsyncKnowledge& known, HeapReader& heap);

// Both: the chain behind a stack. frames[0, joint) of it come before the awaiters; joint 0: there is none.
struct AsyncStack {
  uint32_t joint = 0;
  uint32_t count = 0;
  uint32_t unseen = 0;  // as of AsyncRoot
};
// awaiters: room for at least two. What is not known, or was left out, is a frame of its own at the end.
AsyncStack find_awaiters(const WalkedStackView& stack, const AsyncKnowledge& known, HeapReader& heap,
                         std::span<wire::Frame> awaiters);

}  // namespace walkabout::unwind
