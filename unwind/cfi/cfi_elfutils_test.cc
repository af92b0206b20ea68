// The judge of the CFI reader: every row of every FDE of real libraries, against elfutils.
//
// For each row both sides compute the CFA, the return address and the registers a callee saves, from the same
// random registers and a memory whose every word is a hash of its address: rules that differ cannot agree by
// chance. What is undefined on one side must be on the other.
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <string>

#include "base/fd.h"
#include "unwind/cfi/cfi_fixup.h"
#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_test_image.h"
#include "unwind/rule/cfi_step.h"

namespace walkabout::unwind {
namespace {

uint64_t hash(uint64_t value) {
  value = (value ^ (value >> 31)) * 0x9e3779b97f4a7c15u;
  value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u;
  return value ^ (value >> 32);
}

bool load_hash(void*, uint64_t address, void* to, size_t size) {
  const uint64_t value = hash(address);
  std::memcpy(to, &value, size);
  return size <= sizeof value;
}

Memory hash_memory() {
  Memory memory;
  memory.slow = load_hash;
  return memory;
}

Registers random_registers(uint64_t pc) {
  Registers regs;
  for (uint64_t i = 0; i < kRegCount; ++i) regs.r[i] = hash(pc * kRegCount + i);
  regs.pc() = pc;
  return regs;
}

// The value of an elfutils location expression, evaluated apart from unwind/rule/dwarf_expr.
class Oracle {
 public:
  Oracle(const Registers& regs, uint64_t cfa) : regs_(regs), cfa_(cfa) {}

  // The CFA: the value of the expression itself.
  std::optional<uint64_t> value(const Dwarf_Op* ops, size_t count) {
    stack_.clear();
    for (size_t i = 0; i < count; ++i) {
      if (!apply(ops[i])) return std::nullopt;
    }
    if (stack_.empty()) return std::nullopt;
    return stack_.back();
  }
  // A register: what lies at the location, unless the expression says it is the value.
  std::optional<uint64_t> location(const Dwarf_Op* ops, size_t count) {
    if (count == 1 && ops[0].atom >= DW_OP_reg0 && ops[0].atom <= DW_OP_reg31)
      return reg(ops[0].atom - DW_OP_reg0, 0);
    if (count == 1 && ops[0].atom == DW_OP_regx) return reg(ops[0].number, 0);
    const bool is_value = count > 0 && ops[count - 1].atom == DW_OP_stack_value;
    const std::optional<uint64_t> result = value(ops, is_value ? count - 1 : count);
    if (is_value || !result.has_value()) return result;
    return hash(*result);
  }

 private:
  std::optional<uint64_t> reg(uint64_t number, uint64_t offset) const {
    if (number >= kRegCount) return std::nullopt;
    return regs_.r[number] + offset;
  }
  bool push(std::optional<uint64_t> value) {
    if (value.has_value()) stack_.push_back(*value);
    return value.has_value();
  }
  uint64_t pop() {
    const uint64_t value = stack_.back();
    stack_.pop_back();
    return value;
  }
  bool apply(const Dwarf_Op& op) {
    if (op.atom >= DW_OP_lit0 && op.atom <= DW_OP_lit31) return push(op.atom - DW_OP_lit0);
    if (op.atom >= DW_OP_breg0 && op.atom <= DW_OP_breg31) return push(reg(op.atom - DW_OP_breg0, op.number));
    switch (op.atom) {
      case DW_OP_bregx:
        return push(reg(op.number, op.number2));
      case DW_OP_call_frame_cfa:
        return push(cfa_);
      case DW_OP_const1u:
      case DW_OP_const2u:
      case DW_OP_const4u:
      case DW_OP_const8u:
      case DW_OP_constu:
      case DW_OP_const1s:
      case DW_OP_const2s:
      case DW_OP_const4s:
      case DW_OP_const8s:
      case DW_OP_consts:
        return push(op.number);
      default:
        return !stack_.empty() && apply_to_top(op);
    }
  }
  bool apply_to_top(const Dwarf_Op& op) {
    const uint64_t top = pop();
    switch (op.atom) {
      case DW_OP_deref:
        return push(hash(top));
      case DW_OP_plus_uconst:
        return push(top + op.number);
      case DW_OP_drop:
        return true;
      default:
        break;
    }
    if (stack_.empty()) return false;
    const uint64_t below = pop();
    switch (op.atom) {
      case DW_OP_and:
        return push(below & top);
      case DW_OP_plus:
        return push(below + top);
      case DW_OP_minus:
        return push(below - top);
      case DW_OP_mul:
        return push(below * top);
      case DW_OP_shl:
        return push(below << top);
      case DW_OP_ge:
        return push(static_cast<int64_t>(below) >= static_cast<int64_t>(top) ? 1 : 0);
      default:
        return false;
    }
  }

