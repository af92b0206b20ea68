// For tests: methods as the JIT writes them, with what each instruction does to the registers and the stack,
// and the UNWIND_INFO it would write for them. Run from the first instruction to the last, a method shows the
// registers a signal could find at each of them, all on one stack whose words stay as they were written.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "unwind/pe/pe_test_info.h"

namespace walkabout::unwind::testing {

class FakeMethod {
 public:
  // Instructions. Those of the prolog also write an unwind code. Registers are PE numbers.
  FakeMethod& push(uint8_t reg) {
    emit(with_rex(reg, 0x50), [reg](Registers& r) {
      r.sp() -= 8;
      *reinterpret_cast<uint64_t*>(r.sp()) = r.r[pe::kDwarfOf[reg]];
    });
    return prolog(pe_push(size(), reg));
  }
  FakeMethod& sub_rsp(uint8_t n) {
    emit({0x48, 0x83, 0xec, n}, [n](Registers& r) { r.sp() -= n; });
    return prolog(pe_alloc(size(), n));
  }
  FakeMethod& sub_rsp_long(uint32_t n) {
    emit(with_imm({0x48, 0x81, 0xec}, n), [n](Registers& r) { r.sp() -= n; });
    return prolog(pe_alloc(size(), n));
  }
  FakeMethod& mov_rbp_rsp() {
    emit({0x48, 0x8b, 0xec}, [](Registers& r) { r.bp() = r.sp(); });
    return frame(0);
  }
  FakeMethod& lea_rbp(uint8_t n) {  // lea rbp, [rsp + n]; n a multiple of 16
    emit({0x48, 0x8d, 0x6c, 0x24, n}, [n](Registers& r) { r.bp() = r.sp() + n; });
    return frame(n);
  }
  FakeMethod& vzeroupper() {
    return emit({0xc5, 0xf8, 0x77}, [](Registers&) {});
  }
  FakeMethod& nop() {
    return emit({0x90}, [](Registers&) {});
  }
  FakeMethod& clobber(uint8_t reg) {  // xor reg, reg
    const uint8_t low = reg & 7;
    std::vector<uint8_t> bytes = {static_cast<uint8_t>(reg < 8 ? 0x33 : 0x45),
                                  static_cast<uint8_t>(0xc0 | low << 3 | low)};
    if (reg >= 8) bytes.insert(bytes.begin() + 1, 0x33);
    return emit(bytes, [reg](Registers& r) { r.r[pe::kDwarfOf[reg]] = 0; });
  }
  FakeMethod& call() {  // returns at once
    return emit({0xe8, 0, 0, 0, 0}, [](Registers& r) { r.r[kRax] = r.r[kRcx] = 0; });
  }
  FakeMethod& add_rsp(uint8_t n) {
    return emit({0x48, 0x83, 0xc4, n}, [n](Registers& r) { r.sp() += n; });
  }
  FakeMethod& add_rsp_long(uint32_t n) {
    return emit(with_imm({0x48, 0x81, 0xc4}, n), [n](Registers& r) { r.sp() += n; });
  }
  FakeMethod& lea_rsp_rbp(int8_t n) {
    return emit({0x48, 0x8d, 0x65, static_cast<uint8_t>(n)},
                [n](Registers& r) { r.sp() = r.bp() + static_cast<uint64_t>(n); });
  }
  FakeMethod& pop(uint8_t reg) {
    return emit(with_rex(reg, 0x58), [reg](Registers& r) {
      r.r[pe::kDwarfOf[reg]] = *reinterpret_cast<uint64_t*>(r.sp());
      r.sp() += 8;
    });
  }
  FakeMethod& ret() {
    return emit({0xc3}, [](Registers&) {});
  }
  FakeMethod& tail_call_rax() {
    return emit({0x48, 0xff, 0xe0}, [](Registers&) {});
  }
  FakeMethod& tail_call_memory() {
    return emit({0xff, 0x25, 0, 0, 0, 0}, [](Registers&) {});
  }
  FakeMethod& tail_call_far() {
    return emit({0xe9, 0, 0, 0, 0x40}, [](Registers&) {});
  }  // 1 GB further

  const std::vector<uint8_t>& code() const { return code_; }
  std::vector<uint8_t> info() const {
    return pe_info({.prolog = codes_.empty() ? uint8_t{0} : codes_.front().offset,
                    .frame = frame_,
                    .frame_offset = frame_offset_},
                   codes_);
  }

  // at: where the code lies. entry: at the first instruction, sp at the return address. The registers before
  // each instruction; the stack is written to.
  std::vector<Registers> run(uint64_t at, Registers entry) const {
    std::vector<Registers> states;
    for (const Instruction& i : instructions_) {
      entry.pc() = at + i.offset;
      states.push_back(entry);
      i.run(entry);
    }
    return states;
  }

