// The oracle's rules for stacks on which an exception is under way. See verify/oracle_compare.h for what a
// rule is. Pure functions of their arguments.
#pragma once

#include <optional>

#include "verify/oracle_compare.h"

namespace walkabout::profile {

// exception_dispatcher: the CLR leaves its own managed frames that find and run handlers (System.Runtime.EH)
// out of every walk.
std::optional<OracleStack> exception_dispatcher(const OracleStack& ours, const OracleStack& clr);

// unwound_frames: frames that an exception's second pass has passed stay on the stack until its catch has
// ended: the handler runs on top of them. The CLR takes them for gone. From the one that threw (the runtime's
// throw helper, or other code that dispatches an exception, is above it) up to the method that handles it
// they are left out, and the handler (a catch or finally funclet) is reported as the method it belongs to.
// While the dispatcher itself runs, between two handlers, the frames it has passed are left out likewise.
// Filters run in the first pass: nothing is left out for them.
std::optional<OracleStack> unwound_frames(const OracleStack& ours, const OracleStack& clr);

// catch_being_left: when a catch has ended, the runtime first drops its records of the exceptions and then
// cuts the stack. In between the CLR's walk finds the frame of a handler that (or whose callee) threw again,
// has no record left to find its method by, and ends there.
std::optional<OracleStack> catch_being_left(const OracleStack& ours, const OracleStack& clr);

}  // namespace walkabout::profile