  const Registers& regs_;
  const uint64_t cfa_;
  std::vector<uint64_t> stack_;
};

// What elfutils says of one row, with values for one set of registers.
struct ExpectedRow {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool signal_frame = false;
  bool outermost = false;
  Registers caller;
};

// Registers the caller's values of which are compared: rsp, the saved ones, the return address; in signal
// frames all.
constexpr int kCompared[] = {kRbx, kRbp, kRsp, kR12, kR13, kR14, kR15, kRip};

// False, with a reason in *why, when elfutils (or our evaluation of its answer) fails.
bool expected_register(Dwarf_Frame* frame, int reg, const Registers& regs, uint64_t cfa, ExpectedRow* row,
                       std::string* why) {
  Dwarf_Op memory[3];
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  if (::dwarf_frame_register(frame, reg, memory, &ops, &count) != 0) {
    *why = std::string("dwarf_frame_register: ") + ::dwarf_errmsg(-1);
    return false;
  }
  uint64_t& value = row->caller.r[reg];
  if (count == 0) {  // same value, or (when ops is our memory) undefined
    // elfutils means to say that rbx keeps its value where nothing is said of it, but names register 0, which
    // is rax (backends/x86_64_cfi.c). No library says of rbx that it is undefined.
    const bool undefined = ops == memory && reg != kRbx;
    if (undefined && reg == kRip) row->outermost = true;
    value = undefined ? 0 : regs.r[reg];
    return true;
  }
  const std::optional<uint64_t> found = Oracle(regs, cfa).location(ops, count);
  if (!found.has_value()) {
    *why = "an operation this test does not know in the rule of register " + std::to_string(reg);
    return false;
  }
  value = *found;
  return true;
}

bool expected_row(Dwarf_CFI* cfi, uint64_t pc, const Registers& regs, ExpectedRow* row, std::string* why) {
  Dwarf_Frame* frame = nullptr;
  if (::dwarf_cfi_addrframe(cfi, pc, &frame) != 0) {
    *why = std::string("dwarf_cfi_addrframe: ") + ::dwarf_errmsg(-1);
    return false;
  }
  const std::unique_ptr<Dwarf_Frame, decltype(&std::free)> owned(frame, &std::free);
  ::dwarf_frame_info(frame, &row->begin, &row->end, &row->signal_frame);
  Dwarf_Op* ops = nullptr;
  size_t count = 0;
  if (::dwarf_frame_cfa(frame, &ops, &count) != 0) {
    *why = std::string("dwarf_frame_cfa: ") + ::dwarf_errmsg(-1);
    return false;
  }
  const std::optional<uint64_t> cfa = Oracle(regs, 0).value(ops, count);
  if (!cfa.has_value()) {
    *why = "an operation this test does not know in the rule of the CFA";
    return false;
  }
  if (row->signal_frame) {
    for (int reg = 0; reg < kRegCount; ++reg) {
      if (!expected_register(frame, reg, regs, *cfa, row, why)) return false;
    }
    return true;
  }
  for (const int reg : kCompared) {
    if (!expected_register(frame, reg, regs, *cfa, row, why)) return false;
  }
  return true;
}

struct Counts {
  size_t fdes = 0;
  size_t rows = 0;
  size_t general = 0;
  size_t outermost = 0;
  size_t signal = 0;
  size_t fixed_up = 0;  // FDEs whose rows are known to be wrong
};

// One library, opened on both sides.
class Comparison {
 public:
  explicit Comparison(const std::string& path)
      : path_(path), ours_(path), fd_(::open(path.c_str(), O_RDONLY)) {}
  ~Comparison() {
    if (cfi_ != nullptr) ::dwarf_cfi_end(cfi_);
    if (elf_ != nullptr) ::elf_end(elf_);
  }

