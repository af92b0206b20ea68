#include "agent/core/il_maps.h"

#include <algorithm>

#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kUsualEntries = 512;
constexpr uint32_t kMostEntries = 1 << 16;
constexpr uint32_t kMostStarts = 64;  // compiled versions of one method

using Entry = clr::COR_DEBUG_IL_TO_NATIVE_MAP;

// CorDebugIlToNativeMappingTypes of cordebug.h.
constexpr uint32_t kNoMapping = 0xffffffff, kProlog = 0xfffffffe, kEpilog = 0xfffffffd;

uint64_t place_of(uint32_t il) {
  if (il == kProlog) return wire::kIlProlog;
  if (il == kEpilog) return wire::kIlEpilog;
  return il == kNoMapping ? wire::kIlNone : wire::kIlFirst + il;
}

// The CLR has them by their IL, some without code. Code between the end of one and the next is of no IL.
void fill(std::vector<Entry>& entries, wire::IlMap* map) {
  std::erase_if(entries, [](const Entry& e) { return e.nativeEndOffset <= e.nativeStartOffset; });
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.nativeStartOffset != b.nativeStartOffset ? a.nativeStartOffset < b.nativeStartOffset
                                                      : a.nativeEndOffset < b.nativeEndOffset;
  });
  const auto add = [map](uint64_t native, uint64_t il) {
    if (!map->native.empty() && map->native.back() == native) {
      map->il.back() = il;
    } else {
      map->native.push_back(native);
      map->il.push_back(il);
    }
  };
  for (size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    add(entry.nativeStartOffset, place_of(entry.ilOffset));
    const bool is_last = i + 1 == entries.size();
    if (is_last || entries[i + 1].nativeStartOffset > entry.nativeEndOffset)
      add(entry.nativeEndOffset, wire::kIlNone);
  }
}

}  // namespace

IlMaps::IlMaps(CodeRegistry& registry, clr::ICorProfilerInfo2* info)
    : registry_(registry), info_(clr::ComPtr<clr::ICorProfilerInfo2>(info).query<clr::ICorProfilerInfo9>()) {}

void IlMaps::want(const CompiledMethod& method) {
  if (!info_ || method.name != nullptr || method.start == 0) return;
  if (known_code_.insert(method.code.value).second)
    wanted_.push_back({method.code, method.function, method.start, 0});
}

void IlMaps::want(base::CodeId module, uint64_t base, uint64_t address, clr::FunctionID function) {
  if (info_) wanted_.push_back({module, function, address, base});
}

void IlMaps::emit(size_t most, std::string* out) {
  for (; most > 0 && !wanted_.empty(); --most) {
    const Wanted wanted = wanted_.front();
    wanted_.pop_front();
    if (!lives(wanted)) {
      ++refused_;
      continue;
    }
    const uint64_t start = wanted.base == 0 ? wanted.start : start_of(wanted);
    if (wanted.base != 0 && start != 0 && !known_starts_.insert(start).second) continue;  // a funclet of it
    wire::IlMap map;
    map.code = wanted.code;
    map.begin = static_cast<uint32_t>(wanted.base == 0 ? 0 : start - wanted.base);
    if (start != 0 && read(start, &map))
      wire::encode(map, *out);
    else
      ++refused_;
  }
}

bool IlMaps::lives(const Wanted& wanted) const {
  if (wanted.base == 0) return registry_.knows_compiled_method(wanted.start, wanted.function);
  const unwind::ReaderGate::Reader inside(registry_.gate());
  const unwind::Image* image = registry_.images().find(wanted.start);
  return image != nullptr && image->code == wanted.code;
}

uint64_t IlMaps::start_of(const Wanted& wanted) {
  starts_.resize(kMostStarts);
  uint32_t count = 0;
  if (clr::failed(
          info_->GetNativeCodeStartAddresses(wanted.function, 0, kMostStarts, &count, starts_.data())))
    return 0;
  uint64_t start = 0;
  for (uint32_t i = 0; i < std::min(count, kMostStarts); ++i) {
    if (starts_[i] >= wanted.base && starts_[i] <= wanted.start)
      start = std::max<uint64_t>(start, starts_[i]);
  }
  return start;
}

bool IlMaps::read(uint64_t start, wire::IlMap* map) {
  entries_.resize(kUsualEntries);
  uint32_t count = 0;
  for (;;) {
    const auto room = static_cast<uint32_t>(entries_.size());
    if (clr::failed(info_->GetILToNativeMapping3(start, room, &count, entries_.data())) || count == 0)
      return false;
    if (count <= room) break;
    if (count > kMostEntries) return false;
    entries_.resize(count);
  }
  entries_.resize(count);
  fill(entries_, map);
  return !map->native.empty();
}

}  // namespace walkabout::agent
