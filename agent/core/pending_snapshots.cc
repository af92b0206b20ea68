#include "agent/core/pending_snapshots.h"

#include <algorithm>
#include <cstring>

#include "base/clock.h"
#include "clr/abi/hresults.h"

namespace walkabout::agent {
namespace {

// Walks for the sake of classes, before what they leave open is left open.
constexpr int kMostTries = 4;
constexpr uint64_t kWord = 8;
// A MethodTable of .NET 8, from its start (methodtable.h): flags with the size of an element, the size
// without elements, the parent. Behind an object's first word stands how many elements it has.
constexpr uint32_t kHasElements = 0x80000000, kElementSize = 0xffff;
constexpr uint64_t kFlagsAt = 0, kSizeAt = 4, kParentAt = 16, kCountAt = 8;
constexpr uint64_t kLeastObject = 24;

template <typename T>
T load(uint64_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const void*>(address), sizeof value);
  return value;
}

clr::BOOL look_at(clr::ObjectID object, void* walk) {
  return static_cast<PendingWalk*>(walk)->look(object) ? 1 : 0;
}

// 0: no object can be there.
uint64_t size_of(uint64_t object, uint64_t method_table) {
  const auto flags = load<uint32_t>(method_table + kFlagsAt);
  uint64_t size = load<uint32_t>(method_table + kSizeAt);
  if ((flags & kHasElements) != 0) size += uint64_t{flags & kElementSize} * load<uint32_t>(object + kCountAt);
  size = (size + kWord - 1) & ~(kWord - 1);
  return size < kLeastObject ? 0 : size;
}

}  // namespace

[[gnu::cold]] PendingSnapshots::PendingSnapshots(const Parts& parts)
    : parts_(parts), walk_(parts.learner.knowledge().types) {
  void* object = nullptr;
  if (!clr::failed(parts.info->QueryInterface(clr::ICorProfilerInfo15::kIid, &object)))
    info15_ = clr::ComPtr<clr::ICorProfilerInfo15>::adopt(static_cast<clr::ICorProfilerInfo15*>(object));
  // Not in a callback at a collection's end: a handle would be made in the middle of the collector's work.
  if (parts.follows && is_free()) followed_ = std::make_unique<FollowedBoxes>(parts.info);
}

PendingSnapshots::Progress PendingSnapshots::take() {
  if (tries_ == 0) longest_ns_ = 0;
  const Progress progress = is_free() ? stop_and_walk() : ride();
  if (progress != Progress::kTaken) return progress;
  if (pause_ns_ > longest_ns_) {
    longest_ns_ = pause_ns_;
    longest_cpu_ns_ = cpu_ns_;
  }
  pause_ns_ = longest_ns_;
  cpu_ns_ = longest_cpu_ns_;
  return taken();
}

// Where objects had classes that nobody had told of, and that matter, it is to be done again.
PendingSnapshots::Progress PendingSnapshots::taken() {
  if (followed_ != nullptr) followed_->sweep();
  const bool again = parts_.attached && learn_classes() && ++tries_ < kMostTries;
  if (again) return is_free() ? take() : Progress::kWaits;
  tries_ = 0;
  return Progress::kTaken;
}

PendingSnapshots::Progress PendingSnapshots::stop_and_walk() {
  if (!parts_.collections.none_under_way()) return Progress::kWaits;
  walk_.begin();
  const uint64_t begun_ns = base::monotonic_ns(), begun_cpu_ns = base::thread_cpu_ns();
  if (clr::failed(info15_->SuspendRuntime())) return Progress::kWaits;  // others stop them just now
  // One may have begun meanwhile; from here on none begins.
  const bool rests = parts_.collections.none_under_way();
  clr::HRESULT answer = clr::S_OK;
  if (rests) {
    time_ns_ = base::monotonic_ns();
    walk_.end_at(time_ns_ + parts_.longest_pause_ns);
    answer = info15_->EnumerateGCHeapObjects(look_at, &walk_);
    walk_.finish();
    if (followed_ != nullptr) followed_->note(walk_.found(), time_ns_, time_ns_ + parts_.longest_pause_ns);
    choose_classes();
  }
  info15_->ResumeRuntime();
  pause_ns_ = base::monotonic_ns() - begun_ns;
  cpu_ns_ = base::thread_cpu_ns() - begun_cpu_ns;
  if (!rests) return Progress::kWaits;
  return clr::failed(answer) ? Progress::kRefused : Progress::kTaken;
}

