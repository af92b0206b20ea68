// The bodies of traced methods: calls of the agent's functions (agent/trace/traced_call.h) around what they
// were. Pure; any thread.
//
//   token = enter(method); try { …; outcome = 1 } finally { leave(token, outcome) }
//
// Of an async method's MoveNext, of which several make one call:
//
//   resumed = hash code of the box & ~(state >> 31); token = resume(method, resumed)
//   try { …; AwaitUnsafeOnCompleted(…); pausing = resumed | hash code of the box; … } finally {
//   pause(token, outcome, pausing) }
//
// The box is what the builder holds from the first suspension on: until then its hash code is 0, as that of
// null. It must not be read behind the method's end, when a pooled one may be another call's; its hash code
// stays, whatever becomes of the object. An iterator's builder keeps it: where the state is below 0, a call
// begins. `outcome` is 1 unless the builder was given an exception.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "il/body.h"
#include "il/cause.h"

namespace walkabout::agent {

// Tokens of signatures in the method's module, in the runtime's own convention: what is given and taken is
// ulong.
struct TraceSignatures {
  uint32_t enter = 0;   // one → one
  uint32_t leave = 0;   // two → nothing
  uint32_t resume = 0;  // two → one
  uint32_t pause = 0;   // three → nothing
};

// Of the state machine whose MoveNext it is.
struct AsyncMachine {
  uint32_t state = 0, builder = 0;  // tokens of its fields
  uint32_t box_at = 0;              // where in the builder the reference to the box is
  uint32_t hash_code = 0;           // Object.GetHashCode
  std::vector<uint32_t> awaits;     // instructions: calls that suspend the method, rising
  std::vector<uint32_t> failures;   // instructions: calls that give the builder an exception, rising
};

// New local variables.
struct TraceLocals {
  uint16_t token = 0, outcome = 0;    // ulong
  uint16_t resumed = 0, pausing = 0;  // int; of an async method
  std::optional<uint16_t> result;     // none: it returns nothing
};

// What is not kNone left the body as it was.
il::Cause trace_calls(uint32_t method, const TraceSignatures& signatures, const TraceLocals& locals,
                      il::Body* body);
il::Cause trace_async_calls(uint32_t method, const TraceSignatures& signatures, const TraceLocals& locals,
                            const AsyncMachine& machine, il::Body* body);
// A call that begins and ends at the method's beginning, for methods whose end cannot be seen.
il::Cause trace_beginnings(uint32_t method, const TraceSignatures& signatures, il::Body* body);

}  // namespace walkabout::agent
