#include "symbols/lines/source_lines.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "pdb/await_points.h"
#include "pdb/element_il.h"
#include "pdb/il_loops.h"
#include "pdb/light_il.h"
#include "pdb/source_link.h"
#include "recording/constants.h"
#include "wire/encode.h"

namespace walkabout::symbols {
namespace {

constexpr uint32_t kTokenRow = 0x00ffffff;
constexpr size_t kMostRecord = recording::kMaxRecordBytes - 8192;  // but for the record's own fields
constexpr size_t kDocumentBytes = 32;                              // of its fields' heads

wire::HashKind kind_of(pdb::HashAlgorithm algorithm) {
  if (algorithm == pdb::HashAlgorithm::kSha1) return wire::HashKind::kSha1;
  return algorithm == pdb::HashAlgorithm::kSha256 ? wire::HashKind::kSha256 : wire::HashKind::kUnknown;
}

// What one record may still take: of its own bytes, and of all records'.
class Room {
 public:
  explicit Room(LineBudget& budget) : budget_(budget) {}
  // False: there is none left for so much.
  bool take(size_t bytes) {
    if (bytes > left_) return false;
    left_ -= bytes;
    LineBudget::take(budget_.record_bytes, bytes);
    return true;
  }

 private:
  LineBudget& budget_;
  size_t left_ = kMostRecord;
};

// Gives documents their places in the record.
class Documents {
 public:
  Documents(const pdb::PortablePdb& pdb, std::vector<wire::Document>& to, LineBudget& budget, Room& room)
      : pdb_(pdb), to_(to), budget_(budget), room_(room), links_(text_of(pdb.source_link())) {}

  // 0: there is no such document, or no room for it.
  uint64_t place(uint32_t row) {
    const auto known = places_.find(row);
    if (known != places_.end()) return known->second;
    is_full_ = is_full_ || places_.size() >= kMostDocuments || budget_.bytes == 0;
    if (is_full_) return 0;
    uint64_t& place = places_[row];
    const std::optional<pdb::Document> document = pdb_.document(row);
    LineBudget::take(budget_.bytes, pdb_.name_size(row) + links_.cost());
    if (!document || document->path.empty()) return 0;
    wire::Document made{document->path, kind_of(document->algorithm), std::string(text_of(document->hash)),
                        links_.url_of(document->path)};
    is_full_ = !room_.take(made.path.size() + made.hash.size() + made.url.size() + kDocumentBytes);
    if (is_full_) return 0;
    to_.push_back(std::move(made));
    return place = to_.size();
  }
  // There was no room for one: what is of a place 0 is not known any more.
  bool is_full() const { return is_full_; }

 private:
  static std::string_view text_of(precompiled::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  const pdb::PortablePdb& pdb_;
  std::vector<wire::Document>& to_;
  LineBudget& budget_;
  Room& room_;
  const pdb::SourceLink links_;
  std::map<uint32_t, uint64_t> places_;  // by row; also of those that were none
  bool is_full_ = false;
};

// By sequence point; empty if all are 0.
std::vector<uint64_t> light_of(precompiled::Bytes il, const std::vector<uint64_t>& points,
                               const std::vector<pdb::Loop>& loops) {
  std::vector<uint64_t> light;
  pdb::ElementReads elements(il, loops);
  precompiled::Bytes before;
  for (size_t i = 0; i < points.size(); ++i) {
    const uint64_t end = i + 1 < points.size() ? points[i + 1] : il.size();
    if (end <= points[i]) continue;
    const precompiled::Bytes own = precompiled::part(il, points[i], end - points[i]);
    const pdb::Weight weight = elements.is_next(points[i], end) ? pdb::Weight::kStep : pdb::weight_of(own);
    const uint64_t value = static_cast<uint64_t>(weight) |
                           (pdb::begins_on_stack(std::exchange(before, own), own) ? wire::kBeginsOnStack : 0);
    if (value == 0) continue;
    light.resize(points.size());
    light[i] = value;
  }
  return light;
}

// Makes the record of one assembly, method by method.
class RecordMaker {
 public:
  RecordMaker(const AssemblyPdb& found, LineBudget& budget) : found_(found), budget_(budget) {}

