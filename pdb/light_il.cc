#include "pdb/light_il.h"

#include <cstddef>
#include <cstdint>

namespace walkabout::pdb {
namespace {

using precompiled::Bytes;
using precompiled::load;
using precompiled::part;

constexpr uint8_t kFormatMask = 3, kTiny = 2, kFat = 3;
constexpr uint8_t kNop = 0x00, kBr = 0x38, kBrShort = 0x2b;
constexpr uint8_t kStloc0 = 0x0a, kStloc3 = 0x0d, kStlocShort = 0x13, kTwoByte = 0xfe, kStloc = 0x0e;
constexpr uint8_t kLdarg0 = 0x02, kLdloc3 = 0x09, kLdargShort = 0x0e, kStargShort = 0x10, kLdlocShort = 0x11;
constexpr uint8_t kAdd = 0x58, kSub = 0x59;
constexpr uint8_t kLdnull = 0x14, kLdcM1 = 0x15, kLdc8 = 0x1e, kLdcShort = 0x1f, kLdcI4 = 0x20, kLdcI8 = 0x21,
                  kLdcR4 = 0x22, kLdcR8 = 0x23;

// Bytes of the instruction that begins here; 0: it is none of those that are light.
size_t light_instruction(Bytes il) {
  const uint8_t op = il[0];
  if (op == kNop || (op >= kStloc0 && op <= kStloc3) || (op >= kLdnull && op <= kLdc8)) return 1;
  if (op == kBrShort || op == kStlocShort || op == kLdcShort) return 2;
  if (op == kBr || op == kLdcI4 || op == kLdcR4) return 5;
  if (op == kLdcI8 || op == kLdcR8) return 9;
  if (op == kTwoByte && il.size() > 1 && il[1] == kStloc) return 4;
  return 0;
}

bool is_light(Bytes il) {
  if (il.empty()) return false;
  while (!il.empty()) {
    const size_t size = light_instruction(il);
    if (size == 0 || size > il.size()) return false;
    il = il.subspan(size);
  }
  return true;
}

// Takes one instruction off that `is` is true of; `size` of its operands.
bool take(Bytes& il, bool is, size_t size) {
  if (!is || il.size() < size) return false;
  il = il.subspan(size);
  return true;
}

// "i++", "n -= 4".
bool is_step(Bytes il) {
  const auto op = [&il] { return il.empty() ? uint8_t{0xff} : il[0]; };
  const bool loads = take(il, op() >= kLdarg0 && op() <= kLdloc3, 1) ||
                     take(il, op() == kLdargShort || op() == kLdlocShort, 2);
  const bool constant = loads && (take(il, op() >= kLdcM1 && op() <= kLdc8, 1) ||
                                  take(il, op() == kLdcShort, 2) || take(il, op() == kLdcI4, 5));
  const bool adds = constant && take(il, op() == kAdd || op() == kSub, 1);
  const bool stores = adds && (take(il, op() >= kStloc0 && op() <= kStloc3, 1) ||
                               take(il, op() == kStlocShort || op() == kStargShort, 2));
  return stores && il.empty();
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
  if (is_step(il)) return Weight::kStep;
  return is_light(il) ? Weight::kLight : Weight::kAny;
}

}  // namespace walkabout::pdb