 private:
  struct Instruction {
    uint8_t offset;
    std::function<void(Registers&)> run;
  };
  uint8_t size() const { return static_cast<uint8_t>(code_.size()); }
  static std::vector<uint8_t> with_rex(uint8_t reg, uint8_t opcode) {
    const auto op = static_cast<uint8_t>(opcode + (reg & 7));
    return reg < 8 ? std::vector<uint8_t>{op} : std::vector<uint8_t>{0x41, op};
  }
  static std::vector<uint8_t> with_imm(std::vector<uint8_t> bytes, uint32_t n) {
    for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<uint8_t>(n >> shift));
    return bytes;
  }
  FakeMethod& emit(const std::vector<uint8_t>& bytes, std::function<void(Registers&)> run) {
    instructions_.push_back({size(), std::move(run)});
    code_.insert(code_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  FakeMethod& prolog(const PeCode& code) {
    codes_.insert(codes_.begin(), code);
    return *this;
  }
  FakeMethod& frame(uint8_t offset) {
    frame_ = kPeRbp;
    frame_offset_ = offset / 16;
    return prolog(pe_set_frame(size()));
  }

  std::vector<uint8_t> code_;
  std::vector<Instruction> instructions_;
  std::vector<PeCode> codes_;
  uint8_t frame_ = 0;
  uint8_t frame_offset_ = 0;
};

struct NamedMethod {
  const char* name;
  FakeMethod method;
};

// The shapes the JIT's prologs and epilogs have.
inline std::vector<NamedMethod> typical_methods() {
  std::vector<NamedMethod> all;
  all.push_back({"leaf", FakeMethod().nop().ret()});
  all.push_back({"frame of nothing", FakeMethod().push(kPeRbp).mov_rbp_rsp().nop().pop(kPeRbp).ret()});
  all.push_back({"locals and rbp", FakeMethod()
                                       .push(kPeRbp)
                                       .sub_rsp(16)
                                       .lea_rbp(16)
                                       .nop()
                                       .clobber(kPeRdi)
                                       .call()
                                       .add_rsp(16)
                                       .pop(kPeRbp)
                                       .ret()});
  all.push_back({"callee saved", FakeMethod()
                                     .push(kPeRbp)
                                     .push(kPeR15)
                                     .push(14)
                                     .push(kPeRbx)
                                     .sub_rsp(24)
                                     .lea_rbp(48)
                                     .clobber(kPeRbx)
                                     .clobber(14)
                                     .call()
                                     .clobber(kPeR15)
                                     .add_rsp(24)
                                     .pop(kPeRbx)
                                     .pop(14)
                                     .pop(kPeR15)
                                     .pop(kPeRbp)
                                     .ret()});
  all.push_back({"localloc", FakeMethod()
                                 .push(kPeRbp)
                                 .push(kPeRbx)
                                 .sub_rsp(24)
                                 .lea_rbp(32)
                                 .clobber(kPeRbx)
                                 .nop()
                                 .lea_rsp_rbp(-8)
                                 .pop(kPeRbx)
                                 .pop(kPeRbp)
                                 .ret()});
  all.push_back(
      {"no frame register",
       FakeMethod().push(kPeRbx).sub_rsp(32).clobber(kPeRbx).call().nop().add_rsp(32).pop(kPeRbx).ret()});
  all.push_back({"large", FakeMethod()
                              .push(kPeRbp)
                              .push(13)
                              .sub_rsp_long(0x200)
                              .lea_rbp(64)
                              .clobber(13)
                              .call()
                              .add_rsp_long(0x200)
                              .pop(13)
                              .pop(kPeRbp)
                              .ret()});
  all.push_back(
      {"vector", FakeMethod().push(kPeRbp).vzeroupper().mov_rbp_rsp().nop().vzeroupper().pop(kPeRbp).ret()});
  all.push_back(
      {"tail call by register", FakeMethod().push(kPeRbp).mov_rbp_rsp().nop().pop(kPeRbp).tail_call_rax()});
  all.push_back(
      {"tail call by memory", FakeMethod().push(kPeRbx).clobber(kPeRbx).pop(kPeRbx).tail_call_memory()});
  all.push_back({"tail call", FakeMethod()
                                  .push(kPeRbp)
                                  .push(kPeR12)
                                  .sub_rsp(8)
                                  .lea_rbp(16)
                                  .clobber(kPeR12)
                                  .add_rsp(8)
                                  .pop(kPeR12)
                                  .pop(kPeRbp)
                                  .tail_call_far()});
  return all;
}

}  // namespace walkabout::unwind::testing