  void run(size_t most_fixed_up) {
    ASSERT_TRUE(ours_.ok()) << path_;
    ::elf_version(EV_CURRENT);
    elf_ = ::elf_begin(fd_.get(), ELF_C_READ_MMAP, nullptr);
    ASSERT_NE(elf_, nullptr) << path_;
    cfi_ = ::dwarf_getcfi_elf(elf_);
    ASSERT_NE(cfi_, nullptr) << path_ << ": " << ::dwarf_errmsg(-1);
    base::Result<CfiTable> table = CfiTable::compile(ours_.image().cfi);
    ASSERT_TRUE(table.ok()) << path_ << ": " << table.message();
    table_ = std::move(*table);
    EXPECT_EQ(table_->malformed_fdes(), 0u);
    compare_section();
    report();
    EXPECT_LE(counts_.fixed_up, most_fixed_up) << path_;
  }

 private:
  // All FDEs as elfutils finds them from the front of the section, not by our index.
  void compare_section() {
    size_t names = 0;
    ASSERT_EQ(::elf_getshdrstrndx(elf_, &names), 0);
    for (Elf_Scn* section = nullptr; (section = ::elf_nextscn(elf_, section)) != nullptr;) {
      const Elf64_Shdr* header = ::elf64_getshdr(section);
      if (std::strcmp(::elf_strptr(elf_, names, header->sh_name), ".eh_frame") != 0) continue;
      compare_entries(::elf_rawdata(section, nullptr), header->sh_addr);
    }
    EXPECT_GT(counts_.fdes, 0u) << path_ << " has no .eh_frame";
  }

  void compare_entries(Elf_Data* data, uint64_t address) {
    const auto* ident = reinterpret_cast<const unsigned char*>(::elf_getident(elf_, nullptr));
    Dwarf_Off offset = 0;
    Dwarf_Off next = 0;
    Dwarf_CFI_Entry entry;
    int got = 0;
    for (; (got = ::dwarf_next_cfi(ident, data, true, offset, &next, &entry)) == 0; offset = next) {
      if (dwarf_cfi_cie_p(&entry)) continue;
      // Every CIE of these libraries says pcrel sdata4, which compare_fde finds out if it is not so.
      int32_t begin;
      uint32_t length;
      std::memcpy(&begin, entry.fde.start, sizeof begin);
      std::memcpy(&length, entry.fde.start + 4, sizeof length);
      const auto* base = static_cast<const uint8_t*>(data->d_buf);
      const uint64_t start =
          address + static_cast<uint64_t>(entry.fde.start - base) + static_cast<uint64_t>(begin);
      compare_fde(start, start + length);
      if (failures_ > 20) return;
    }
    EXPECT_EQ(got, 1) << path_ << ": " << ::dwarf_errmsg(-1);  // the end, not an error
  }

  void compare_fde(uint64_t begin, uint64_t end) {
    ++counts_.fdes;
    if (is_fixed_up(begin)) {
      ++counts_.fixed_up;
      for (uint64_t pc = begin; pc < end; ++pc) expect_same(pc);
      return;
    }
    for (uint64_t pc = begin; pc < end;) {
      const Registers regs = random_registers(pc);
      ExpectedRow row;
      std::string why;
      if (!expected_row(cfi_, pc, regs, &row, &why) || row.end <= pc) {
        fail(pc, "elfutils: " + why);
        return;
      }
      ++counts_.rows;
      if (row.outermost) ++counts_.outermost;
      if (row.signal_frame) ++counts_.signal;
      compare_row(pc, regs, row);
      // The row must hold to its last byte.
      const uint64_t last = std::min(row.end, end) - 1;
      const CompactRule* at_last = table_->find(ours_.bias() + last);
      if (at_last == nullptr || at_last != table_->find(ours_.bias() + pc))
        fail(last, "the row ends too early");
      pc = row.end;
    }
  }

  bool is_fixed_up(uint64_t begin) const {
    Fde fde;
    if (find_fde(ours_.image().cfi, ours_.bias() + begin, &fde) != CfiStatus::kOk) return false;
    CfiRows rows(ours_.image().cfi);
    return find_fault(ours_.image().cfi, rows, fde) != CfiFault::kNone;
  }

