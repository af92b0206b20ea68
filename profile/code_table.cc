#include "profile/code_table.h"

#include <algorithm>
#include <iterator>

namespace walkabout::profile {
namespace {

template <typename Map>
auto* find(Map& map, const typename Map::key_type& key) {
  const auto it = map.find(key);
  return it == map.end() ? nullptr : &it->second;
}

template <typename Range>
const Range* covering(const std::vector<Range>& sorted, uint32_t offset) {
  const auto after = std::upper_bound(sorted.begin(), sorted.end(), offset,
                                      [](uint32_t at, const Range& range) { return at < range.begin; });
  if (after == sorted.begin()) return nullptr;
  const Range& range = *std::prev(after);
  return offset < range.end ? &range : nullptr;
}

// A caller that returns to a function's first byte was not called from there (a signal frame): then take the
// byte.
template <typename Range>
const Range* covering(const std::vector<Range>& sorted, uint32_t offset, Role role) {
  if (role == Role::kCaller && offset > 0) {
    if (const Range* range = covering(sorted, offset - 1)) return range;
  }
  return covering(sorted, offset);
}

template <typename Range>
void sort_by_begin(std::vector<Range>& ranges) {
  std::stable_sort(ranges.begin(), ranges.end(),
                   [](const Range& a, const Range& b) { return a.begin < b.begin; });
}

}  // namespace

void CodeTable::sort() {
  for (auto& [code, ranges] : ranges_) sort_by_begin(ranges);
  for (auto& [code, symbols] : symbols_) sort_by_begin(symbols.symbols);
}

const wire::Module* CodeTable::module(base::CodeId code) const { return find(modules_, code); }
const wire::NativeSymbols* CodeTable::symbols(base::CodeId code) const { return find(symbols_, code); }
const wire::Method* CodeTable::method_by_id(base::MethodId id) const { return find(methods_, id); }

const wire::Method* CodeTable::method(wire::Frame frame, Role role) const {
  if (frame.kind() == wire::FrameKind::kJitted) {
    const base::MethodId* id = find(jit_codes_, frame.code());
    return id == nullptr ? nullptr : method_by_id(*id);
  }
  if (frame.kind() != wire::FrameKind::kReadyToRun) return nullptr;
  const auto* ranges = find(ranges_, frame.code());
  if (ranges == nullptr) return nullptr;
  const wire::MethodRange* range = covering(*ranges, frame.offset(), role);
  return range == nullptr ? nullptr : method_by_id(range->method);
}

const wire::NativeSymbol* CodeTable::symbol(wire::Frame frame, Role role) const {
  if (frame.kind() != wire::FrameKind::kNative) return nullptr;
  const wire::NativeSymbols* symbols = find(symbols_, frame.code());
  return symbols == nullptr ? nullptr : covering(symbols->symbols, frame.offset(), role);
}

}  // namespace walkabout::profile