PendingSnapshots::Progress PendingSnapshots::ride() {
  switch (ride_.load(std::memory_order_acquire)) {  // partner: collection_finished()
    case Ride::kNone:
      walk_.begin();
      ride_.store(Ride::kAsked, std::memory_order_release);  // partner: collection_finished()
      return Progress::kWaits;
    case Ride::kAsked:
    case Ride::kUnderWay:
      return Progress::kWaits;
    case Ride::kDone:
      ride_.store(Ride::kNone, std::memory_order_relaxed);
      return Progress::kTaken;
  }
  return Progress::kRefused;
}

void PendingSnapshots::stop() {
  Ride asked = Ride::kAsked;
  ride_.compare_exchange_strong(asked, Ride::kNone, std::memory_order_relaxed);
}

void PendingSnapshots::collection_finished() {
  Ride asked = Ride::kAsked;
  if (!ride_.compare_exchange_strong(asked, Ride::kUnderWay, std::memory_order_acquire)) return;
  const uint64_t begun_cpu_ns = base::thread_cpu_ns();
  time_ns_ = base::monotonic_ns();
  walk_.end_at(time_ns_ + parts_.longest_pause_ns);
  walk_ranges();
  walk_.finish();
  choose_classes();
  pause_ns_ = base::monotonic_ns() - time_ns_;
  cpu_ns_ = base::thread_cpu_ns() - begun_cpu_ns;
  ride_.store(Ride::kDone, std::memory_order_release);  // partner: ride()
}

void PendingSnapshots::walk_ranges() {
  uint32_t count = 0;
  if (clr::failed(parts_.info->GetGenerationBounds(kMostRanges, &count, &ranges_[0])))
    return walk_.is_not_whole();
  if (count > kMostRanges) walk_.is_not_whole();
  for (uint32_t i = 0; i < std::min<uint32_t>(count, kMostRanges); ++i) {
    const uint64_t end = ranges_[i].rangeStart + ranges_[i].rangeLength;
    uint64_t size = 0;
    for (uint64_t object = ranges_[i].rangeStart; object + kLeastObject <= end; object += size) {
      const auto method_table = load<uint64_t>(object);
      size = method_table == 0 || method_table % kWord != 0 ? 0 : size_of(object, method_table);
      if (size == 0 || size > end - object) {
        walk_.is_not_whole();
        break;
      }
      // What has no parent is System.Object, or no class: free memory.
      if (load<uint64_t>(method_table + kParentAt) == 0) continue;
      if (!walk_.look(object)) return;
    }
  }
}

// Which of the classes stay: what is of a collectible module may be gone as soon as threads run. While its
// objects are there, so is the class. (GetClassIDInfo2 takes no lock of the runtime's.)
void PendingSnapshots::choose_classes() {
  if (!parts_.attached) return;
  unloads_ = parts_.learner.unloads();
  const std::span<const uint64_t> classes = walk_.classes();
  for (size_t i = 0; i < classes.size(); ++i) lives_[i] = parts_.learner.lives_on(classes[i]) ? 1 : 0;
}

// Whether there was something to learn.
bool PendingSnapshots::learn_classes() {
  const std::span<const uint64_t> classes = walk_.classes();
  parts_.learner.found(classes, {&lives_[0], classes.size()}, unloads_);
  return parts_.learner.learn(base::monotonic_ns()) != 0;
}

}  // namespace walkabout::agent
