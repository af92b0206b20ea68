#include "symbols/lines/source_lines.h"

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "pdb/il_loops.h"
#include "pdb/light_il.h"
#include "pdb/source_link.h"

namespace walkabout::symbols {
namespace {

constexpr uint32_t kTokenRow = 0x00ffffff;
constexpr size_t kMostPoints = 2'000'000;  // of one assembly: its record has a bound (recording/format.md)
constexpr size_t kMostDocuments = 20'000;

wire::HashKind kind_of(pdb::HashAlgorithm algorithm) {
  if (algorithm == pdb::HashAlgorithm::kSha1) return wire::HashKind::kSha1;
  return algorithm == pdb::HashAlgorithm::kSha256 ? wire::HashKind::kSha256 : wire::HashKind::kUnknown;
}

// Gives documents their places in the record.
class Documents {
 public:
  Documents(const pdb::PortablePdb& pdb, std::vector<wire::Document>& to)
      : pdb_(pdb), to_(to), links_(text_of(pdb.source_link())) {}

  // 0: there is no such document, or no room for it.
  uint64_t place(uint32_t row) {
    const auto [known, fresh] = places_.try_emplace(row, 0);
    if (!fresh) return known->second;
    const std::optional<pdb::Document> document = pdb_.document(row);
    if (!document || document->path.empty() || to_.size() >= kMostDocuments) return 0;
    to_.push_back({document->path, kind_of(document->algorithm), std::string(text_of(document->hash)),
                   links_.url_of(document->path)});
    return known->second = to_.size();
  }

 private:
  static std::string_view text_of(precompiled::Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  const pdb::PortablePdb& pdb_;
  std::vector<wire::Document>& to_;
  const pdb::SourceLink links_;
  std::map<uint32_t, uint64_t> places_;
};

// By sequence point; empty if none is light.
std::vector<uint64_t> light_of(precompiled::Bytes il, const std::vector<uint64_t>& points) {
  std::vector<uint64_t> light;
  for (size_t i = 0; i < points.size(); ++i) {
    const uint64_t end = i + 1 < points.size() ? points[i + 1] : il.size();
    if (end <= points[i]) continue;
    const pdb::Weight weight = pdb::weight_of(precompiled::part(il, points[i], end - points[i]));
    if (weight == pdb::Weight::kAny) continue;
    light.resize(points.size());
    light[i] = static_cast<uint64_t>(weight);
  }
  return light;
}

}  // namespace

wire::SourceLines lines_of(const AssemblyHits& hits, const AssemblyPdb& found) {
  const pdb::PortablePdb& pdb = *found.pdb();
  wire::SourceLines record;
  record.assembly = hits.assembly.id;
  record.source = found.place();
  Documents documents(pdb, record.documents);
  size_t points = 0;
  for (const uint32_t token : hits.methods) {
    wire::MethodLines lines;
    lines.token = token;
    bool one_document = true;
    for (const pdb::SequencePoint& point : pdb.sequence_points(token & kTokenRow)) {
      lines.il.push_back(point.il);
      lines.line.push_back(point.line);
      lines.document.push_back(documents.place(point.document));
      one_document = one_document && lines.document.back() == lines.document.front();
    }
    if (lines.il.empty()) continue;
    const precompiled::Bytes il = found.il_of(token & kTokenRow);
    lines.light = light_of(il, lines.il);
    for (const pdb::Loop& loop : pdb::loops_of(il))
      lines.loops.insert(lines.loops.end(), {loop.begin, loop.end});
    if ((points += lines.il.size()) > kMostPoints) break;
    if (one_document) lines.document.resize(1);
    record.methods.push_back(std::move(lines));
  }
  return record;
}

std::vector<wire::SourceLines> source_lines(const std::vector<AssemblyHits>& hits, const FileRoot& root) {
  std::vector<wire::SourceLines> records;
  for (const AssemblyHits& of : hits) {
    if (of.methods.empty()) continue;
    AssemblyPdb found(of.assembly);
    found.look(root);
    if (found.pdb() != nullptr) {
      records.push_back(lines_of(of, found));
      continue;
    }
    wire::SourceLines missing;
    missing.assembly = of.assembly.id;
    missing.found = false;
    records.push_back(std::move(missing));
  }
  return records;
}

}  // namespace walkabout::symbols
