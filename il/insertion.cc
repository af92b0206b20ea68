#include "il/insertion.h"

#include <algorithm>
#include <limits>

namespace walkabout::il {
namespace {

// Of the first prefix.
uint32_t with_prefixes(const Body& body, uint32_t index) {
  while (index > 0 && is_prefix(body.code[index - 1].op)) --index;
  return index;
}

bool is_tail_call(const Body& body, uint32_t index) {
  for (uint32_t i = with_prefixes(body, index); i < index; ++i) {
    if (body.code[i].op == Op::kTail) return true;
  }
  return false;
}

Cause can_take(const std::vector<Insertion>& insertions, const Body& body, uint16_t* stack) {
  size_t size = body.code.size();
  for (const Insertion& insertion : insertions) {
    const Cause cause = can_insert(body, insertion.before);
    if (cause != Cause::kNone) return cause;
    size += insertion.piece->code.size();
    *stack = std::max(*stack, insertion.piece->stack);
  }
  if (size > std::numeric_limits<uint32_t>::max()) return Cause::kTooLarge;
  return *stack > 0xffff - body.header.max_stack ? Cause::kMoreStack : Cause::kNone;
}

}  // namespace

std::optional<uint32_t> index_of(const Body& body, uint32_t origin) {
  const auto found = std::lower_bound(
      body.code.begin(), body.code.end(), origin,
      [](const Instruction& instruction, uint32_t wanted) { return instruction.origin < wanted; });
  if (found == body.code.end() || found->origin != origin) return std::nullopt;
  return static_cast<uint32_t>(found - body.code.begin());
}

Cause can_insert(const Body& body, uint32_t before) {
  if (before >= body.code.size()) return Cause::kPlace;
  const uint32_t place = with_prefixes(body, before);
  return place > 0 && is_tail_call(body, place - 1) ? Cause::kBehindTailCall : Cause::kNone;
}

Cause insert(const std::vector<Insertion>& insertions, Body* body) {
  uint16_t stack = 0;
  const Cause cause = can_take(insertions, *body, &stack);
  if (cause != Cause::kNone) return cause;
  std::vector<Instruction> code;
  std::vector<uint32_t> moved(body->code.size() + 1);  // where what led to an instruction leads now
  auto next = insertions.begin();
  for (uint32_t i = 0; i < body->code.size(); ++i) {
    moved[i] = static_cast<uint32_t>(code.size());
    for (; next != insertions.end() && with_prefixes(*body, next->before) == i; ++next) {
      for (Instruction instruction : next->piece->code) {
        instruction.origin = body->code[i].origin;
        code.push_back(instruction);
      }
    }
    code.push_back(body->code[i]);
  }
  moved.back() = static_cast<uint32_t>(code.size());
  for (uint32_t& label : body->labels) label = moved[label];
  body->code = std::move(code);
  body->header.max_stack = static_cast<uint16_t>(body->header.max_stack + stack);
  return Cause::kNone;
}

Cause insert_at_entry(const Piece& piece, Body* body) {
  if (body->code.empty()) return Cause::kPlace;
  if (piece.stack > 0xffff - body->header.max_stack) return Cause::kMoreStack;
  const uint32_t origin = body->code.front().origin;
  body->code.insert(body->code.begin(), piece.code.begin(), piece.code.end());
  for (size_t i = 0; i < piece.code.size(); ++i) body->code[i].origin = origin;
  for (uint32_t& label : body->labels) label += static_cast<uint32_t>(piece.code.size());
  body->header.max_stack = static_cast<uint16_t>(body->header.max_stack + piece.stack);
  return Cause::kNone;
}

}  // namespace walkabout::il
