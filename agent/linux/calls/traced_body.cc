#include "agent/linux/calls/traced_body.h"

#include <algorithm>

#include "agent/trace/traced_call.h"
#include "il/insertion.h"
#include "il/pieces.h"
#include "il/try_finally.h"

namespace walkabout::agent {
namespace {

using il::Op;
using il::Piece;

class PieceBuilder {
 public:
  explicit PieceBuilder(uint16_t stack) { piece_.stack = stack; }
  PieceBuilder& put(Op op, uint64_t operand = 0) {
    piece_.code.push_back({op, il::kNoOrigin, operand});
    return *this;
  }
  PieceBuilder& load(uint16_t local) {
    piece_.code.push_back(il::load_local(local));
    return *this;
  }
  PieceBuilder& store(uint16_t local) {
    piece_.code.push_back(il::store_local(local));
    return *this;
  }
  template <typename Function>
  PieceBuilder& call(Function* function, uint32_t signature) {
    return put(Op::kLdcI8, reinterpret_cast<uint64_t>(function)).put(Op::kConvI).put(Op::kCalli, signature);
  }
  // The hash code of the machine's box, on the stack.
  PieceBuilder& hash_code(const AsyncMachine& machine) {
    put(Op::kLdarg0).put(Op::kLdflda, machine.builder);
    if (machine.box_at != 0) put(Op::kLdcI4S, machine.box_at).put(Op::kAdd);
    return put(Op::kLdindRef).put(Op::kCall, machine.hash_code);
  }
  Piece piece() { return std::move(piece_); }

 private:
  Piece piece_;
};

Piece set_outcome(uint64_t outcome, uint16_t local) {
  return PieceBuilder(1).put(Op::kLdcI8, outcome).store(local).piece();
}

bool is_led_to(const il::Body& body, uint32_t index) {
  return std::find(body.labels.begin(), body.labels.end(), index) != body.labels.end();
}

}  // namespace

il::Cause trace_calls(uint32_t method, const TraceSignatures& signatures, const TraceLocals& locals,
                      il::Body* body) {
  il::Around around;
  around.enter = PieceBuilder(2)
                     .put(Op::kLdcI8, kTraceException)
                     .store(locals.outcome)
                     .put(Op::kLdcI8, method)
                     .call(&walkabout_trace_enter, signatures.enter)
                     .store(locals.token)
                     .piece();
  around.returning = set_outcome(kTraceReturned, locals.outcome);
  around.leaving = PieceBuilder(3)
                       .load(locals.token)
                       .load(locals.outcome)
                       .call(&walkabout_trace_leave, signatures.leave)
                       .piece();
  around.result = locals.result;
  return il::wrap_in_finally(around, body);
}

il::Cause trace_async_calls(uint32_t method, const TraceSignatures& signatures, const TraceLocals& locals,
                            const AsyncMachine& machine, il::Body* body) {
  constexpr uint32_t kSignBit = 31;
  const Piece pausing =
      PieceBuilder(3).load(locals.resumed).hash_code(machine).put(Op::kOr).store(locals.pausing).piece();
  const Piece failing = set_outcome(kTraceException, locals.outcome);
  std::vector<il::Insertion> insertions;
  for (const uint32_t await : machine.awaits) {
    if (await + 1 >= body->code.size() || is_led_to(*body, await + 1)) return il::Cause::kPlace;
    insertions.push_back({await + 1, &pausing});
  }
  for (const uint32_t failure : machine.failures) insertions.push_back({failure, &failing});
  std::sort(insertions.begin(), insertions.end(),
            [](const il::Insertion& a, const il::Insertion& b) { return a.before < b.before; });
  if (const il::Cause cause = il::insert(insertions, body); cause != il::Cause::kNone) return cause;
  il::Around around;
  around.enter = PieceBuilder(3)
                     .put(Op::kLdcI8, kTraceReturned)
                     .store(locals.outcome)
                     .put(Op::kLdcI40)
                     .store(locals.pausing)
                     .hash_code(machine)
                     .put(Op::kLdarg0)
                     .put(Op::kLdfld, machine.state)
                     .put(Op::kLdcI4S, kSignBit)
                     .put(Op::kShr)
                     .put(Op::kNot)
                     .put(Op::kAnd)
                     .store(locals.resumed)
                     .put(Op::kLdcI8, method)
                     .load(locals.resumed)
                     .put(Op::kConvU8)
                     .call(&walkabout_trace_resume, signatures.resume)
                     .store(locals.token)
                     .piece();
  around.leaving = PieceBuilder(4)
                       .load(locals.token)
                       .load(locals.outcome)
                       .load(locals.pausing)
                       .put(Op::kConvU8)
                       .call(&walkabout_trace_pause, signatures.pause)
                       .piece();
  around.result = locals.result;
  return il::wrap_in_finally(around, body);
}

il::Cause trace_beginnings(uint32_t method, const TraceSignatures& signatures, il::Body* body) {
  return il::insert_at_entry(PieceBuilder(3)
                                 .put(Op::kLdcI8, method)
                                 .call(&walkabout_trace_enter, signatures.enter)
                                 .put(Op::kLdcI8, kTraceReturned)
                                 .call(&walkabout_trace_leave, signatures.leave)
                                 .piece(),
                             body);
}

}  // namespace walkabout::agent
