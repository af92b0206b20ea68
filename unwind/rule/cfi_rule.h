// How to step from a frame to its caller: the row of the CFI table for one pc, in two forms.
//
// CfiRule says everything DWARF can say. CompactRule is what tables hold: 16 bytes for what compilers nearly
// always say, a pointer to a CfiRule for the rest. Plain values, async-signal-safe. Offsets are bytes.
// Source: DWARF 5, section 6.4.1 "Structure of Call Frame Information"; System V AMD64 ABI, figure 3.36
// (register numbers) and section 3.2.1 (which registers a callee saves).
#pragma once

#include <cstddef>
#include <cstdint>

#include "unwind/machine/registers.h"

namespace walkabout::unwind {

enum class CfaKind : uint8_t {
  kNone,        // nothing given: the rule cannot be used
  kRegister,    // the register's value + offset
  kExpression,  // the value of a DWARF expression
};

struct CfaRule {
  int32_t offset = 0;  // kExpression: of its first byte, from CfiRule::expressions
  uint16_t size = 0;   // kExpression: its bytes
  CfaKind kind = CfaKind::kNone;
  uint8_t reg = 0;
};

enum class RuleKind : uint8_t {
  kSame,           // as it is in the callee; rsp: the CFA
  kUndefined,      // lost; the return address: this is the outermost frame
  kAtCfa,          // saved at CFA + value
  kValCfa,         // is CFA + value
  kRegister,       // is in register `value` of the callee
  kExpression,     // saved at the address an expression gives
  kValExpression,  // is the value of an expression
};

constexpr bool is_expression(RuleKind kind) {
  return kind == RuleKind::kExpression || kind == RuleKind::kValExpression;
}

struct RegisterRule {
  int32_t value = 0;  // expressions: offset of the first byte, from CfiRule::expressions
  uint16_t size = 0;  // expressions: bytes
  RuleKind kind = RuleKind::kSame;
  uint8_t zero = 0;
};
static_assert(sizeof(RegisterRule) == 8);

struct CfiRule {
  CfaRule cfa;
  RegisterRule registers[kRegCount];
  const uint8_t* expressions = nullptr;  // not owned
  uint8_t return_column = kReturnColumn;
  bool signal_frame = false;  // the caller was interrupted: its pc is exact, not a return address
};

inline constexpr size_t kSavedCount = 6;
inline constexpr int kSlotSize = 8;
inline constexpr int8_t kNotSaved = -128;

class CompactRule {
 public:
  enum class Kind : uint8_t {
    kNone,       // no rule: a gap between functions
    kPlain,      // CFA = register + offset, return address at CFA - 8, registers in slots
    kOutermost,  // the thread's entry
    kGeneral,    // see general()
  };

  CompactRule() = default;  // kNone
  // False when the rule needs the general form.
  static bool plain(const CfiRule& rule, CompactRule* compact);
  // REQUIRES: general outlives the compact rule.
  static CompactRule general(const CfiRule* general);

  Kind kind() const { return static_cast<Kind>(static_cast<uint8_t>(form_)); }
  bool signal_frame() const { return static_cast<uint8_t>(form_ >> 8) != 0; }
  int32_t cfa_offset() const { return static_cast<int32_t>(detail_); }
  uint8_t cfa_register() const { return static_cast<uint8_t>(detail_ >> 32); }
  // Where kSavedRegisters[i] is saved, in slots of 8 bytes from the CFA; kNotSaved: it is as in the callee.
  int8_t slot(size_t i) const {
    return static_cast<int8_t>(static_cast<uint8_t>(form_ >> (16 + 8 * i)) ^ 0x80);
  }
  // REQUIRES: kind() == kGeneral.
  const CfiRule* general() const { return reinterpret_cast<const CfiRule*>(detail_); }
  // The rule in full; kNone becomes one with CfaKind::kNone.
  CfiRule expand() const;
  // General rules are equal if they are the same object.
  bool operator==(const CompactRule&) const = default;
  uint64_t hash() const {
    const uint64_t product = (detail_ ^ form_ * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
    return product ^ (product >> 32);
  }

 private:
  CompactRule(uint64_t detail, uint64_t form) : detail_(detail), form_(form) {}

  // Two words, not fields, so that comparing and hashing what was just made does not wait for byte-wide
  // stores.
  uint64_t detail_ = 0;  // offset (32 bits) and register (8), or the pointer
  uint64_t form_ = 0;  // kind, signal frame, six slots (8 bits each; 0x80 is flipped, so that 0 is kNotSaved)
};
static_assert(sizeof(CompactRule) == 16);

// CFA = rsp + cfa_offset, the return address below it, every register as it is: a function at its first
// instruction has cfa_offset 8.
CfiRule stack_rule(int32_t cfa_offset);

// The same rule, wherever the bytes of its expressions lie.
bool same_rule(const CfiRule& a, const CfiRule& b);
uint64_t hash_rule(const CfiRule& rule);

}  // namespace walkabout::unwind
