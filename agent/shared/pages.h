// Memory of whole pages straight from the system. What is large does not come from malloc here: its settings
// are the program's too, and it learns from what is freed how much it keeps (mallopt(3), M_MMAP_THRESHOLD).
// Any thread.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <span>
#include <utility>

namespace walkabout::agent {

// Zeroes. Null when there is none to be had.
void* map_pages(size_t bytes);
void unmap_pages(void* pages, size_t bytes);

// An array of zeroes. T: plain values for which that is a value.
template <typename T>
class PagedArray {
 public:
  explicit PagedArray(size_t size) : items_(static_cast<T*>(map_pages(size * sizeof(T))), size) {
    if (items_.data() == nullptr) std::abort();  // as without memory for anything else
  }
  ~PagedArray() {
    if (items_.data() != nullptr) unmap_pages(items_.data(), items_.size_bytes());
  }
  PagedArray(PagedArray&& other) noexcept : items_(std::exchange(other.items_, {})) {}
  PagedArray& operator=(PagedArray&& other) noexcept {
    std::swap(items_, other.items_);
    return *this;
  }

  size_t size() const { return items_.size(); }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }

 private:
  std::span<T> items_;
};

}  // namespace walkabout::agent
