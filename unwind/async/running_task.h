// The task whose delegate runs on a stack: those who await it await what the delegate does.
// Async-signal-safe.
#pragma once

#include <cstddef>

#include "unwind/async/async_chain.h"
#include "unwind/async/async_knowledge.h"
#include "unwind/async/heap_reader.h"
#include "unwind/async/searched_stack.h"

namespace walkabout::unwind {

enum class TaskFind : uint8_t {
  kNone,  // not found for certain
  kFound,
  kNotReadable,  // the heap may not be read now
};

// frames[invoker] calls the delegate.
TaskFind find_running_task(const SearchedStack& stack, size_t invoker, const AsyncKnowledge& known,
                           HeapReader& heap, AsyncObject* task);

}  // namespace walkabout::unwind
