#include "profile/model/code_table.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace walkabout::profile {
namespace {

template <typename Map>
auto* find(Map& map, const typename Map::key_type& key) {
  const auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

uint64_t method_key(const wire::MethodRange& r) { return uint64_t{r.module.value} << 32 | r.method.value; }

template <typename Range>
const Range* covering(const std::vector<Range>& sorted, uint32_t offset) {
  const auto after = std::upper_bound(sorted.begin(), sorted.end(), offset,
                                      [](uint32_t at, const Range& range) { return at < range.begin; });
  if (after == sorted.begin()) return nullptr;
  const Range& range = *std::prev(after);
  return offset < range.end ? &range : nullptr;
}

// The last byte of the call.
uint32_t place_of(wire::Frame frame, Role role) {
  return frame.offset() - (role != Role::kLeaf && frame.offset() > 0 ? 1 : 0);
}

// A caller that returns to a function's first byte was not called from there (a signal frame): then take the
// byte.
template <typename Range>
const Range* covering(const std::vector<Range>& sorted, uint32_t offset, Role role) {
  if (role != Role::kLeaf && offset > 0) {
    if (const Range* range = covering(sorted, offset - 1)) return range;
  }
  return covering(sorted, offset);
}

// It may be the other one as well.
void add_other(const SourcePlace& other, SourcePlace& place) {
  if (other == place) return;
  place.sure = false;
  if (other.file != place.file) return;
  place.lines.insert(place.lines.end(), other.lines.begin(), other.lines.end());
  std::sort(place.lines.begin(), place.lines.end());
  place.lines.erase(std::unique(place.lines.begin(), place.lines.end()), place.lines.end());
}

template <typename Range>
void sort_by_begin(std::vector<Range>& ranges) {
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

CodeKind kind_of(bool optimized, Role role) {
  if (!optimized) return role == Role::kCaller ? CodeKind::kPlainCall : CodeKind::kPlain;
  return role == Role::kCaller ? CodeKind::kOptimizedCall : CodeKind::kOptimized;
}

}  // namespace

void CodeTable::sort() {
  for (auto& [code, ranges] : ranges_) {
    sort_by_begin(ranges);
    for (const wire::MethodRange& r : ranges) method_begins_.try_emplace(method_key(r), r.begin);
  }
  for (auto& [code, symbols] : symbols_) sort_by_begin(symbols.symbols);
  lines_.sort();
  native_lines_.find_spans([this](base::CodeId code, uint32_t offset) -> uint64_t {
    const wire::NativeSymbol* symbol =
        this->symbol(wire::Frame::in_code(wire::FrameKind::kNative, code, offset), Role::kLeaf);
    return symbol == nullptr ? 0 : uint64_t{symbol->begin} + 1;
  });
}

const wire::Module* CodeTable::module(base::CodeId code) const { return find(modules_, code); }
const wire::NativeSymbols* CodeTable::symbols(base::CodeId code) const { return find(symbols_, code); }
const wire::Method* CodeTable::method_by_id(base::MethodId id) const { return find(methods_, id); }

const wire::MethodRange* CodeTable::range_of(wire::Frame frame, Role role) const {
  const auto* ranges = find(ranges_, frame.code());
  return ranges == nullptr ? nullptr : covering(*ranges, frame.offset(), role);
}

const wire::Method* CodeTable::method(wire::Frame frame, Role role) const {
  if (frame.kind() == wire::FrameKind::kJitted) {
    const wire::JitCode* code = find(jit_codes_, frame.code());
    return code == nullptr ? nullptr : method_by_id(code->method);
  }
  if (frame.kind() != wire::FrameKind::kReadyToRun) return nullptr;
  const wire::MethodRange* range = range_of(frame, role);
  return range == nullptr ? nullptr : method_by_id(range->method);
}

bool CodeTable::is_funclet(wire::Frame frame, Role role) const {
  if (frame.kind() == wire::FrameKind::kJitted) {
    const wire::JitCode* code = find(jit_codes_, frame.code());
    return code != nullptr && code->main_size != 0 && place_of(frame, role) >= code->main_size;
  }
  if (frame.kind() != wire::FrameKind::kReadyToRun) return false;
  const wire::MethodRange* range = range_of(frame, role);
  if (range == nullptr) return false;
  const uint32_t* begin = find(method_begins_, method_key(*range));
  return begin != nullptr && range->begin != *begin;
}

// What nobody knows of may be optimized.
bool CodeTable::is_optimized(wire::Tier tier) {
  return tier != wire::Tier::kTier0 && tier != wire::Tier::kTier0Instrumented && tier != wire::Tier::kMinOpts;
}

// A method of an async stack, which stands for no machine code (recording/format.md).
bool CodeTable::is_awaiter(wire::Frame frame) const {
  if (frame.kind() != wire::FrameKind::kJitted) return false;
  const wire::JitCode* code = find(jit_codes_, frame.code());
  return code != nullptr && code->start == 0 && code->size == 0 && code->method.value != 0;
}

SourcePlace CodeTable::place(wire::Frame frame, Role role) const {
  const wire::Method* of = method(frame, role);
  if (of == nullptr) return {};
  if (is_awaiter(frame)) return lines_.place_of_await(*of, frame.offset());
  const bool optimized =
      frame.kind() != wire::FrameKind::kJitted || is_optimized(find(jit_codes_, frame.code())->tier);
  const CodeKind kind = kind_of(optimized, role);
  const auto at = [&](uint32_t offset) { return lines_.place(frame.code(), offset, *of, kind); };
  SourcePlace place = at(place_of(frame, role));
  // Of optimized code a tick that stands on a statement's first byte may be of what was done just before.
  const bool may_be_before = role == Role::kLeaf && optimized && frame.offset() > 0;
  if (role == Role::kCallerOfNative)
    add_other(at(frame.offset()), place);
  else if (may_be_before && method(frame, Role::kCaller) == of)
    add_other(at(frame.offset() - 1), place);
  return place;
}

std::vector<InlinedCall> CodeTable::inlined_calls(wire::Frame frame, Role role) const {
  if (frame.kind() != wire::FrameKind::kJitted) return {};
  return inlined_.calls(frame.code(), place_of(frame, role));
}

SourcePlace CodeTable::place_of_site(const InlinedCall& call, const wire::Method& in) const {
  return call.site == 0 ? SourcePlace() : lines_.place_of_il(in, call.site - 1);
}

SourcePlace CodeTable::place_in(const InlinedCall& innermost, wire::Frame frame, Role role) const {
  const wire::Method* of = method_by_id(innermost.method);
  if (of == nullptr) return {};
  const auto at = [&](uint32_t offset) {
    return lines_.place_in_call(frame.code(), innermost.number, offset, *of, kind_of(true, role));
  };
  SourcePlace place = at(place_of(frame, role));
  if (role == Role::kCaller || frame.offset() == 0) return place;
  // As place().
  const uint32_t other = frame.offset() - (role == Role::kLeaf ? 1 : 0);
  const std::vector<InlinedCall> there = inlined_.calls(frame.code(), other);
  if (!there.empty() && there.back() == innermost) add_other(at(other), place);
  return place;
}

NativePlaces CodeTable::native_places(wire::Frame frame, Role role) const {
  return frame.kind() == wire::FrameKind::kNative ? native_lines_.at(frame.code(), place_of(frame, role))
                                                  : NativePlaces();
}

std::vector<SourceDocument> CodeTable::documents(const std::set<std::string>& paths) const {
  std::vector<SourceDocument> all = lines_.documents(paths);
  for (SourceDocument& document : native_lines_.documents(paths)) all.push_back(std::move(document));
  return all;
}

wire::Tier CodeTable::tier(wire::Frame frame) const {
  if (frame.kind() == wire::FrameKind::kReadyToRun) return wire::Tier::kReadyToRun;
  const wire::JitCode* code =
      frame.kind() == wire::FrameKind::kJitted ? find(jit_codes_, frame.code()) : nullptr;
  return code == nullptr ? wire::Tier::kUnknown : code->tier;
}

const wire::NativeSymbol* CodeTable::symbol(wire::Frame frame, Role role) const {
  if (frame.kind() != wire::FrameKind::kNative) return nullptr;
  const wire::NativeSymbols* symbols = find(symbols_, frame.code());
  return symbols == nullptr ? nullptr : covering(symbols->symbols, frame.offset(), role);
}

}  // namespace walkabout::profile
