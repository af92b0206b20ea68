#include "il/body_reader.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "il/clause_bytes.h"
#include "il/instruction_bytes.h"

namespace walkabout::il {
namespace {

using base::Bytes;
using base::load;
using base::part;

constexpr uint32_t kNoLabel = ~uint32_t{0};

uint64_t bits_of(Bytes operand) {
  uint64_t bits = 0;
  if (!operand.empty()) std::memcpy(&bits, operand.data(), operand.size());
  return bits;
}

// A clause as it is written: offsets into the code.
struct RawClause {
  uint32_t kind = 0, try_begin = 0, try_size = 0, handler_begin = 0, handler_size = 0, last = 0;
};

RawClause small_clause(Bytes at) {
  return {*load<uint16_t>(at, 0), *load<uint16_t>(at, 2), *load<uint8_t>(at, 4),
          *load<uint16_t>(at, 5), *load<uint8_t>(at, 7),  *load<uint32_t>(at, 8)};
}

class BodyReader {
 public:
  BodyReader(Bytes bytes, Body& body) : bytes_(bytes), body_(body) {}

  Cause read(size_t* size) {
    body_ = Body();
    const auto header = read_body_header(bytes_);
    if (!header) return Cause::kHeader;
    body_.header = *header;
    il_ = part(bytes_, header->size(), header->code_size);
    if (il_.empty()) return Cause::kCut;
    size_t end = header->size() + header->code_size;
    Cause cause = read_instructions();
    if (cause == Cause::kNone) cause = read_targets();
    if (cause == Cause::kNone && (header->flags & kMoreSections) != 0) cause = read_clauses(&end);
    if (size != nullptr) *size = end;
    return cause;
  }

 private:
  Cause read_instructions() {
    for (size_t at = 0; at < il_.size();) {
      const auto found = instruction_at(il_, at);
      if (!found) return Cause::kInstruction;
      const Op op = found->op;
      const Operand operand = operand_of(op);
      Instruction instruction{op, static_cast<uint32_t>(at), 0};
      if (operand != Operand::kSwitch)
        instruction.operand = bits_of(part(il_, at + code_size(op), size_of(operand)));
      body_.code.push_back(instruction);
      at += found->size;
    }
    label_of_.assign(body_.code.size() + 1, kNoLabel);
    return Cause::kNone;
  }

  Cause read_targets() {
    for (size_t i = 0; i < body_.code.size(); ++i) {
      Instruction& instruction = body_.code[i];
      const Operand operand = operand_of(instruction.op);
      const uint32_t next = offset_of(i + 1);
      if (is_branch(operand)) {
        const auto label = label_at(next + branch_distance(il_, instruction.origin, instruction.op), false);
        if (!label) return Cause::kBranch;
        instruction.operand = *label;
      } else if (operand == Operand::kSwitch) {
        std::vector<Label> labels;
        for (size_t at = instruction.origin + code_size(instruction.op) + 4; at < next; at += 4) {
          const auto label = label_at(next + int64_t{*load<int32_t>(il_, at)}, false);
          if (!label) return Cause::kBranch;
          labels.push_back(*label);
        }
        instruction.operand = body_.switches.size();
        body_.switches.push_back(std::move(labels));
      }
    }
    return Cause::kNone;
  }

  Cause read_clauses(size_t* end) {
    const size_t begin = aligned(*end);
    const auto header = load<uint32_t>(bytes_, begin);
    if (!header) return Cause::kCut;
    const uint8_t kind = *header & 0xff;
    if ((kind & kSectionKind) != kClauseTable || (kind & kMoreBehind) != 0) return Cause::kSection;
    body_.fat_clauses = (kind & kFatSection) != 0;
    const uint32_t size = *header >> 8 & (body_.fat_clauses ? kMostFatSection : kMostSmallSection);
    const size_t each = body_.fat_clauses ? kFatClause : kSmallClause;
    const size_t count = size / each;  // some compilers leave the header out of the size
    if (!body_.fat_clauses && *header >> 16 != 0) return Cause::kSection;
    const Bytes clauses = part(bytes_, begin + kSectionHeader, count * each);
    if (clauses.size() != count * each) return Cause::kCut;
    for (size_t i = 0; i < count; ++i) {
      const Bytes at = part(clauses, i * each, each);
      const RawClause raw = body_.fat_clauses ? *load<RawClause>(at, 0) : small_clause(at);
      const auto clause = clause_of(raw);
      if (!clause) return Cause::kClause;
      body_.clauses.push_back(*clause);
    }
    *end = begin + kSectionHeader + clauses.size();
    return Cause::kNone;
  }

  std::optional<Clause> clause_of(const RawClause& raw) {
    Clause clause;
    const auto kind = static_cast<ClauseKind>(raw.kind);
    if (raw.kind > 4 || raw.kind == 3) return std::nullopt;
    clause.kind = kind;
    const auto try_begin = label_at(raw.try_begin, false);
    const auto try_end = label_at(int64_t{raw.try_begin} + raw.try_size, true);
    const auto handler_begin = label_at(raw.handler_begin, false);
    const auto handler_end = label_at(int64_t{raw.handler_begin} + raw.handler_size, true);
    if (!try_begin || !try_end || !handler_begin || !handler_end) return std::nullopt;
    clause.try_begin = *try_begin, clause.try_end = *try_end;
    clause.handler_begin = *handler_begin, clause.handler_end = *handler_end;
    if (kind == ClauseKind::kFilter) {
      const auto filter = label_at(raw.last, false);
      if (!filter) return std::nullopt;
      clause.filter = *filter;
    } else {
      clause.type_token = raw.last;
    }
    return clause;
  }

  uint32_t offset_of(size_t index) const {
    return index < body_.code.size() ? body_.code[index].origin : static_cast<uint32_t>(il_.size());
  }

  // The label of the instruction that begins there; at_end: or of the end.
  std::optional<Label> label_at(int64_t offset, bool at_end) {
    const auto found =
        std::lower_bound(body_.code.begin(), body_.code.end(), offset,
                         [](const Instruction& i, int64_t wanted) { return i.origin < wanted; });
    const auto index = static_cast<uint32_t>(found - body_.code.begin());
    if (offset != offset_of(index) || (index == body_.code.size() && !at_end)) return std::nullopt;
    Label& label = label_of_[index];
    if (label == kNoLabel) label = body_.add_label(index);
    return label;
  }

  Bytes bytes_, il_;
  Body& body_;
  std::vector<Label> label_of_;  // by index of the instruction
};

}  // namespace

Cause read_body(Bytes bytes, Body* body, size_t* size) { return BodyReader(bytes, *body).read(size); }

}  // namespace walkabout::il
