// A body that runs code when it begins, and other code when it ends, however that is: its instructions stand
// in a try, the code at the end in its finally. Pure; any thread.
//
//   enter; try { …; [store the result; returning; leave] for every return } finally { leaving }
//   [load the result] return
//
// If it is asked for, what ends the method is noted as it is thrown, by a filter that takes nothing: null to
// begin with, the exception that passed last in the end; it is the one that ends the method, if one does. So
// stack traces and handlers are as they were.
//
// A call's `tail.` is left out: the method ends when that call has returned. A recursion without bound that
// relied on it overflows its stack now. The result's variable is of the type that the method returns
// (il/signature_types.h).
#pragma once

#include <cstdint>
#include <optional>

#include "il/body.h"
#include "il/cause.h"
#include "il/insertion.h"

namespace walkabout::il {

struct Around {
  Piece enter;
  Piece returning;  // the result is in its variable; not run where an exception ends the method
  Piece leaving;
  std::optional<uint16_t> result;  // the local variable; none: the method returns nothing
  std::optional<uint16_t>
      thrown;  // the local variable, an object, null when the method begins; none: no filter
};

// tail_calls: set to how many are ordinary calls now, if not null. What is not kNone left the body as it was:
// it jumps (jmp), or returns from within a clause.
Cause wrap_in_finally(const Around& around, Body* body, uint32_t* tail_calls = nullptr);

}  // namespace walkabout::il
