#include "unwind/code/jit_map.h"

#include <algorithm>

#include "base/hot.h"

namespace walkabout::unwind {
namespace {
constexpr uint32_t kTail = 128;
}

// `begins` repeats the regions' begins so that a search touches few cache lines.
struct JitMap::Snapshot {
  std::vector<uint64_t> begins;
  std::vector<JitRegion> regions;
  std::atomic<uint32_t> tail_size{0};
  JitRegion tail[kTail];
};

struct JitMap::Retired {
  Snapshot* snapshot;
  ReaderGate::Grace grace;
};

JitMap::JitMap(ReaderGate& gate) : gate_(gate), current_(new Snapshot) {}

JitMap::~JitMap() {
  delete current_.load();
  for (Retired& r : retired_) delete r.snapshot;
}

WALKABOUT_HOT const JitRegion* JitMap::find(uint64_t pc) const {
  // acquire: partner of the release in replace(); and of the tail's in publish().
  const Snapshot* s = current_.load(std::memory_order_acquire);
  for (uint32_t i = s->tail_size.load(std::memory_order_acquire); i-- > 0;) {
    const JitRegion& p = s->tail[i];
    if (pc - p.begin < p.size && p.code.load(std::memory_order_relaxed) != 0) return &p;
  }
  const auto at = std::upper_bound(s->begins.begin(), s->begins.end(), pc);
  if (at == s->begins.begin()) return nullptr;
  const JitRegion& p = s->regions[static_cast<size_t>(at - s->begins.begin()) - 1];
  return pc - p.begin < p.size && p.code.load(std::memory_order_relaxed) != 0 ? &p : nullptr;
}

uint64_t JitMap::end_below(uint64_t pc) const {
  const Snapshot* s = current_.load(std::memory_order_acquire);  // as in find()
  uint64_t end = 0;
  const auto take = [pc, &end](const JitRegion& p) {
    const bool counts = p.begin <= pc && p.code.load(std::memory_order_relaxed) != 0;
    if (counts) end = std::max(end, p.end());
    return counts;
  };
  for (uint32_t i = s->tail_size.load(std::memory_order_acquire); i-- > 0;) take(s->tail[i]);
  auto i = static_cast<size_t>(std::upper_bound(s->begins.begin(), s->begins.end(), pc) - s->begins.begin());
  while (i > 0 && !take(s->regions[--i])) {
  }
  return end;
}

template <typename F>
void JitMap::for_each_overlapping(Snapshot& s, uint64_t begin, uint64_t end, F f) {
  auto at = std::upper_bound(s.begins.begin(), s.begins.end(), begin);
  if (at != s.begins.begin()) --at;
  for (size_t i = static_cast<size_t>(at - s.begins.begin());
       i < s.regions.size() && s.regions[i].begin < end; ++i) {
    if (s.regions[i].end() > begin) f(s.regions[i]);
  }
  for (uint32_t i = 0; i < s.tail_size.load(std::memory_order_relaxed); ++i) {
    if (s.tail[i].begin < end && s.tail[i].end() > begin) f(s.tail[i]);
  }
}

// New code over old: the old one's unload was not announced, its memory is reused all the same.
bool JitMap::retire_overlapping(uint64_t begin, uint64_t end) {
  bool any = false;
  for_each_overlapping(*current_.load(std::memory_order_relaxed), begin, end, [&](JitRegion& p) {
    if (p.code.load(std::memory_order_relaxed) != 0) any |= retire(p.method_start);
  });
  return any;
}

bool JitMap::publish(const JitRegion& region) {
  const bool over_old = retire_overlapping(region.begin, region.end());
  Snapshot* s = current_.load(std::memory_order_relaxed);
  const uint32_t n = s->tail_size.load(std::memory_order_relaxed);
  if (n == kTail) {
    replace(merged(&region));
    return over_old;
  }
  JitRegion& slot = s->tail[n];
  slot.begin = region.begin;
  slot.method_start = region.method_start;
  slot.size = region.size;
  slot.unwind = region.unwind;
  slot.unwind_size = region.unwind_size;
  slot.code.store(region.code.load(std::memory_order_relaxed), std::memory_order_relaxed);
  s->tail_size.store(n + 1, std::memory_order_release);  // partner: find()
  return over_old;
}

bool JitMap::retire(uint64_t method_start) {
  bool any = false;
  Snapshot& s = *current_.load(std::memory_order_relaxed);
  auto take_out = [&](JitRegion& p) {
    if (p.method_start != method_start) return;
    p.code.store(0, std::memory_order_relaxed);
    any = true;
  };
  const auto at = std::lower_bound(s.begins.begin(), s.begins.end(), method_start);
  for (size_t i = static_cast<size_t>(at - s.begins.begin());
       i < s.regions.size() && s.regions[i].method_start == method_start; ++i) {
    take_out(s.regions[i]);
  }
  for (uint32_t i = 0; i < s.tail_size.load(std::memory_order_relaxed); ++i) take_out(s.tail[i]);
  return any;
}

JitMap::Snapshot* JitMap::merged(const JitRegion* extra) const {
  const Snapshot& old = *current_.load(std::memory_order_relaxed);
  auto live = [](const JitRegion& p) { return p.code.load(std::memory_order_relaxed) != 0; };
  std::vector<const JitRegion*> fresh;
  for (uint32_t i = 0; i < old.tail_size.load(std::memory_order_relaxed); ++i) {
    if (live(old.tail[i])) fresh.push_back(&old.tail[i]);
  }
  if (extra != nullptr) fresh.push_back(extra);
  std::sort(fresh.begin(), fresh.end(), [](auto* a, auto* b) { return a->begin < b->begin; });
  auto next = std::make_unique<Snapshot>();
  next->regions.reserve(old.regions.size() + fresh.size());
  size_t f = 0;
  for (const JitRegion& p : old.regions) {
    if (!live(p)) continue;
    while (f < fresh.size() && fresh[f]->begin < p.begin) next->regions.push_back(*fresh[f++]);
    next->regions.push_back(p);
  }
  while (f < fresh.size()) next->regions.push_back(*fresh[f++]);
  next->begins.reserve(next->regions.size());
  for (const JitRegion& p : next->regions) next->begins.push_back(p.begin);
  return next.release();
}

void JitMap::replace(Snapshot* next) {
  Snapshot* old = current_.exchange(next, std::memory_order_seq_cst);  // partner: find(); seq_cst for Grace
  retired_.push_back({old, ReaderGate::Grace(gate_)});
}

void JitMap::maintain() {
  if (current_.load(std::memory_order_relaxed)->tail_size.load(std::memory_order_relaxed) > 0)
    replace(merged(nullptr));
  std::erase_if(retired_, [](Retired& r) {
    if (!r.grace.over()) return false;
    delete r.snapshot;
    return true;
  });
}

size_t JitMap::size() const {
  const Snapshot& s = *current_.load(std::memory_order_relaxed);
  return s.regions.size() + s.tail_size.load(std::memory_order_relaxed);
}

size_t JitMap::bytes() const {
  const Snapshot& s = *current_.load(std::memory_order_relaxed);
  return sizeof s + s.regions.capacity() * sizeof(JitRegion) + s.begins.capacity() * sizeof(uint64_t);
}

}  // namespace walkabout::unwind
