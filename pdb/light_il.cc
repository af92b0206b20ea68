#include "pdb/light_il.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "pdb/il_instruction.h"

namespace walkabout::pdb {
namespace {

using precompiled::Bytes;
using precompiled::load;
using precompiled::part;

constexpr uint8_t kFormatMask = 3, kTiny = 2, kFat = 3;
constexpr uint8_t kNop = 0x00, kBr = 0x38, kBrShort = 0x2b, kEndFinally = 0xdc;
constexpr uint8_t kStloc0 = 0x0a, kStloc3 = 0x0d, kStlocShort = 0x13;
constexpr uint8_t kLdarg0 = 0x02, kLdloc3 = 0x09, kLdargShort = 0x0e, kStargShort = 0x10, kLdlocShort = 0x11;
constexpr uint8_t kLdnull = 0x14, kLdcR8 = 0x23;
constexpr uint8_t kFirstIfShort = 0x2c, kLastIfShort = 0x37, kFirstIf = 0x39, kLastIf = 0x44;
constexpr uint8_t kAdd = 0x58, kMul = 0x5a, kAnd = 0x5f,
                  kConvU8 = 0x6e;  // ..., shifts, neg, not, conversions
constexpr uint8_t kConvU2 = 0xd1, kConvI = 0xd3, kConvU = 0xe0;
constexpr uint8_t kDup = 0x25, kPop = 0x26, kLdindI1 = 0x46, kLdindRef = 0x50, kStindRef = 0x51,
                  kStindR8 = 0x57;
constexpr uint8_t kLdobj = 0x71, kIsinst = 0x75, kUnbox = 0x79, kLdfld = 0x7b, kLdflda = 0x7c, kLdsfld = 0x7e,
                  kLdsflda = 0x7f;
constexpr uint8_t kBox = 0x8c, kLdelema = 0x8f, kLdelemI1 = 0x90, kLdelemRef = 0x9a, kLdelem = 0xa3,
                  kUnboxAny = 0xa5;
constexpr uint8_t kTwoByte = 0xfe, kLdarg = 0x09, kStarg = 0x0b, kLdloc = 0x0c, kStloc = 0x0e;

bool is_one_of(uint8_t op, uint8_t first, uint8_t last) { return op >= first && op <= last; }

// Jumps, constants, and putting them into variables.
bool is_light(Bytes il, size_t at) {
  const uint8_t op = il[at];
  if (op == kTwoByte) return il[at + 1] == kStloc;
  return op == kNop || is_one_of(op, kStloc0, kStloc3) || op == kStlocShort ||
         is_one_of(op, kLdnull, kLdcR8) || op == kBr || op == kBrShort || op == kLeave || op == kLeaveShort ||
         op == kEndFinally;
}

bool is_variable(Bytes il, size_t at) {
  const uint8_t op = il[at];
  if (op == kTwoByte) return il[at + 1] == kLdarg || il[at + 1] == kStarg || il[at + 1] == kLdloc;
  return is_one_of(op, kLdarg0, kLdloc3) || op == kLdargShort || op == kLdlocShort || op == kStargShort;
}

// Of variables' values, in a few cycles.
bool is_operation(uint8_t op) {
  return is_one_of(op, kAdd, kMul) || is_one_of(op, kAnd, kConvU8) || is_one_of(op, kConvU2, kConvI) ||
         op == kConvU || is_one_of(op, kFirstIfShort, kLastIfShort) || is_one_of(op, kFirstIf, kLastIf);
}

// Loads, and operations that leave their result.
bool leaves_value(Bytes il, size_t at) {
  const uint8_t op = il[at];
  if (op == kTwoByte) return il[at + 1] == kLdarg || il[at + 1] == kLdloc;
  return is_one_of(op, kLdarg0, kLdloc3) || op == kLdargShort || op == kLdlocShort ||
         is_one_of(op, kLdnull, kDup) || is_one_of(op, kLdindI1, kLdindRef) || is_one_of(op, kAdd, kConvU8) ||
         is_one_of(op, kLdobj, kIsinst) || op == kUnbox || is_one_of(op, kLdfld, kLdflda) ||
         is_one_of(op, kLdsfld, kLdsflda) || is_one_of(op, kBox, kLdelema) ||
         is_one_of(op, kLdelemI1, kLdelemRef) || op == kLdelem || op == kUnboxAny ||
         is_one_of(op, kConvU2, kConvI) || op == kConvU;
}

// Only of something that is there already: these cannot be the first.
bool takes_value(Bytes il) {
  const uint8_t op = il[0];
  if (op == kTwoByte) return il.size() > 1 && (il[1] == kStloc || il[1] == kStarg);
  return is_one_of(op, kStloc0, kStloc3) || op == kStlocShort || op == kStargShort || op == kDup ||
         op == kPop || is_operation(op) || is_one_of(op, kLdindI1, kLdindRef) ||
         is_one_of(op, kStindRef, kStindR8);
}

}  // namespace

Bytes il_of(Bytes body) {
  const auto first = load<uint8_t>(body, 0);
  if (!first) return {};
  if ((*first & kFormatMask) == kTiny) return part(body, 1, *first >> 2);
  if ((*first & kFormatMask) != kFat) return {};
  const auto flags = load<uint16_t>(body, 0);
  const auto size = load<uint32_t>(body, 4);
  return flags && size ? part(body, (*flags >> 12) * uint64_t{4}, *size) : Bytes();
}

Weight weight_of(Bytes il) {
  bool light = !il.empty(), cheap = light, split = false;
  size_t operations = 0;
  for (size_t at = 0; at < il.size();) {
    const std::optional<size_t> size = instruction_size(il, at);
    if (!size) return Weight::kAny;
    const bool is_light_one = is_light(il, at), operates = is_operation(il[at]);
    light = light && is_light_one;
    cheap = cheap && (is_light_one || operates || is_variable(il, at));
    operations += operates ? 1 : 0;
    const int64_t target = static_cast<int64_t>(at + *size) + branch_distance(il, at);
    at += *size;
    split = split ||
            (target != static_cast<int64_t>(at) && target > 0 && target < static_cast<int64_t>(il.size()));
  }
  if (light && !split) return Weight::kLight;
  if (cheap && operations <= kMostOperations) return Weight::kStep;
  return split ? Weight::kSplit : Weight::kAny;
}

bool begins_on_stack(Bytes before, Bytes il) {
  if (!il.empty() && takes_value(il)) return true;
  bool leaves = false;
  for (size_t at = 0; at < before.size();) {
    const std::optional<size_t> size = instruction_size(before, at);
    if (!size) return false;
    leaves = leaves_value(before, at);
    at += *size;
  }
  return leaves;
}

}  // namespace walkabout::pdb
