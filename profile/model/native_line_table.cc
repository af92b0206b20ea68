#include "profile/model/native_line_table.h"

#include <algorithm>

#include "profile/model/documents.h"

namespace walkabout::profile {
namespace {

constexpr size_t kDeepestCall = 1000;  // calls in each other that are shown; compilers make some tens
constexpr size_t kLongestDocument = 4096;

bool all_at_most(const std::vector<uint64_t>& column, uint64_t most) {
  return std::all_of(column.begin(), column.end(), [most](uint64_t value) { return value <= most; });
}

bool is_whole(const wire::NativeLines& r) {
  const size_t calls = r.function.size(), places = r.offset.size();
  if (r.parent.size() != calls || r.call_document.size() != calls || r.call_line.size() != calls ||
      r.call.size() != places || r.document.size() != places || r.line.size() != places)
    return false;
  for (size_t i = 0; i < calls; ++i) {
    if (r.function[i] == 0 || r.parent[i] > i) return false;  // a parent's number is below its own
  }
  return all_at_most(r.function, r.functions.size()) && all_at_most(r.call_document, r.documents.size()) &&
         all_at_most(r.document, r.documents.size()) && all_at_most(r.call, calls) &&
         all_at_most(r.call_line, UINT32_MAX) && all_at_most(r.line, UINT32_MAX) &&
         all_at_most(r.offset, UINT32_MAX) && std::is_sorted(r.offset.begin(), r.offset.end());
}

}  // namespace

void NativeLineTable::add(const wire::NativeLines& lines) {
  if (!is_whole(lines)) {
    ++left_out_;
    return;
  }
  Module& module = modules_[lines.module] = {lines, {}, {}, {}};
  for (wire::Document& document : module.lines.documents) {
    if (document.path.size() > kLongestDocument) document.path.clear();
  }
}

// Innermost first: each(called function, or 0 for the one whose code it is; document; line).
template <typename Each>
void NativeLineTable::for_each_frame(const wire::NativeLines& lines, size_t place, Each each) {
  uint64_t document = lines.document[place], line = lines.line[place];
  uint64_t call = lines.call[place];
  for (size_t deep = 0; call != 0 && deep < kDeepestCall; ++deep) {
    each(lines.function[call - 1], document, line);
    document = lines.call_document[call - 1];
    line = lines.call_line[call - 1];
    call = lines.parent[call - 1];
  }
  each(uint64_t{0}, document, line);
}

void NativeLineTable::find_spans(
    const std::function<uint64_t(base::CodeId module, uint32_t offset)>& function_at) {
  for (auto& each : modules_) {
    auto& module = each.second;
    const wire::NativeLines& lines = module.lines;
    module.inlined.clear(), module.own.clear(), module.function.clear();
    for (size_t i = 0; i < lines.offset.size(); ++i) {
      const uint64_t around = function_at(each.first, static_cast<uint32_t>(lines.offset[i]));
      module.function.push_back(around);
      for_each_frame(lines, i, [&](uint64_t function, uint64_t document, uint64_t line) {
        if (document == 0 || line == 0) return;
        Span& span = function == 0 ? module.own[around][document] : module.inlined[function][document];
        span.first = std::min(span.first, static_cast<uint32_t>(line));
        span.last = std::max(span.last, static_cast<uint32_t>(line));
      });
    }
  }
}

SourcePlace NativeLineTable::place_of(const Module& module, const Spans& spans, uint64_t function,
                                      uint64_t document, uint64_t line) {
  if (document == 0 || line == 0 || module.lines.documents[document - 1].path.empty()) return {};
  const wire::Document& of = module.lines.documents[document - 1];
  SourcePlace place{of.path, {static_cast<uint32_t>(line)}, true, 0, 0, of.hash};
  const auto known = spans.find(function);
  if (known == spans.end()) return place;
  if (const auto span = known->second.find(document); span != known->second.end())
    place.first = span->second.first, place.last = span->second.last;
  return place;
}

NativePlaces NativeLineTable::at(base::CodeId id, uint32_t offset) const {
  const auto found = modules_.find(id);
  if (found == modules_.end()) return {};
  const Module& module = found->second;
  const std::vector<uint64_t>& offsets = module.lines.offset;
  const auto at = std::lower_bound(offsets.begin(), offsets.end(), uint64_t{offset});
  if (at == offsets.end() || *at != offset) return {};
  const auto place = static_cast<size_t>(at - offsets.begin());
  NativePlaces places;
  for_each_frame(module.lines, place, [&](uint64_t function, uint64_t document, uint64_t line) {
    if (function != 0) {
      places.inlined.push_back({&module.lines.functions[function - 1],
                                place_of(module, module.inlined, function, document, line)});
      return;
    }
    const uint64_t around = place < module.function.size() ? module.function[place] : 0;
    places.own = place_of(module, module.own, around, document, line);
  });
  std::reverse(places.inlined.begin(), places.inlined.end());
  return places;
}

std::vector<SourceDocument> NativeLineTable::documents(const std::set<std::string>& paths) const {
  std::vector<SourceDocument> found;
  for (const auto& [id, module] : modules_) {
    add_documents(module.lines.documents, paths, found);
  }
  return found;
}

}  // namespace walkabout::profile
