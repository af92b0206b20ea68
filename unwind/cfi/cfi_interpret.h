// Runs the instructions of an FDE: to all its rows (CfiRows, for compiling), or to the row of one pc
// (cfi_interpret, for modules that no helper thread has compiled yet).
//
// No allocation, no locks, about 2 KB of stack: async-signal-safe. The instructions are not trusted: an FDE
// keeps the rows before its first bad instruction, and has none from there on. Source: DWARF 5, section 6.4.2
// "Call Frame Instructions"; LSB Core 5.0, section 10.5.2 (the GNU ones).
#pragma once

#include <cstdint>

#include "unwind/cfi/cfi_section.h"
#include "unwind/rule/cfi_reader.h"
#include "unwind/rule/cfi_rule.h"

namespace walkabout::unwind {

// Nesting of DW_CFA_remember_state. Compilers nest it once.
inline constexpr int kMaxRememberedStates = 8;

// The rows of one FDE, in the order of their pcs:
//   CfiRows rows(section);
//   rows.start(fde);
//   while (rows.next()) use(rows.begin(), rows.end(), rows.rule());
class CfiRows {
 public:
  // REQUIRES: the section outlives the rows.
  explicit CfiRows(const CfiSection& section) : section_(section) {}
  explicit CfiRows(CfiSection&&) = delete;  // it would not

  // Goes before the first row of an FDE of the section. REQUIRES: it stays as it is while next() is called.
  void start(const Fde& fde);

  // Goes to the next row. False behind the last one and, then !ok(), at a malformed instruction.
  bool next();
  bool ok() const { return ok_; }
  // pcs of the row; after a failure begin() is where rows end.
  uint64_t begin() const { return begin_; }
  uint64_t end() const { return end_; }
  // Valid until next(). Its expressions lie in the section.
  const CfiRule& rule() const { return rule_; }

 private:
  // States are written before they are read; constructing them all would cost more than most FDEs.
  union RememberedStates {
    RememberedStates() {}  // NOLINT(modernize-use-equals-default): it would be deleted
    CfiRule rules[kMaxRememberedStates];
  };

  bool run_cie(const Cie& cie);
  bool apply(uint8_t opcode);
  bool apply_location(uint8_t opcode);
  bool apply_cfa(uint8_t opcode);
  bool apply_register(uint8_t opcode);

  bool advance(uint64_t delta);
  bool set_location();
  bool remember();
  bool restore_remembered();
  bool define_cfa(uint64_t reg, int64_t offset);
  bool define_cfa_expression();
  bool set(uint64_t reg, RuleKind kind, int64_t value = 0);
  bool set_factored(uint64_t reg, RuleKind kind);
  bool set_factored_signed(uint64_t reg, RuleKind kind);
  bool set_expression(uint64_t reg, RuleKind kind);
  bool set_from_register(uint64_t reg, uint64_t source);
  bool restore(uint64_t reg);
  bool read_expression(int32_t* offset, uint16_t* size);

  const CfiSection& section_;
  const Fde* fde_ = nullptr;
  CfiReader code_;
  uint64_t begin_ = 0;
  uint64_t end_ = 0;
  bool ok_ = false;
  bool in_cie_ = false;
  CfiRule rule_;
  CfiRule initial_;                // what the CIE has: where each of its FDEs starts, and for DW_CFA_restore
  size_t initial_cie_ = SIZE_MAX;  // its offset; SIZE_MAX: none
  int remembered_count_ = 0;
  RememberedStates remembered_;
};

// The rule for pc, fixed up where it is known to be wrong (cfi_fixup.h). Where no FDE gives one but a PLT
// stub or the initializer stands there, its own.
CfiStatus cfi_interpret(const CfiSection& section, uint64_t pc, CfiRule* rule);

}  // namespace walkabout::unwind
