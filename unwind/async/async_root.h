// Finds, on a stack that was walked, the innermost async method that was resumed: its caller on the stack is
// what ran it on, its logical caller is who awaits it. Pure, no allocation, no locks: async-signal-safe.
//
// A MoveNext on the stack is either started by its method, then the stack tells its caller, or resumed by its
// box. The pointer to the state machine, which it runs with, is in a register or a word of the stack between
// the leaf and its caller; GetClassLayout's offsets and the class of what is found there decide, and the
// state, which says that it runs. What was left behind on the stack may look the same: two objects for one
// MoveNext are none.
#pragma once

#include <cstdint>
#include <span>

#include "unwind/async/async_chain.h"
#include "unwind/async/async_knowledge.h"
#include "unwind/async/heap_reader.h"
#include "unwind/async/searched_stack.h"
#include "wire/frame.h"

namespace walkabout::unwind {

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
