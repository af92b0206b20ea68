#include "pdb/il_instruction.h"

namespace walkabout::pdb {
namespace {

using precompiled::Bytes;
using precompiled::load;

constexpr uint8_t kSwitch = 0x45, kPrefix = 0xfe;
constexpr uint8_t kFirstShort = 0x2b, kLastShort = 0x37, kFirstLong = 0x38, kLastLong = 0x44;

// Bytes of the operand; none where there is no such instruction.
std::optional<size_t> operand_size(uint8_t op) {
  const auto is_one_of = [op](uint8_t first, uint8_t last) { return op >= first && op <= last; };
  if (is_one_of(0x0e, 0x13) || op == 0x1f || is_one_of(kFirstShort, kLastShort) || op == kLeaveShort)
    return 1;
  if (op == 0x21 || op == 0x23) return 8;  // ldc.i8, ldc.r8
  if (op == 0x20 || op == 0x22 || is_one_of(0x27, 0x29) || is_one_of(kFirstLong, kLastLong) ||
      is_one_of(0x6f, 0x75) || op == 0x79 || is_one_of(0x7b, 0x81) || is_one_of(0x8c, 0x8d) || op == 0x8f ||
      is_one_of(0xa3, 0xa5) || op == 0xc2 || op == 0xc6 || op == 0xd0 || op == kLeave)
    return 4;
  const bool is_none = op == 0x24 || is_one_of(0x77, 0x78) || is_one_of(0xa6, 0xb2) ||
                       is_one_of(0xbb, 0xc1) || is_one_of(0xc4, 0xc5) || is_one_of(0xc7, 0xcf) || op > 0xe0;
  return is_none ? std::nullopt : std::optional<size_t>(0);
}

// Behind the prefix 0xfe.
std::optional<size_t> second_operand_size(uint8_t op) {
  if (op == 0x06 || op == 0x07 || op == 0x15 || op == 0x16 || op == 0x1c) return 4;
  if (op >= 0x09 && op <= 0x0e) return 2;
  if (op == 0x12 || op == 0x19) return 1;
  const bool is_none = op == 0x08 || op == 0x10 || op == 0x1b || op > 0x1e;
  return is_none ? std::nullopt : std::optional<size_t>(0);
}

}  // namespace

std::optional<size_t> instruction_size(Bytes il, size_t at) {
  const auto op = load<uint8_t>(il, at);
  if (!op) return std::nullopt;
  size_t size = 1;
  std::optional<size_t> operand = operand_size(*op);
  if (*op == kPrefix) {
    const auto second = load<uint8_t>(il, at + 1);
    size = 2;
    operand = second ? second_operand_size(*second) : std::nullopt;
  } else if (*op == kSwitch) {
    const auto targets = load<uint32_t>(il, at + 1);
    operand = targets ? std::optional<size_t>(4 + size_t{4} * *targets) : std::nullopt;
  }
  if (!operand || *operand > il.size() - at - size) return std::nullopt;
  return size + *operand;
}

int64_t branch_distance(Bytes il, size_t at) {
  const uint8_t op = il[at];
  if ((op >= kFirstShort && op <= kLastShort) || op == kLeaveShort) return *load<int8_t>(il, at + 1);
  if ((op >= kFirstLong && op <= kLastLong) || op == kLeave) return *load<int32_t>(il, at + 1);
  return 0;
}

}  // namespace walkabout::pdb
