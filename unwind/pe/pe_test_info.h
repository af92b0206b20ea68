// For tests: writes UNWIND_INFOs code by code, and memory in which every word can be read.
#pragma once

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "unwind/machine/memory.h"
#include "unwind/machine/registers_x64.h"
#include "unwind/pe/pe_codes.h"

namespace walkabout::unwind::testing {

// PE register numbers, as UNWIND_INFO has them.
enum PeReg : uint8_t {
  kPeRax,
  kPeRcx,
  kPeRdx,
  kPeRbx,
  kPeRsp,
  kPeRbp,
  kPeRsi,
  kPeRdi,
  kPeR12 = 12,
  kPeR15 = 15
};

struct PeCode {
  uint8_t offset = 0;
  uint8_t op = 0;
  uint8_t info = 0;
  std::vector<uint16_t> operands;
};

inline PeCode pe_push(uint8_t offset, uint8_t reg) { return {offset, pe::kPushNonvol, reg, {}}; }
inline PeCode pe_alloc(uint8_t offset, uint32_t bytes) {
  if (bytes <= 128) return {offset, pe::kAllocSmall, static_cast<uint8_t>(bytes / 8 - 1), {}};
  if (bytes / 8 <= UINT16_MAX) return {offset, pe::kAllocLarge, 0, {static_cast<uint16_t>(bytes / 8)}};
  return {offset, pe::kAllocLarge, 1, {static_cast<uint16_t>(bytes), static_cast<uint16_t>(bytes >> 16)}};
}
inline PeCode pe_set_frame(uint8_t offset) { return {offset, pe::kSetFpReg, 0, {}}; }
// The Unix form: the frame register is that many units of 16 bytes above the stack pointer.
inline PeCode pe_set_frame_large(uint8_t offset, uint32_t units) {
  return {offset, pe::kSetFpRegLarge, 0, {static_cast<uint16_t>(units), static_cast<uint16_t>(units >> 16)}};
}
inline PeCode pe_save(uint8_t offset, uint8_t reg, uint16_t words) {
  return {offset, pe::kSaveNonvol, reg, {words}};
}
inline PeCode pe_save_far(uint8_t offset, uint8_t reg, uint32_t bytes) {
  return {
      offset, pe::kSaveNonvolFar, reg, {static_cast<uint16_t>(bytes), static_cast<uint16_t>(bytes >> 16)}};
}

struct PeHeader {
  uint8_t prolog = 0;        // bytes
  uint8_t frame = 0;         // the frame register, 0: none
  uint8_t frame_offset = 0;  // in units of 16 bytes
  uint8_t flags = 0;
  uint8_t version = 1;
};

// codes: in the order of UNWIND_INFO, the prolog's last instruction first.
inline std::vector<uint8_t> pe_info(const PeHeader& header, const std::vector<PeCode>& codes) {
  std::vector<uint8_t> bytes = {static_cast<uint8_t>(header.version | header.flags << 3), header.prolog, 0,
                                static_cast<uint8_t>(header.frame | header.frame_offset << 4)};
  for (const PeCode& code : codes) {
    bytes.push_back(code.offset);
    bytes.push_back(static_cast<uint8_t>(code.op | code.info << 4));
    for (const uint16_t operand : code.operands) {
      bytes.push_back(static_cast<uint8_t>(operand));
      bytes.push_back(static_cast<uint8_t>(operand >> 8));
    }
  }
  bytes[2] = static_cast<uint8_t>((bytes.size() - kUnwindHeaderSize) / 2);
  return bytes;
}

// Every word can be read and tells where it was read from.
inline uint64_t word_at(uint64_t address) { return address * 0x9e3779b97f4a7c15u >> 8; }
inline Memory readable_everywhere() {
  Memory memory;
  memory.slow = [](void*, uint64_t address, void* to, size_t size) {
    const uint64_t word = word_at(address);
    std::memcpy(to, &word, size < sizeof word ? size : sizeof word);
    return size <= sizeof word;
  };
  return memory;
}

// Registers that all differ.
inline Registers distinct_registers() {
  Registers regs;
  for (uint64_t i = 0; i < kRegCount; ++i) regs.r[i] = 0x7000'0000 + i * 0x1'0000;
  return regs;
}

inline std::vector<uint64_t> values(const Registers& regs) { return {regs.r, regs.r + kRegCount}; }

}  // namespace walkabout::unwind::testing
