// .eh_frame and .eh_frame_hdr: entries, rows, the compiled table, one step with what each pc finds.
#include <algorithm>
#include <vector>

#include "fuzz/fuzz_target.h"
#include "fuzz/input.h"
#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_test_section.h"
#include "unwind/rule/cfi_step.h"

using namespace walkabout;
using namespace walkabout::unwind;
using fuzz::expect;

namespace {

constexpr uint64_t kMostSpan = 1 << 20;
constexpr uint64_t kText = testing::SectionWriter::kText;

bool load_nearly_anything(void*, uint64_t address, void* to, size_t size) {
  if (address % 5 == 0) return false;
  std::memset(to, static_cast<int>(address), size);
  return true;
}

// Returns how many bytes from the first FDE's begin to the last one's end.
uint64_t expect_rows_in_order(const CfiSection& section) {
  CfiRows rows(section);
  Fde fde;
  uint64_t begin = UINT64_MAX;
  uint64_t end = 0;
  for (size_t offset = 0, next = 0;; offset = next) {
    if (read_fde(section, offset, &fde, &next) == CfiStatus::kOk) {
      begin = std::min(begin, fde.begin);
      end = std::max(end, fde.end);
      rows.start(fde);
      for (uint64_t last = fde.begin; rows.next(); last = rows.end()) {
        expect(rows.begin() == last, "rows follow one another");
        expect(rows.begin() < rows.end() && rows.end() <= fde.end, "a row lies in its FDE");
      }
    }
    expect(next >= offset && next <= section.frames.size, "an entry ends inside the section");
    if (next == offset) return end > begin ? end - begin : 0;
  }
}

// Then a binary search in it finds what the compiler did.
bool table_in_order(const CfiSection& section) {
  uint64_t last = 0;
  for (uint64_t i = 0; i < section.table_count; ++i) {
    uint64_t begin = 0;
    Fde fde;
    (void)read_table_entry(section, i, &begin, &fde);
    if (i > 0 && begin <= last) return false;
    last = begin;
  }
  return section.table_count > 0;
}

bool equal(const Registers& a, const Registers& b) { return std::memcmp(a.r, b.r, sizeof a.r) == 0; }

void step(const CompactRule& compact, uint64_t pc) {
  Memory memory;
  memory.slow = load_nearly_anything;
  Registers one;
  for (uint64_t i = 0; i < kRegCount; ++i) one.r[i] = 0x7000'0000 + i * 0x1'0008;
  one.pc() = pc;
  Registers other = one;
  const StepStatus status = cfi_step(compact, one, memory);
  expect(cfi_step(compact.expand(), other, memory) == status && equal(one, other),
         "both forms of a rule step alike");
}

void look_up(const CfiSection& section, const base::Result<CfiTable>& table, bool of_one_mind, uint64_t pc) {
  CfiRule rule;
  const bool interpreted = cfi_interpret(section, pc, &rule) == CfiStatus::kOk;
  if (interpreted) {
    Memory memory;
    memory.slow = load_nearly_anything;
    Registers regs;
    regs.pc() = pc;
    regs.sp() = pc * 7;
    (void)cfi_step(rule, regs, memory);
  }
  if (!table.ok()) return;
  const CompactRule* compact = table->find(pc);
  const bool inside = pc - table->text_begin() < table->text_size();
  expect(compact == nullptr || inside, "no rule outside the text");
  if (compact != nullptr) step(*compact, pc);
  if (!of_one_mind || !inside) return;
  expect(interpreted == (compact != nullptr), "table and interpreter know the same pcs");
  expect(!interpreted || same_rule(rule, compact->expand()), "table and interpreter say the same");
}

}  // namespace

// flags: 1 with .eh_frame_hdr, 2 with code for PLT stubs, 4 compiled however large (up to a GiB of text takes
// long).
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Input in(data, size);
  const uint8_t flags = in.u8();
  const std::vector<uint8_t> header = in.bytes(in.u16());
  const std::vector<uint8_t> code = in.bytes(in.u16());
  const std::vector<uint8_t> frames = in.rest();
  CfiSection section;
  section.frames = {frames.data(), frames.size(), testing::SectionWriter::kAddress};
  const MappedBytes mapped_header{header.data(), header.size(), testing::SectionWriter::kHeaderAddress};
  if ((flags & 1) != 0 && !open_cfi(mapped_header, section.frames, &section)) return 0;
  if ((flags & 2) != 0) section.code[0] = {code.data(), code.size(), kText};
  const uint64_t span = expect_rows_in_order(section);
  if (span > kMostSpan && (flags & 4) == 0) return 0;
  const base::Result<CfiTable> table = CfiTable::compile(section);
  if (table.ok())
    expect(table->rule_count() <= kMaxCfiRules && table->text_size() <= kMaxCfiText, "limits hold");
  const bool of_one_mind = table.ok() && table_in_order(section);
  for (uint64_t pc = kText - 2; pc < kText + 512; pc += 7) look_up(section, table, of_one_mind, pc);
  if (!table.ok()) return 0;
  const uint64_t stride = table->text_size() / 31 + 1;
  for (uint64_t at = 0; at < table->text_size(); at += stride)
    look_up(section, table, of_one_mind, table->text_begin() + at);
  return 0;
}
