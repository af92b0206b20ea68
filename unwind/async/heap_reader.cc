#include "unwind/async/heap_reader.h"

#include <algorithm>
#include <cstring>

#include "base/hot.h"

namespace walkabout::unwind {

void HeapReader::expect(uint64_t address, size_t size) {
  const uint64_t to_page_end = kPage - address % kPage;
  const size_t bytes = std::min<uint64_t>({size, sizeof window_, to_page_end});
  if (is_place(address) && !is_plain(address, bytes)) open_window(address, bytes);
}

void HeapReader::trust(uint64_t object) {
  if (!trusts_all_ && !is_trusted(object / kPage)) pages_[next_++ % kPages] = object / kPage;
}

bool HeapReader::is_trusted(uint64_t page) const {
  return std::find(pages_, std::end(pages_), page) != std::end(pages_);
}

WALKABOUT_HOT bool HeapReader::is_plain(uint64_t address, size_t size) {
  if (trusts_all_) return true;
  if (heap_.regions != nullptr) {
    if (region_ == nullptr || address < region_->begin || address >= region_->end)
      region_ = heap_.regions->find(address);
    if (region_ != nullptr && heap_.regions->may_load(*region_, address, size)) return true;
  }
  return is_trusted(address / kPage);
}

bool HeapReader::open_window(uint64_t address, size_t size) {
  window_size_ = 0;
  if (!guarded_(context_, address, window_, size)) return false;
  window_at_ = address;
  window_size_ = size;
  if (heap_.regions == nullptr) return true;
  if (count_ != nullptr)
    heap_.regions->look_ahead(address, count_);
  else
    heap_.regions->was_read(address);
  return true;
}

// Values are aligned: none lies on two pages.
WALKABOUT_HOT bool HeapReader::load(uint64_t address, void* value, size_t size) {
  if (address % size != 0 || address < kLowest || address >= kHighest) return false;
  const auto* from = reinterpret_cast<const unsigned char*>(address);
  if (!is_plain(address, size)) {
    const bool in_window = address >= window_at_ && address + size <= window_at_ + window_size_;
    if (!in_window && !open_window(address, size)) return false;
    from = &window_[address - window_at_];
  }
  std::memcpy(value, from, size == 8 ? 8 : 4);
  return true;
}

}  // namespace walkabout::unwind
