// The box that resumed an async method which needs its state machine no more: it is about to be suspended, or
// to return. The box's own method that resumed it needs the box. Async-signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/async/async_chain.h"
#include "unwind/async/async_types.h"
#include "unwind/async/heap_reader.h"
#include "unwind/async/searched_stack.h"

namespace walkabout::unwind {

// frames[method] runs the state machine of that number. Where the box's own method is its caller, but for
// ExecutionContext, the only box of its class up to that one's caller is the one. False: not known for
// certain.
bool find_resumed_box(const SearchedStack& stack, size_t method, uint32_t machine, const AsyncTypes& types,
                      HeapReader& heap, AsyncObject* box, int32_t* state);

}  // namespace walkabout::unwind