  // Whether, and why, it has not all the lines that the PDB has.
  std::optional<LineLoss> add(uint32_t token) {
    const uint32_t row = token & kTokenRow;
    const size_t size = pdb_.points_size(row);
    if (size != 0 && budget_.is_used_up()) return LineLoss::kUsedUp;
    LineBudget::take(budget_.bytes, size);
    pdb::PointsLoss loss = pdb::PointsLoss::kNone;
    const std::vector<pdb::SequencePoint> points = pdb_.sequence_points(row, &loss);
    LineBudget::take(budget_.points, points.size());
    if (loss == pdb::PointsLoss::kTooMany) return LineLoss::kTooMany;
    if (loss == pdb::PointsLoss::kDamaged) return LineLoss::kDamaged;
    return points.empty() ? std::nullopt : add(token, points);
  }
  wire::SourceLines record;

 private:
  std::optional<LineLoss> add(uint32_t token, const std::vector<pdb::SequencePoint>& points) {
    wire::MethodLines lines;
    lines.token = token;
    bool one_document = true, all_known = true;
    for (const pdb::SequencePoint& point : points) {
      lines.il.push_back(point.il);
      lines.line.push_back(point.line);
      lines.document.push_back(documents_.place(point.document));
      one_document = one_document && lines.document.back() == lines.document.front();
      all_known = all_known && (point.line == 0 || lines.document.back() != 0);
    }
    if (!all_known && documents_.is_full()) return full();
    const precompiled::Bytes il = found_.il_of(token & kTokenRow);
    LineBudget::take(budget_.bytes, il.size());
    const std::vector<pdb::Loop> loops = pdb::loops_of(il);
    lines.light = light_of(il, lines.il, loops);
    for (const pdb::Loop& loop : loops) lines.loops.insert(lines.loops.end(), {loop.begin, loop.end});
    const precompiled::Bytes steps = pdb_.async_steps(token & kTokenRow);
    LineBudget::take(budget_.bytes, steps.size());
    if (!steps.empty()) lines.awaits = pdb::awaits_of(steps, il);
    if (one_document) lines.document.resize(1);
    if (!room_.take(encoded_size(lines))) return full();
    record.methods.push_back(std::move(lines));
    return all_known ? std::nullopt : std::optional(LineLoss::kDamaged);
  }
  LineLoss full() const { return budget_.is_used_up() ? LineLoss::kUsedUp : LineLoss::kRecordFull; }
  static size_t encoded_size(const wire::MethodLines& lines) {
    wire::SourceLines alone;
    alone.methods.push_back(lines);
    std::string bytes;
    wire::encode(alone, bytes);
    return bytes.size();
  }

  const AssemblyPdb& found_;
  const pdb::PortablePdb& pdb_ = *found_.pdb();
  LineBudget& budget_;
  Room room_{budget_};
  Documents documents_{pdb_, record.documents, budget_, room_};
};

}  // namespace

wire::SourceLines lines_of(const AssemblyHits& hits, const AssemblyPdb& found, LineBudget& budget,
                           LinesLeftOut& left_out) {
  RecordMaker maker(found, budget);
  maker.record.assembly = hits.assembly.id;
  maker.record.source = found.place();
  for (const uint32_t token : hits.methods) {
    if (const std::optional<LineLoss> loss = maker.add(token)) left_out.add(*loss, hits.assembly.path);
  }
  return std::move(maker.record);
}

LinesLeftOut source_lines(const std::vector<AssemblyHits>& hits, const FileRoot& root, LineBudget budget,
                          const std::function<void(const wire::SourceLines&)>& take) {
  LinesLeftOut left_out;
  for (const AssemblyHits& of : hits) {
    if (of.methods.empty()) continue;
    const bool too_late = budget.is_used_up();
    AssemblyPdb found(of.assembly, budget);
    found.look(root);
    if (found.pdb() != nullptr) {
      take(lines_of(of, found, budget, left_out));
      continue;
    }
    if (too_late) left_out.add(LineLoss::kUsedUp, of.assembly.path, of.methods.size());
    wire::SourceLines missing;
    missing.assembly = of.assembly.id;
    missing.found = false;
    take(missing);
  }
  return left_out;
}

}  // namespace walkabout::symbols
