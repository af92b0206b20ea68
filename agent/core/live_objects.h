// Objects of the program that are followed for as long as they exist: a weak handle each, which the runtime
// empties when it collects the object. A bound is kept by giving up every second one, by chance.
//
// follow(), forget(): the thread that allocates, in the middle of the runtime; no lock, no allocation of
// ours, no wait. sweep(), halve(), end(): one thread at a time. Source of handles: ICorProfilerInfo13;
// measured on .NET 8, 9 and 10: CreateHandle works inside an allocation's event, and the others on a native
// thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "agent/shared/pages.h"
#include "clr/abi/info.h"

namespace walkabout::agent {

class LiveObjects {
 public:
  static constexpr size_t kMost = 50'000;

  LiveObjects() : entries_(kEntries) {}
  // info stays valid until the last call.
  void begin(clr::ICorProfilerInfo13* info) { info_ = info; }

  // Numbers begin at 1, and none is used twice.
  struct Followed {
    size_t entry = 0;
    uint64_t number = 0;
  };
  // None where there is no room, or it has ended.
  std::optional<Followed> follow(clr::ObjectID object);
  void forget(const Followed& followed);

  size_t count() const { return count_.load(std::memory_order_relaxed); }
  // Adds the numbers of those that were collected, and follows them no more.
  void sweep(std::vector<uint64_t>& gone);
  // The same of every second one. random: evenly distributed.
  void halve(uint64_t random, std::vector<uint64_t>& gone);
  // Gives all handles back; nothing is followed from here on.
  void end();

 private:
  static constexpr size_t kEntries = 65'536;
  static constexpr size_t kTries = 64;  // of entries, for one that is free
  static constexpr uint64_t kFree = 0, kClaimed = 1;
  struct Entry {
    std::atomic<uint64_t> handle;  // kFree, kClaimed, or an ObjectHandleID
    std::atomic<uint64_t> number;  // of who has the handle
  };

  bool is_gone(uint64_t handle) const;
  // If it still has this handle, and this number.
  bool let_go(Entry& entry, uint64_t handle, uint64_t number);

  clr::ICorProfilerInfo13* info_ = nullptr;
  PagedArray<Entry> entries_;
  std::atomic<size_t> next_{0};
  std::atomic<uint64_t> numbers_{0};
  std::atomic<size_t> count_{0};
  std::atomic<bool> ended_{false};
};

}  // namespace walkabout::agent
