// CfiTable::compile: all FDEs of a section, in ascending order of pc, through the interpreter into a table.
#include <algorithm>
#include <optional>

#include "unwind/cfi/cfi_buffer.h"
#include "unwind/cfi/cfi_fixup.h"
#include "unwind/cfi/cfi_init.h"
#include "unwind/cfi/cfi_interpret.h"
#include "unwind/cfi/cfi_plt.h"
#include "unwind/cfi/cfi_table.h"
#include "unwind/cfi/cfi_table_builder.h"

namespace walkabout::unwind {
namespace {

struct TextRange {
  uint64_t begin = UINT64_MAX;
  uint64_t end = 0;

  void include(uint64_t from, uint64_t to) {
    if (from >= to) return;
    begin = std::min(begin, from);
    end = std::max(end, to);
  }
  uint64_t size() const { return end > begin ? end - begin : 0; }
};

// Writes the rows of FDEs that come in order of their begin, and what lies between them.
class RowWriter {
 public:
  RowWriter(const CfiSection& section, const TextRange& text, CfiTableBuilder& builder)
      : section_(section), text_(text), builder_(builder), rows_(section), covered_(text.begin) {}

  void add(const Fde& fde) {
    if (fde.begin == fde.end) return;
    const uint64_t last = pending_.has_value() ? pending_->begin : text_.begin;
    if (fde.begin < last || fde.begin >= text_.end) return builder_.count_malformed(1);
    if (fde.begin != last) write_pending(fde.begin);
    pending_ = fde;
  }
  // At pc an FDE begins that cannot be used: a search ends there too.
  void add_malformed(uint64_t pc) {
    builder_.count_malformed(1);
    if (!pending_.has_value() || pc < pending_->begin || pc >= text_.end) return;
    write_pending(pc);
    pending_.reset();
  }
  void finish() {
    write_pending(text_.end);
    write_gap(covered_, text_.end);
  }

 private:
  void write_pending(uint64_t limit);
  void write_fixed_up(CfiFault fault, uint64_t limit);
  void write_gap(uint64_t from, uint64_t to);
  void write_code(const MappedBytes& code, uint64_t pc, uint64_t end);
  uint64_t write_init(const MappedBytes& code, uint64_t pc, uint64_t end);
  bool write_stub(const MappedBytes& code);