  // What elfutils says cannot be the judge here, but both of our ways must agree.
  void expect_same(uint64_t pc) {
    const CompactRule* compact = table_->find(ours_.bias() + pc);
    CfiRule interpreted;
    if (compact == nullptr ||
        cfi_interpret(ours_.image().cfi, ours_.bias() + pc, &interpreted) != CfiStatus::kOk)
      return fail(pc, "no rule");
    if (!same_rule(interpreted, compact->expand())) fail(pc, "interpreter and table differ");
  }

  void compare_row(uint64_t pc, const Registers& regs, const ExpectedRow& row) {
    const uint64_t our_pc = ours_.bias() + pc;
    const CompactRule* compact = table_->find(our_pc);
    if (compact == nullptr) return fail(pc, "not in the table");
    if (compact->kind() == CompactRule::Kind::kGeneral) ++counts_.general;
    CfiRule interpreted;
    if (cfi_interpret(ours_.image().cfi, our_pc, &interpreted) != CfiStatus::kOk)
      return fail(pc, "not interpreted");
    if (!same_rule(interpreted, compact->expand())) fail(pc, "interpreter and table differ");
    if (interpreted.signal_frame != row.signal_frame || compact->signal_frame() != row.signal_frame) {
      fail(pc, "signal frame");
    }
    Registers by_table = regs;
    Registers by_interpreter = regs;
    const StepStatus expected = row.outermost ? StepStatus::kOutermost : StepStatus::kOk;
    if (cfi_step(*compact, by_table, hash_memory()) != expected) return fail(pc, "status by table");
    if (cfi_step(interpreted, by_interpreter, hash_memory()) != expected)
      return fail(pc, "status by interpreter");
    if (row.outermost) return;
    for (int reg = 0; reg < kRegCount; ++reg) {
      const bool compared =
          row.signal_frame || std::count(std::begin(kCompared), std::end(kCompared), reg) > 0;
      if (!compared) continue;
      if (by_table.r[reg] != row.caller.r[reg]) fail(pc, "register " + std::to_string(reg) + " by table");
      if (by_interpreter.r[reg] != row.caller.r[reg])
        fail(pc, "register " + std::to_string(reg) + " by interpreter");
    }
  }

  void fail(uint64_t pc, const std::string& what) {
    if (++failures_ > 20) return;  // the first few tell
    ADD_FAILURE() << path_ << ": pc 0x" << std::hex << pc << ": " << what;
  }

  void report() const {
    std::printf(
        "%s: %zu FDEs, %zu rows equal to elfutils' (%zu general, %zu outermost, %zu signal), %zu FDEs "
        "fixed up, %zu failures; "
        "table: %zu rows, %zu rules, %zu bytes\n",
        path_.c_str(), counts_.fdes, counts_.rows, counts_.general, counts_.outermost, counts_.signal,
        counts_.fixed_up, failures_, table_->row_count(), table_->rule_count(), table_->bytes());
  }

  const std::string path_;
  const testing::MappedElf ours_;
  const base::Fd fd_;
  Elf* elf_ = nullptr;
  Dwarf_CFI* cfi_ = nullptr;
  std::optional<CfiTable> table_;
  Counts counts_;
  size_t failures_ = 0;
};

void compare(const std::string& path, size_t most_fixed_up = 0) { Comparison(path).run(most_fixed_up); }

void compare_system(const std::string& name) {
  const std::string path = testing::system_library(name);
  ASSERT_FALSE(path.empty()) << name << " is not on this machine";
  compare(path);
}

TEST(CfiElfutils, Libc) { compare_system("libc.so.6"); }
TEST(CfiElfutils, Libstdcxx) { compare_system("libstdc++.so.6"); }
TEST(CfiElfutils, Loader) { compare_system("ld-linux-x86-64.so.2"); }

class CfiElfutilsDotnet : public ::testing::TestWithParam<const char*> {};

TEST_P(CfiElfutilsDotnet, Library) {
  const std::string folder = testing::dotnet_runtime_folder();
  if (folder.empty()) GTEST_SKIP() << "no dotnet on this machine: " << GetParam() << " is not compared";
  const bool assembly =
      std::string_view(GetParam()) == "libcoreclr.so";  // its delay-load helpers and the like
  compare(folder + "/" + GetParam(), assembly ? 7 : 0);
}

INSTANTIATE_TEST_SUITE_P(, CfiElfutilsDotnet,
                         ::testing::Values("libcoreclr.so", "libclrjit.so", "libSystem.Native.so"),
                         [](const auto& library) {
                           std::string name = library.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace walkabout::unwind
