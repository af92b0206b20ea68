// The instructions of IL: code, name and operand of each, from one table (il/opcodes.inc). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace walkabout::il {

enum class Op : uint16_t {
#define WALKABOUT_IL(name, code, text, operand) name = code,
#include "il/opcodes.inc"
#undef WALKABOUT_IL
};

enum class Operand : uint8_t {
  kNone = 0,
  kOne = 1,  // so many bytes of a number, or of a variable's index
  kTwo = 2,
  kFour = 3,
  kEight = 4,
  kToken = 5,
  kShortBranch = 6,  // the distance from the next instruction, a byte
  kBranch = 7,       // four bytes of it
  kSwitch = 8,       // how many distances, then these, four bytes each
};

// None: there is no such instruction.
std::optional<Operand> operand_of(uint16_t code);
// Of a kind that is no switch.
size_t size_of(Operand operand);
// "ldarg.0"
std::string_view name_of(Op op);

inline size_t code_size(Op op) { return static_cast<uint16_t>(op) > 0xff ? 2 : 1; }
inline Operand operand_of(Op op) { return *operand_of(static_cast<uint16_t>(op)); }
inline bool is_branch(Operand operand) {
  return operand == Operand::kShortBranch || operand == Operand::kBranch;
}
// Into a variable of the method.
inline bool stores_local(Op op) {
  return (op >= Op::kStloc0 && op <= Op::kStloc3) || op == Op::kStlocS || op == Op::kStloc;
}
// One that says something of the instruction behind it, and is a part of that.
bool is_prefix(Op op);
// Whether the instruction behind it may be the next: not of what jumps, returns or throws.
bool flows_on(Op op);
// The same with four bytes. REQUIRES: its operand is kShortBranch.
Op long_form(Op op);

}  // namespace walkabout::il
