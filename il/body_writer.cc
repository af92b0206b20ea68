#include "il/body_writer.h"

#include <algorithm>

#include "il/clause_bytes.h"

namespace walkabout::il {
namespace {

constexpr int kMostPasses = 8;              // behind which every branch that may be too short is made long
constexpr uint64_t kMostCode = 0x7fffffff;  // distances are signed
constexpr uint16_t kFatHeader = 0x3003;     // its size in words, and that it is fat
constexpr uint16_t kTinyHeader = 2;

bool is_short(int64_t distance) { return distance == static_cast<int8_t>(distance); }

class BodyWriter {
 public:
  BodyWriter(const Body& body, WrittenBody& written) : body_(body), out_(written.bytes), written_(written) {}

  Cause write() {
    written_ = WrittenBody();
    if (!has_its_labels()) return Cause::kLabel;
    if (!place_instructions()) return Cause::kTooLarge;
    write_header();
    write_code();
    return body_.clauses.empty() ? Cause::kNone : write_clauses();
  }

 private:
  bool is_label(uint64_t label) const {
    return label < body_.labels.size() && body_.labels[label] <= body_.code.size();
  }

  bool has_its_labels() const {
    const auto has = [this](uint64_t label) { return is_label(label); };
    for (const Instruction& instruction : body_.code) {
      const Operand operand = operand_of(instruction.op);
      if (is_branch(operand) && !is_label(instruction.operand)) return false;
      if (operand != Operand::kSwitch) continue;
      if (instruction.operand >= body_.switches.size()) return false;
      const std::vector<Label>& targets = body_.switches[instruction.operand];
      if (!std::all_of(targets.begin(), targets.end(), has)) return false;
    }
    return std::all_of(body_.clauses.begin(), body_.clauses.end(), [&](const Clause& c) {
      return has(c.try_begin) && has(c.try_end) && has(c.handler_begin) && has(c.handler_end) &&
             (c.kind != ClauseKind::kFilter || has(c.filter));
    });
  }

  // Sets ops_ and offsets_: short branches grow until all reach.
  bool place_instructions() {
    const size_t count = body_.code.size();
    ops_.resize(count);
    offsets_.resize(count + 1);
    for (size_t i = 0; i < count; ++i) ops_[i] = body_.code[i].op;
    for (int pass = 0;; ++pass) {
      uint64_t at = 0;
      for (size_t i = 0; i < count; ++i) {
        offsets_[i] = static_cast<uint32_t>(at);
        at += size_at(i);
        if (at > kMostCode) return false;
      }
      offsets_[count] = static_cast<uint32_t>(at);
      if (!grow_branches(pass >= kMostPasses)) return true;
    }
  }

  // Whether any had to.
  bool grow_branches(bool all) {
    bool grown = false;
    for (size_t i = 0; i < ops_.size(); ++i) {
      if (operand_of(ops_[i]) != Operand::kShortBranch) continue;
      if (!all && is_short(distance(i, static_cast<Label>(body_.code[i].operand)))) continue;
      ops_[i] = long_form(ops_[i]);
      grown = true;
    }
    return grown;
  }

  size_t size_at(size_t i) const {
    const Operand operand = operand_of(ops_[i]);
    const size_t code = code_size(ops_[i]);
    if (operand != Operand::kSwitch) return code + size_of(operand);
    return code + 4 + 4 * body_.switches[body_.code[i].operand].size();
  }

  uint32_t offset_of(Label label) const { return offsets_[body_.labels[label]]; }
  // From behind the instruction.
  int64_t distance(size_t i, Label label) const {
    return int64_t{offset_of(label)} - int64_t{offsets_[i + 1]};
  }

  void put(uint64_t value, size_t size) {
    const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
    out_.insert(out_.end(), bytes, bytes + size);
  }

