#include "pdb/il_variables.h"

namespace walkabout::pdb {
namespace {

using il::Op;
using Kind = VariableUse::Kind;

struct Row {
  Op first, last;  // their variables are 0, 1, 2, 3; where they are one, its operand says which
  Kind kind;
  uint32_t from;  // 0, or kFirstLocal
};

constexpr Row kRows[] = {
    {Op::kLdarg0, Op::kLdarg3, Kind::kLoads, 0},
    {Op::kLdloc0, Op::kLdloc3, Kind::kLoads, kFirstLocal},
    {Op::kStloc0, Op::kStloc3, Kind::kStores, kFirstLocal},
    {Op::kLdargS, Op::kLdargS, Kind::kLoads, 0},
    {Op::kLdarg, Op::kLdarg, Kind::kLoads, 0},
    {Op::kStargS, Op::kStargS, Kind::kStores, 0},
    {Op::kStarg, Op::kStarg, Kind::kStores, 0},
    {Op::kLdargaS, Op::kLdargaS, Kind::kTakesAddress, 0},
    {Op::kLdarga, Op::kLdarga, Kind::kTakesAddress, 0},
    {Op::kLdlocS, Op::kLdlocS, Kind::kLoads, kFirstLocal},
    {Op::kLdloc, Op::kLdloc, Kind::kLoads, kFirstLocal},
    {Op::kStlocS, Op::kStlocS, Kind::kStores, kFirstLocal},
    {Op::kStloc, Op::kStloc, Kind::kStores, kFirstLocal},
    {Op::kLdlocaS, Op::kLdlocaS, Kind::kTakesAddress, kFirstLocal},
    {Op::kLdloca, Op::kLdloca, Kind::kTakesAddress, kFirstLocal},
};

// Its operand; none: it is cut off.
std::optional<uint32_t> operand(precompiled::Bytes il, size_t at, Op op) {
  if (il::operand_of(op) == il::Operand::kOne) return precompiled::load<uint8_t>(il, at + il::code_size(op));
  return precompiled::load<uint16_t>(il, at + il::code_size(op));
}

}  // namespace

std::optional<VariableUse> variable_use(precompiled::Bytes il, size_t at, Op op) {
  for (const Row& row : kRows) {
    if (op < row.first || op > row.last) continue;
    const std::optional<uint32_t> number = row.first != row.last
                                               ? static_cast<uint32_t>(op) - static_cast<uint32_t>(row.first)
                                               : operand(il, at, op);
    return number ? std::optional(VariableUse{row.from + *number, row.kind}) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace walkabout::pdb
