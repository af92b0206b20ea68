// Instructions put between those of a body. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "il/body.h"
#include "il/cause.h"

namespace walkabout::il {

// Code that takes nothing from the stack and leaves nothing there: it may stand anywhere but between a tail
// call and its return.
struct Piece {
  std::vector<Instruction> code;
  uint16_t stack = 0;  // what it pushes at most
};

struct Insertion {
  uint32_t before = 0;  // index of an instruction; of one with prefixes: before these
  const Piece* piece = nullptr;
};

// Which of the body's instructions begins there, in the code that was read; none: none does. REQUIRES:
// nothing was inserted yet.
std::optional<uint32_t> index_of(const Body& body, uint32_t origin);

// Whether a piece may stand before this instruction.
Cause can_insert(const Body& body, uint32_t before);

// Puts each piece before its instruction. Whatever led there, by a branch, the begin or the end of a clause,
// leads to the piece: it is run each time that the instruction is, and no other time. The stack grows by
// what the deepest piece needs. REQUIRES: rising places. What is not kNone left the body as it was.
Cause insert(const std::vector<Insertion>& insertions, Body* body);

// Puts the piece in front of all: it is run when the method begins, and not when a branch leads to the first
// instruction. REQUIRES: the body has an instruction. What is not kNone left the body as it was.
Cause insert_at_entry(const Piece& piece, Body* body);

}  // namespace walkabout::il
