#include "precompiled/ready_to_run.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "precompiled/method_instance.h"
#include "precompiled/native_format.h"
#include "precompiled/partition_point.h"

namespace walkabout::precompiled {
namespace {

constexpr uint32_t kReadyToRunSignature = 0x00525452;  // "RTR"
constexpr uint16_t kFirstMajor = 6, kFirstMinor = 3;
constexpr uint32_t kMostImageSections = 64;
constexpr size_t kMostInstances = 1 << 18;
constexpr uint32_t kComponent = 0x20;  // of a composite image

enum SectionType : uint32_t {
  kRuntimeFunctions = 102,
  kMethodEntryPoints = 103,
  kInstanceEntryPoints = 109,
  kManifestMetadata = 112,
  kHotColdMap = 120,
};

struct Section {
  uint32_t type = 0, rva = 0, size = 0;
};

}  // namespace

std::optional<ReadyToRun> ReadyToRun::read(const PeFile& image) {
  const Bytes header = image.native_header();
  const auto major = load<uint16_t>(header, 4), minor = load<uint16_t>(header, 6);
  const auto flags = load<uint32_t>(header, 8), sections = load<uint32_t>(header, 12);
  if (load<uint32_t>(header, 0) != kReadyToRunSignature || !sections || *sections > kMostImageSections)
    return std::nullopt;
  if (std::pair(*major, *minor) < std::pair(kFirstMajor, kFirstMinor) || (*flags & kComponent) != 0)
    return std::nullopt;
  ReadyToRun code;
  Bytes methods, instances, cold;
  for (uint32_t i = 0; i < *sections; ++i) {
    const auto section = load<Section>(header, 16 + uint64_t{i} * sizeof(Section));
    if (!section) return std::nullopt;
    const Bytes bytes = image.at(section->rva, section->size);
    if (section->type == kRuntimeFunctions) code.functions_ = bytes;
    if (section->type == kMethodEntryPoints) methods = bytes;
    if (section->type == kInstanceEntryPoints) instances = bytes;
    if (section->type == kManifestMetadata) code.manifest_ = bytes;
    if (section->type == kHotColdMap) cold = bytes;
  }
  if (code.functions() == 0) return std::nullopt;
  // Pairs of a cold part and its method, the cold parts in order.
  code.hot_functions_ = std::min(load<uint32_t>(cold, 0).value_or(code.functions()), code.functions());
  code.add_methods(methods);
  code.add_instances(instances);
  code.sort();
  return code;
}

void ReadyToRun::add_methods(Bytes bytes) {
  const NativeArray array(bytes);
  for (uint32_t i = 0; i < array.size(); ++i) {
    const std::optional<uint64_t> offset = array.find(i);
    if (!offset) continue;
    EntryPoint entry;
    entry.method = i + 1;
    whole_ = add(bytes, *offset, entry) && whole_;
  }
}

void ReadyToRun::add_instances(Bytes bytes) {
  size_t count = 0;
  const bool all = for_each_hashed(bytes, [&](uint64_t offset) {
    EntryPoint entry;
    entry.instance = from(bytes, offset);
    size_t size = 0;
    const bool read = ++count <= kMostInstances && read_method_instance(entry.instance, &size);
    entry.instance = entry.instance.first(size);
    whole_ = read && add(bytes, offset + size, entry) && whole_;
  });
  whole_ = whole_ && all;
}

// The function's number, and whether fixups follow it, which need not interest us.
bool ReadyToRun::add(Bytes bytes, uint64_t offset, EntryPoint entry) {
  NativeCursor cursor(bytes, offset);
  const uint32_t id = cursor.number();
  entry.function = (id & 1) != 0 ? id >> 2 : id >> 1;
  if (!cursor.ok() || entry.function >= hot_functions_) return false;
  entries_.push_back(entry);
  return true;
}

void ReadyToRun::sort() {
  std::sort(entries_.begin(), entries_.end(),
            [](const EntryPoint& a, const EntryPoint& b) { return a.function < b.function; });
  for (size_t i = 1; i < entries_.size(); ++i) {
    if (entries_[i].function == entries_[i - 1].function)
      entries_[i].certain = entries_[i - 1].certain = false;
  }
}

Function ReadyToRun::function(uint32_t index) const {
  return load<Function>(functions_, uint64_t{index} * kFunctionSize).value_or(Function());
}

std::optional<ReadyToRun::Found> ReadyToRun::find(uint32_t rva) const {
  const uint32_t first =
      partition_point(0, functions(), [&](uint32_t index) { return function(index).begin <= rva; });
  if (first == 0 || first > hot_functions_) return std::nullopt;
  const uint32_t index = first - 1;
  const Function found = function(index);
  if (rva < found.begin || rva >= found.end) return std::nullopt;
  const auto after =
      std::upper_bound(entries_.begin(), entries_.end(), index,
                       [](uint32_t at, const EntryPoint& entry) { return at < entry.function; });
  if (after == entries_.begin()) return std::nullopt;
  const EntryPoint& entry = *std::prev(after);
  if (!entry.certain || (!whole_ && entry.function != index)) return std::nullopt;
  return Found{found, &entry};
}

}  // namespace walkabout::precompiled
