#include "il/pieces.h"

namespace walkabout::il {
namespace {

constexpr uint16_t kFewLocals = 4, kMostShortLocal = 0xff;

Instruction instruction(Op op, uint64_t operand = 0) { return {op, kNoOrigin, operand}; }

Instruction with_local(uint16_t index, Op first, Op shorter, Op any) {
  if (index < kFewLocals) return instruction(static_cast<Op>(static_cast<uint16_t>(first) + index));
  return instruction(index <= kMostShortLocal ? shorter : any, index);
}

}  // namespace

Piece count_at(uint64_t address) {
  return {{instruction(Op::kLdcI8, address), instruction(Op::kConvI), instruction(Op::kDup),
           instruction(Op::kLdindI8), instruction(Op::kLdcI41), instruction(Op::kConvI8),
           instruction(Op::kAdd), instruction(Op::kStindI8)},
          3};
}

Piece mark_at(uint64_t address) {
  return {{instruction(Op::kLdcI8, address), instruction(Op::kLdcI41), instruction(Op::kStindI1)}, 2};
}

Piece call_native(uint64_t address, std::span<const uint64_t> arguments, uint32_t signature) {
  Piece piece;
  for (const uint64_t argument : arguments) piece.code.push_back(instruction(Op::kLdcI8, argument));
  piece.code.push_back(instruction(Op::kLdcI8, address));
  piece.code.push_back(instruction(Op::kConvI));
  piece.code.push_back(instruction(Op::kCalli, signature));
  piece.stack = static_cast<uint16_t>(arguments.size() + 1);
  return piece;
}

Instruction store_local(uint16_t index) { return with_local(index, Op::kStloc0, Op::kStlocS, Op::kStloc); }
Instruction load_local(uint16_t index) { return with_local(index, Op::kLdloc0, Op::kLdlocS, Op::kLdloc); }

}  // namespace walkabout::il
