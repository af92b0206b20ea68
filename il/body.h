// A method's body, taken apart: instructions, the places that branches and clauses name, clauses. What is
// read (il/body_reader.h), changed (il/insertion.h, il/try_finally.h) and written (il/body_writer.h).
//
// A plain value; one thread. Source: ECMA-335 II.25.4, III.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body_header.h"
#include "il/opcode.h"

namespace walkabout::il {

// A place in the code, which moves with it: an index into Body::labels.
using Label = uint32_t;

inline constexpr uint32_t kNoOrigin = ~uint32_t{0};

struct Instruction {
  Op op = Op::kNop;
  // Where it began in the body that was read. Of what was inserted: where that began which it stands before,
  // or kNoOrigin. Rises through the code.
  uint32_t origin = kNoOrigin;
  // Its bits. Of a branch: a Label; of a switch: an index into Body::switches.
  uint64_t operand = 0;
};

// By the runtime's numbers.
enum class ClauseKind : uint8_t { kCatch = 0, kFilter = 1, kFinally = 2, kFault = 4 };

struct Clause {
  ClauseKind kind = ClauseKind::kCatch;
  Label try_begin = 0, try_end = 0;
  Label handler_begin = 0, handler_end = 0;
  Label filter = 0;         // where a filter begins; it ends where the handler begins
  uint32_t type_token = 0;  // of a catch; of a finally or fault what is written there
};

struct Body {
  BodyHeader header;  // code_size: of the body that was read
  std::vector<Instruction> code;
  // Indices of instructions; code.size(): the end.
  std::vector<uint32_t> labels;
  std::vector<std::vector<Label>> switches;
  std::vector<Clause> clauses;  // inner ones before outer ones
  bool fat_clauses = false;     // they were, and stay so

  bool init_locals() const { return (header.flags & kInitLocals) != 0; }
  Label add_label(uint32_t index) {
    labels.push_back(index);
    return static_cast<Label>(labels.size() - 1);
  }
};

}  // namespace walkabout::il
