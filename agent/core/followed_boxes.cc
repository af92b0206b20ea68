#include "agent/core/followed_boxes.h"

#include <algorithm>

#include "base/clock.h"
#include "base/table_place.h"

namespace walkabout::agent {
namespace {

constexpr size_t kBetweenLooks = 256;  // at the clock

}  // namespace

FollowedBoxes::FollowedBoxes(clr::ICorProfilerInfo12* info) {
  void* object = nullptr;
  if (!clr::failed(info->QueryInterface(clr::ICorProfilerInfo13::kIid, &object)))
    info_ = clr::ComPtr<clr::ICorProfilerInfo13>::adopt(static_cast<clr::ICorProfilerInfo13*>(object));
}

uint32_t& FollowedBoxes::slot_of(uint64_t box) {
  size_t i = base::table_place(box, kSlots);
  while (slots_[i] != 0 && followed_[slots_[i] - 1].box != box) i = (i + 1) & (kSlots - 1);
  return slots_[i];
}

void FollowedBoxes::find_boxes() {
  std::fill(slots_.begin(), slots_.end(), 0);
  for (size_t i = 0; i < used_; ++i) {
    Followed& one = followed_[i];
    one.waits = false;
    clr::ObjectID object = 0;
    if (clr::failed(info_->GetObjectIDFromHandle(one.handle, &object))) object = 0;
    one.box = object;
    if (object != 0) slot_of(object) = static_cast<uint32_t>(i + 1);
  }
}

void FollowedBoxes::note(std::span<const PendingOperation> found, uint64_t now_ns, uint64_t end_ns) {
  std::fill(since_.begin(), since_.begin() + static_cast<ptrdiff_t>(found.size()), 0);
  if (!info_) return;
  find_boxes();
  for (size_t i = 0; i < found.size(); ++i) {
    if (i % kBetweenLooks == 0 && base::monotonic_ns() >= end_ns) return;
    uint32_t& slot = slot_of(found[i].box);
    if (slot == 0) {
      Followed one{0, found[i].box, now_ns, found[i].state, true};
      if (used_ == kMost ||
          clr::failed(info_->CreateHandle(one.box, clr::COR_PRF_HANDLE_TYPE_WEAK, &one.handle)))
        continue;
      followed_[used_] = one;
      slot = static_cast<uint32_t>(++used_);
    }
    Followed& one = followed_[slot - 1];
    if (one.state != found[i].state) one.since_ns = now_ns;
    one.state = found[i].state;
    one.waits = true;
    since_[i] = one.since_ns;
  }
}

void FollowedBoxes::sweep() {
  for (size_t i = used_; i-- > 0;) {
    if (followed_[i].waits) continue;
    info_->DestroyHandle(followed_[i].handle);
    followed_[i] = followed_[--used_];
  }
}

void FollowedBoxes::end() {
  for (size_t i = 0; i < used_; ++i) info_->DestroyHandle(followed_[i].handle);
  used_ = 0;
}

}  // namespace walkabout::agent
