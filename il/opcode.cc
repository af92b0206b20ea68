#include "il/opcode.h"

#include <array>

namespace walkabout::il {
namespace {

struct Row {
  bool known = false;
  Operand operand = Operand::kNone;
  std::string_view name;
};

constexpr uint16_t kSecond = 0xfe00;
constexpr uint16_t kToLong = static_cast<uint16_t>(Op::kBr) - static_cast<uint16_t>(Op::kBrS);

// By code: of one byte, then those behind 0xfe.
constexpr size_t place_of(uint16_t code) { return code < kSecond ? code : size_t{0x100} + (code & 0xff); }

constexpr std::array<Row, 0x200> make_rows() {
  std::array<Row, 0x200> rows;
#define WALKABOUT_IL(name, code, text, operand) rows[place_of(code)] = {true, Operand::operand, text};
#include "il/opcodes.inc"
#undef WALKABOUT_IL
  return rows;
}

constexpr std::array<Row, 0x200> kRows = make_rows();

}  // namespace

std::optional<Operand> operand_of(uint16_t code) {
  if (code >> 8 != 0 && code >> 8 != kSecond >> 8) return std::nullopt;
  const Row& row = kRows[place_of(code)];
  return row.known ? std::optional(row.operand) : std::nullopt;
}

size_t size_of(Operand operand) {
  constexpr std::array<uint8_t, 8> kSizes = {0, 1, 2, 4, 8, 4, 1, 4};
  return kSizes[static_cast<size_t>(operand)];
}

std::string_view name_of(Op op) { return kRows[place_of(static_cast<uint16_t>(op))].name; }

bool is_prefix(Op op) {
  return op == Op::kUnaligned || op == Op::kVolatile || op == Op::kTail || op == Op::kConstrained ||
         op == Op::kNo || op == Op::kReadonly;
}

bool flows_on(Op op) {
  return op != Op::kBr && op != Op::kBrS && op != Op::kLeave && op != Op::kLeaveS && op != Op::kRet &&
         op != Op::kThrow && op != Op::kRethrow && op != Op::kJmp && op != Op::kEndfinally &&
         op != Op::kEndfilter;
}

Op long_form(Op op) {
  return op == Op::kLeaveS ? Op::kLeave : static_cast<Op>(static_cast<uint16_t>(op) + kToLong);
}

}  // namespace walkabout::il