  const CfiSection& section_;
  const TextRange text_;
  CfiTableBuilder& builder_;
  CfiRows rows_;
  uint64_t covered_;            // rows are written up to here
  std::optional<Fde> pending_;  // ends at the latest where the next one begins, as in a binary search
};

void RowWriter::write_pending(uint64_t limit) {
  if (!pending_.has_value()) return;
  write_gap(covered_, pending_->begin);
  const CfiTableBuilder::Mark before = builder_.mark();
  CfiFaultSearch search(section_, *pending_);
  rows_.start(*pending_);
  while (rows_.next()) {
    if (const CfiFault fault = search.look(rows_); fault != CfiFault::kNone) {
      builder_.rewind(before);
      write_fixed_up(fault, limit);
      break;
    }
    if (rows_.begin() < limit) builder_.add(rows_.begin(), rows_.rule());
  }
  if (!rows_.ok()) builder_.count_malformed(1);
  covered_ = std::min(rows_.ok() ? pending_->end : rows_.begin(), limit);
}

// Where instructions begin is not known: each byte gets the rule it would have as the first of one.
void RowWriter::write_fixed_up(CfiFault fault, uint64_t limit) {
  CfiFixer fixer(section_, *pending_, fault);
  rows_.start(*pending_);
  while (rows_.next() && rows_.begin() < limit) {
    fixer.enter_row(rows_.rule());
    const uint64_t end = std::min(rows_.end(), limit);
    for (uint64_t pc = rows_.begin(); pc < end; ++pc) builder_.add(pc, fixer.rule_at(pc));
  }
}

void RowWriter::write_gap(uint64_t from, uint64_t to) {
  if (from >= to) return;
  builder_.add_gap(from);
  for (const MappedBytes& code : section_.code) {
    const uint64_t begin = std::max(from, code.address);
    const uint64_t end = std::min(to, code.address + code.size);
    if (begin < end) write_code(code, begin, end);
  }
}

// What plt_rule() says of each pc: the initializer, then stubs where they can begin.
void RowWriter::write_code(const MappedBytes& code, uint64_t pc, uint64_t end) {
  bool in_gap = true;
  while (pc < end) {
    const uint64_t next = write_init(code, pc, end);
    const bool written = next > pc || write_stub(code.part(pc, std::min(end - pc, kPltSlotSize)));
    if (!in_gap && !written) builder_.add_gap(pc);
    in_gap = !written;
    pc = next > pc ? next : (pc & ~(kPltSlotSize - 1)) + kPltSlotSize;
  }
  if (!in_gap) builder_.add_gap(end);
}

// Returns its end; pc when it does not lie in one.
uint64_t RowWriter::write_init(const MappedBytes& code, uint64_t pc, uint64_t end) {
  InitCode init;
  if (!read_init(code, pc, &init)) return pc;
  builder_.add(pc, init.rule(pc));
  for (const uint64_t from : {init.moved, init.back}) {
    if (from > pc && from < end) builder_.add(from, init.rule(from));
  }
  return std::min(init.end, end);
}

bool RowWriter::write_stub(const MappedBytes& code) {
  PltSlot slot;
  const bool whole = code.size == kPltSlotSize && code.address % kPltSlotSize == 0;
  if (!whole || !read_plt_slot(code.data, &slot)) return false;
  builder_.add(code.address, stack_rule(slot.before));
  if (slot.change > 0) builder_.add(code.address + slot.change, stack_rule(slot.after));
  return true;
}

struct FdePlace {
  uint64_t begin;
  size_t offset;
};

// Calls use(fde) for each FDE of the sorted table, and malformed(pc) for each entry that gives none.
template <typename Use, typename Malformed>
void for_each_in_table(const CfiSection& section, Use use, Malformed malformed) {
  Fde fde;
  for (uint64_t i = 0; i < section.table_count; ++i) {
    uint64_t begin = 0;
    if (read_table_entry(section, i, &begin, &fde) == CfiStatus::kOk) {
      use(fde);
    } else {
      malformed(begin);
    }
  }
}

// Calls use(fde, offset) for each FDE from the front of the section to its terminator.
template <typename Use>
size_t for_each_from_front(const CfiSection& section, Use use) {
  size_t bad = 0;
  Fde fde;
  for (size_t offset = 0, next = 0;; offset = next) {
    const CfiStatus status = read_fde(section, offset, &fde, &next);
    if (status == CfiStatus::kOk) use(fde, offset);
    if (status == CfiStatus::kMalformed) ++bad;
    if (next == offset) return bad;
  }
}

TextRange find_text(const CfiSection& section) {
  TextRange text;
  for (const MappedBytes& code : section.code) text.include(code.address, code.address + code.size);
  if (text.size() > 0) return text;
  if (section.table_count > 0) {
    for_each_in_table(
        section, [&](const Fde& fde) { text.include(fde.begin, fde.end); }, [](uint64_t) {});
  } else {
    for_each_from_front(section, [&](const Fde& fde, size_t) { text.include(fde.begin, fde.end); });
  }
  return text;
}

// The FDEs of a section without a table, by begin; of those with the same begin the last in the section comes
// last.
base::Status write_sorted(const CfiSection& section, RowWriter& writer, CfiTableBuilder& builder) {
  size_t count = 0;
  builder.count_malformed(for_each_from_front(section, [&](const Fde&, size_t) { ++count; }));
  if (count == 0) return {};
  CfiBuffer<FdePlace> places(count);
  if (!places.ok()) return base::Status::error("no address space to sort call frame information in");
  for_each_from_front(section, [&](const Fde& fde, size_t offset) { places.push({fde.begin, offset}); });
  std::sort(places.begin(), places.end(), [](const FdePlace& a, const FdePlace& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.offset < b.offset;
  });
  Fde fde;
  for (const FdePlace& place : places) {
    if (read_fde(section, place.offset, &fde) == CfiStatus::kOk) writer.add(fde);
  }
  return {};
}

}  // namespace

base::Result<CfiTable> CfiTable::compile(const CfiSection& section) {
  const TextRange text = find_text(section);
  if (text.size() == 0) return base::Status::error("the image has no call frame information for any code");
  if (text.size() > kMaxCfiText) return base::Status::error("the image's code spans more than 1 GiB");
  CfiTableBuilder builder(text.begin, text.size());
  RowWriter writer(section, text, builder);
  if (section.table_count > 0) {
    for_each_in_table(
        section, [&](const Fde& fde) { writer.add(fde); }, [&](uint64_t pc) { writer.add_malformed(pc); });
  } else if (base::Status status = write_sorted(section, writer, builder); !status.ok()) {
    return status;
  }
  writer.finish();
  return builder.finish();
}

}  // namespace walkabout::unwind
