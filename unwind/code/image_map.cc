#include "unwind/code/image_map.h"

#include <algorithm>

#include "base/hot.h"

namespace walkabout::unwind {

struct ImageMap::Retired {
  std::unique_ptr<const Snapshot> snapshot;  // one of the two
  std::unique_ptr<Image> image;
  ReaderGate::Grace grace;
};

ImageMap::ImageMap(ReaderGate& gate) : gate_(gate), current_(new Snapshot) {}

ImageMap::~ImageMap() { delete current_.load(); }

WALKABOUT_HOT const Image* ImageMap::find(uint64_t pc) const {
  const Snapshot& s = *current_.load(std::memory_order_acquire);  // partner: replace()
  const auto at =
      std::upper_bound(s.begin(), s.end(), pc, [](uint64_t a, const Entry& e) { return a < e.begin; });
  if (at == s.begin()) return nullptr;
  const Entry& e = *(at - 1);
  return pc < e.end ? e.image : nullptr;
}

Image* ImageMap::make() { return all_.emplace_back(std::make_unique<Image>()).get(); }

void ImageMap::publish(Image* image) {
  auto* next = new Snapshot;
  for (const Entry& e : *current_.load(std::memory_order_relaxed)) {
    // What overlaps is gone from memory, else the new image could not be there.
    if (e.image != image && (e.end <= image->begin || e.begin >= image->end)) next->push_back(e);
  }
  next->push_back({image->begin, image->end, image});
  std::sort(next->begin(), next->end(), [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  replace(next);
}

void ImageMap::remove(Image* image) {
  auto* next = new Snapshot(*current_.load(std::memory_order_relaxed));
  std::erase_if(*next, [&](const Entry& e) { return e.image == image; });
  replace(next);
}

void ImageMap::replace(Snapshot* next) {
  const Snapshot* old =
      current_.exchange(next, std::memory_order_seq_cst);  // partner: find(); seq_cst for Grace
  retired_.push_back({std::unique_ptr<const Snapshot>(old), nullptr, ReaderGate::Grace(gate_)});
}

void ImageMap::retire(Image* image) {
  const auto at =
      std::find_if(all_.begin(), all_.end(), [image](const auto& held) { return held.get() == image; });
  if (at == all_.end()) return;
  retired_.push_back({nullptr, std::move(*at), ReaderGate::Grace(gate_)});
  all_.erase(at);
}

void ImageMap::maintain() {
  std::erase_if(retired_, [](Retired& r) { return r.grace.over(); });
}

size_t ImageMap::held() const {
  const auto waiting =
      std::count_if(retired_.begin(), retired_.end(), [](const Retired& r) { return r.image != nullptr; });
  return all_.size() + static_cast<size_t>(waiting);
}

std::vector<Image*> ImageMap::images() const {
  std::vector<Image*> result;
  for (const Entry& e : *current_.load(std::memory_order_relaxed)) result.push_back(e.image);
  return result;
}

const RuntimeFunction* find_function(std::span<const RuntimeFunction> functions, uint32_t rva) {
  const auto at = std::upper_bound(functions.begin(), functions.end(), rva,
                                   [](uint32_t a, const RuntimeFunction& f) { return a < f.begin; });
  if (at == functions.begin()) return nullptr;
  const RuntimeFunction& f = *(at - 1);
  return rva < f.end ? &f : nullptr;
}

}  // namespace walkabout::unwind
