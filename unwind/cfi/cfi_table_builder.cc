#include "unwind/cfi/cfi_table_builder.h"

#include <sys/mman.h>

#include <cstring>
#include <utility>

namespace walkabout::unwind {
namespace {

constexpr uint16_t kGapRule = 0;
constexpr size_t kHashSize = 2 * (kMaxCfiRules + 1);
constexpr size_t kMaxGeneralRules = 8192;
constexpr size_t kMaxExpressionBytes = size_t{16} << 20;

size_t align_up(size_t size, size_t to) { return (size + to - 1) & ~(to - 1); }

}  // namespace

// A text of n bytes has at most n rows.
CfiTableBuilder::CfiTableBuilder(uint64_t text_begin, uint64_t text_size)
    : text_begin_(text_begin),
      text_size_(text_size),
      buckets_((text_size >> kCfiBucketBits) + 2),
      low_(text_size),
      ids_(text_size),
      rules_(kMaxCfiRules),
      general_(kMaxGeneralRules),
      expressions_(kMaxExpressionBytes),
      hash_(kHashSize) {
  if (!usable()) return;
  hash_.grow(kHashSize);
  rules_.push(CompactRule());
}

bool CfiTableBuilder::usable() const {
  return buckets_.ok() && low_.ok() && ids_.ok() && rules_.ok() && general_.ok() && expressions_.ok() &&
         hash_.ok();
}

void CfiTableBuilder::add(uint64_t pc, const CfiRule& rule) {
  if (usable() && error_ == nullptr) add_row(pc, intern(rule));
}

void CfiTableBuilder::add_gap(uint64_t pc) {
  if (usable() && error_ == nullptr) add_row(pc, kGapRule);
}

// Where the first row of those had taken the place of the one before it, the first added now does.
void CfiTableBuilder::rewind(const Mark& mark) {
  buckets_.shrink(mark.buckets);
  low_.shrink(mark.rows);
  ids_.shrink(mark.rows);
  last_offset_ = mark.last_offset;
}

void CfiTableBuilder::add_row(uint64_t pc, uint16_t id) {
  const uint64_t offset = pc - text_begin_;
  if (offset >= text_size_ || error_ != nullptr) return;
  if (ids_.size() > 0 && ids_.back() == id) return;
  if (ids_.size() > 0 && offset == last_offset_) {
    ids_.back() = id;
    return;
  }
  while (buckets_.size() <= offset >> kCfiBucketBits) buckets_.push(static_cast<uint32_t>(ids_.size()));
  low_.push(static_cast<uint8_t>(offset));
  ids_.push(id);
  last_offset_ = offset;
}

uint16_t CfiTableBuilder::intern(const CfiRule& rule) {
  CompactRule compact;
  if (!CompactRule::plain(rule, &compact)) return intern_general(rule);
  for (size_t i = compact.hash();; ++i) {
    uint16_t& place = hash_[i & (kHashSize - 1)];
    if (place == 0) return new_rule(compact, &place);
    if (rules_[place] == compact) return place;
  }
}

uint16_t CfiTableBuilder::intern_general(const CfiRule& rule) {
  for (size_t i = hash_rule(rule);; ++i) {
    uint16_t& place = hash_[i & (kHashSize - 1)];
    if (place == 0) {
      if (general_.full()) error_ = "too many unusual rules";
      if (error_ == nullptr) general_.push(own(rule));
      return error_ == nullptr ? new_rule(CompactRule::general(&general_.back()), &place) : kGapRule;
    }
    const CompactRule& known = rules_[place];
    if (known.kind() == CompactRule::Kind::kGeneral && same_rule(*known.general(), rule)) return place;
  }
}

uint16_t CfiTableBuilder::new_rule(const CompactRule& rule, uint16_t* place) {
  if (rules_.full()) {
    error_ = "more than 65,535 different rules";
    return kGapRule;
  }
  *place = static_cast<uint16_t>(rules_.size());
  rules_.push(rule);
  return *place;
}

// A copy whose expressions are ours: the image may be unmapped while the table lives.
CfiRule CfiTableBuilder::own(const CfiRule& rule) {
  CfiRule copy = rule;
  copy.expressions = expressions_.data();
  if (rule.cfa.kind == CfaKind::kExpression) own_expression(rule, &copy.cfa.offset, rule.cfa.size);
  for (RegisterRule& reg : copy.registers) {
    if (is_expression(reg.kind)) own_expression(rule, &reg.value, reg.size);
  }
  return copy;
}

void CfiTableBuilder::own_expression(const CfiRule& rule, int32_t* offset, uint16_t size) {
  if (expressions_.room() < size) {
    error_ = "too many expressions";
    return;
  }
  const auto at = static_cast<int32_t>(expressions_.size());
  if (size > 0) std::memcpy(expressions_.grow(size), rule.expressions + *offset, size);
  *offset = at;
}

base::Result<CfiTable> CfiTableBuilder::finish() {
  if (!usable()) return base::Status::error("no address space to compile call frame information in");
  if (error_ != nullptr)
    return base::Status::error(std::string("call frame information not compiled: ") + error_);
  if (ids_.size() == 0) add_gap(text_begin_);
  while (buckets_.size() <= ((text_size_ - 1) >> kCfiBucketBits) + 1) {
    buckets_.push(static_cast<uint32_t>(ids_.size()));
  }
  CfiTable table;
  layout(&table);
  if (table.memory_ == nullptr) return base::Status::error("no memory for compiled call frame information");
  return table;
}

void CfiTableBuilder::layout(CfiTable* table) const {
  // Ordered by alignment; the rules begin on the page.
  const size_t general_at = rules_.bytes();
  const size_t buckets_at = general_at + general_.bytes();
  const size_t ids_at = buckets_at + buckets_.bytes();
  const size_t low_at = ids_at + ids_.bytes();
  const size_t expressions_at = low_at + low_.bytes() + kCfiRowPadding;
  const size_t size = align_up(expressions_at + expressions_.bytes(), 4096);
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  auto* bytes = static_cast<uint8_t*>(memory);
  auto* rules = reinterpret_cast<CompactRule*>(bytes);
  auto* general = reinterpret_cast<CfiRule*>(bytes + general_at);
  std::memcpy(bytes, rules_.data(), rules_.bytes());
  std::memcpy(bytes + general_at, general_.data(), general_.bytes());
  std::memcpy(bytes + buckets_at, buckets_.data(), buckets_.bytes());
  std::memcpy(bytes + ids_at, ids_.data(), ids_.bytes());
  std::memcpy(bytes + low_at, low_.data(), low_.bytes());
  std::memcpy(bytes + expressions_at, expressions_.data(), expressions_.bytes());
  for (size_t i = 0; i < general_.size(); ++i) general[i].expressions = bytes + expressions_at;
  for (size_t i = 0; i < rules_.size(); ++i) {
    if (rules[i].kind() != CompactRule::Kind::kGeneral) continue;
    rules[i] = CompactRule::general(general + (rules[i].general() - general_.data()));
  }
  ::mprotect(memory, size, PROT_READ);
  table->memory_ = memory;
  table->mapped_ = size;
  table->text_begin_ = text_begin_;
  table->text_size_ = text_size_;
  table->rules_ = rules;
  table->buckets_ = reinterpret_cast<const uint32_t*>(bytes + buckets_at);
  table->ids_ = reinterpret_cast<const uint16_t*>(bytes + ids_at);
  table->low_ = bytes + low_at;
  table->row_count_ = ids_.size();
  table->rule_count_ = rules_.size();
  table->malformed_fdes_ = malformed_;
}

}  // namespace walkabout::unwind
