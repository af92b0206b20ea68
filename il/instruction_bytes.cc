#include "il/instruction_bytes.h"

namespace walkabout::il {
namespace {

using base::Bytes;
using base::load;

constexpr uint8_t kTwoBytes = 0xfe;

}  // namespace

std::optional<Op> op_at(Bytes il, size_t at) {
  const auto first = load<uint8_t>(il, at);
  if (!first) return std::nullopt;
  uint16_t code = *first;
  if (*first == kTwoBytes) {
    const auto second = load<uint8_t>(il, at + 1);
    if (!second) return std::nullopt;
    code = static_cast<uint16_t>(code << 8 | *second);
  }
  return operand_of(code) ? std::optional(static_cast<Op>(code)) : std::nullopt;
}

std::optional<FoundInstruction> instruction_at(Bytes il, size_t at) {
  const auto op = op_at(il, at);
  if (!op) return std::nullopt;
  const size_t code = code_size(*op);
  const Operand operand = operand_of(*op);
  size_t size = 0;
  if (operand == Operand::kSwitch) {
    const auto targets = load<uint32_t>(il, at + code);
    if (!targets) return std::nullopt;
    size = 4 + size_t{4} * *targets;
  } else {
    size = size_of(operand);
  }
  if (size > il.size() - at - code) return std::nullopt;
  return FoundInstruction{*op, code + size};
}

int64_t branch_distance(Bytes il, size_t at, Op op) {
  const Operand operand = operand_of(op);
  if (operand == Operand::kShortBranch) return *load<int8_t>(il, at + 1);
  return operand == Operand::kBranch ? *load<int32_t>(il, at + 1) : 0;
}

}  // namespace walkabout::il
