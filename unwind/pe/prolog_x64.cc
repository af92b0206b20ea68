#include "unwind/pe/prolog_x64.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <initializer_list>

namespace walkabout::unwind {
namespace {

constexpr size_t kMaxProlog = 128;
constexpr size_t kMaxSlots = 28;

bool matches(std::span<const uint8_t> code, std::initializer_list<uint8_t> prefix) {
  return code.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), code.begin());
}

uint32_t int32(std::span<const uint8_t> code, size_t at) {
  uint32_t v = 0;
  std::memcpy(&v, code.data() + at, sizeof v);
  return v;
}

// Collects codes in the order of the instructions; UNWIND_INFO wants them last first.
class Builder {
 public:
  void add(size_t offset, uint8_t op, uint8_t info) { add(offset, op, info, 0, 1); }
  void add(size_t offset, uint8_t op, uint8_t info, uint32_t operand, size_t slots) {
    if (count_ + slots > kMaxSlots) return;
    std::array<uint16_t, 3> code = {static_cast<uint16_t>(offset | op << 8 | info << 12),
                                    static_cast<uint16_t>(operand), static_cast<uint16_t>(operand >> 16)};
    std::copy_backward(codes_, codes_ + count_, codes_ + count_ + slots);
    std::copy_n(code.begin(), slots, codes_);
    count_ += slots;
  }
  void frame(uint8_t reg, uint8_t scaled_offset) { frame_ = static_cast<uint8_t>(reg | scaled_offset << 4); }
  PrologInfo finish(size_t prolog_size) const {
    PrologInfo info;
    info.bytes[0] = 1;
    info.bytes[1] = static_cast<uint8_t>(prolog_size);
    info.bytes[2] = static_cast<uint8_t>(count_);
    info.bytes[3] = frame_;
    std::memcpy(info.bytes + 4, codes_, count_ * 2);
    info.size = static_cast<uint32_t>(4 + count_ * 2);
    return info;
  }

 private:
  uint16_t codes_[kMaxSlots + 3] = {};
  size_t count_ = 0;
  uint8_t frame_ = 0;
};

constexpr uint8_t kPush = 0, kLarge = 1, kSmall = 2, kSetFp = 3;
constexpr uint8_t kPeRbp = 5;

bool callee_saved(uint8_t reg) { return reg == 3 || reg == 5 || (reg >= 12 && reg <= 15); }

void add_alloc(Builder& out, size_t offset, uint32_t size) {
  if (size == 0 || size % 8 != 0) return;
  if (size <= 128)
    out.add(offset, kSmall, static_cast<uint8_t>(size / 8 - 1));
  else if (size < 512 * 1024 - 8)
    out.add(offset, kLarge, 0, size / 8, 2);
  else
    out.add(offset, kLarge, 1, size, 3);
}

}  // namespace

PrologInfo decode_prolog(std::span<const uint8_t> method) {
  Builder out;
  const auto code = method.first(std::min(method.size(), kMaxProlog));
  size_t at = 0;
  bool allocated = false;
  for (;;) {
    const auto rest = code.subspan(at);
    if (!allocated && !rest.empty() && rest[0] >= 0x50 && rest[0] <= 0x57 && callee_saved(rest[0] - 0x50)) {
      at += 1;
      out.add(at, kPush, static_cast<uint8_t>(rest[0] - 0x50));
    } else if (!allocated && rest.size() >= 2 && rest[0] == 0x41 && rest[1] >= 0x54 && rest[1] <= 0x57) {
      at += 2;
      out.add(at, kPush, static_cast<uint8_t>(rest[1] - 0x50 + 8));
    } else if (!allocated && matches(rest, {0x50})) {  // push rax: an 8-byte allocation
      at += 1;
      out.add(at, kSmall, 0);
      allocated = true;
    } else if (!allocated && matches(rest, {0x48, 0x83, 0xec}) && rest.size() >= 4) {
      at += 4;
      add_alloc(out, at, rest[3]);
      allocated = true;
    } else if (!allocated && matches(rest, {0x48, 0x81, 0xec}) && rest.size() >= 7) {
      at += 7;
      add_alloc(out, at, int32(rest, 3));
      allocated = true;
    } else if (matches(rest, {0xc5, 0xf8, 0x77})) {  // vzeroupper
      at += 3;
    } else if (matches(rest, {0x48, 0x8b, 0xec})) {  // mov rbp, rsp
      at += 3;
      out.add(at, kSetFp, 0);
      out.frame(kPeRbp, 0);
      break;
    } else if (matches(rest, {0x48, 0x8d, 0x6c, 0x24}) && rest.size() >= 5) {  // lea rbp, [rsp + n]
      at += 5;  // rsp stays where it is from here on: nothing to undo
      break;
    } else if (matches(rest, {0x48, 0x8d, 0xac, 0x24}) && rest.size() >= 8) {
      at += 8;
      break;
    } else {
      break;
    }
  }
  return out.finish(at);
}

}  // namespace walkabout::unwind