  void write_header() {
    const BodyHeader& header = body_.header;
    const uint32_t size = offsets_.back();
    const bool tiny = !header.fat && size <= kMostTinyCode && header.max_stack <= kTinyStack &&
                      header.locals == 0 && body_.clauses.empty() && !body_.init_locals();
    if (tiny) {
      put(size << 2 | kTinyHeader, 1);
      return;
    }
    const uint16_t more = body_.clauses.empty() ? 0 : kMoreSections;
    put((header.flags & ~kMoreSections) | more | kFatHeader, 2);
    put(header.max_stack, 2);
    put(size, 4);
    put(header.locals, 4);
  }

  void write_code() {
    uint32_t last = kNoOrigin;
    for (size_t i = 0; i < ops_.size(); ++i) {
      const Instruction& instruction = body_.code[i];
      if (instruction.origin != kNoOrigin && instruction.origin != last) {
        last = instruction.origin;
        written_.moved.push_back({last, offsets_[i]});
      }
      const auto code = static_cast<uint16_t>(ops_[i]);
      if (code_size(ops_[i]) == 2) put(code >> 8, 1);
      put(code & 0xff, 1);
      const Operand operand = operand_of(ops_[i]);
      if (operand == Operand::kSwitch) {
        const std::vector<Label>& targets = body_.switches[instruction.operand];
        put(targets.size(), 4);
        for (const Label target : targets) put(static_cast<uint64_t>(distance(i, target)), 4);
      } else if (is_branch(operand)) {
        put(static_cast<uint64_t>(distance(i, static_cast<Label>(instruction.operand))), size_of(operand));
      } else {
        put(instruction.operand, size_of(operand));
      }
    }
  }

  struct Region {
    uint32_t begin = 0, size = 0;
    bool is_small() const { return begin <= 0xffff && size <= 0xff; }
  };
  Region region(Label begin, Label end) const {
    return {offset_of(begin), offset_of(end) - offset_of(begin)};
  }

  Cause write_clauses() {
    const size_t count = body_.clauses.size();
    bool fat = body_.fat_clauses || kSectionHeader + count * kSmallClause > kMostSmallSection;
    for (const Clause& clause : body_.clauses) {
      if (offset_of(clause.try_end) < offset_of(clause.try_begin) ||
          offset_of(clause.handler_end) < offset_of(clause.handler_begin))
        return Cause::kClause;
      fat = fat || !region(clause.try_begin, clause.try_end).is_small() ||
            !region(clause.handler_begin, clause.handler_end).is_small();
    }
    const size_t size = kSectionHeader + count * (fat ? kFatClause : kSmallClause);
    if (size > kMostFatSection) return Cause::kTooLarge;
    out_.resize(aligned(out_.size()));
    put(kClauseTable | (fat ? kFatSection : 0), 1);
    put(size, 3);
    for (const Clause& clause : body_.clauses) write_clause(clause, fat);
    return Cause::kNone;
  }

  void write_clause(const Clause& clause, bool fat) {
    put(static_cast<uint8_t>(clause.kind), fat ? 4 : 2);
    for (const Region& r :
         {region(clause.try_begin, clause.try_end), region(clause.handler_begin, clause.handler_end)}) {
      put(r.begin, fat ? 4 : 2);
      put(r.size, fat ? 4 : 1);
    }
    put(clause.kind == ClauseKind::kFilter ? offset_of(clause.filter) : clause.type_token, 4);
  }

  const Body& body_;
  std::vector<uint8_t>& out_;
  WrittenBody& written_;
  std::vector<Op> ops_;
  std::vector<uint32_t> offsets_;
};

}  // namespace

Cause write_body(const Body& body, WrittenBody* written) { return BodyWriter(body, *written).write(); }

uint32_t WrittenBody::moved_to(uint32_t from) const {
  const auto behind = std::upper_bound(moved.begin(), moved.end(), from,
                                       [](uint32_t wanted, const Moved& m) { return wanted < m.from; });
  return behind == moved.begin() ? 0 : std::prev(behind)->to;
}

}  // namespace walkabout::il
