// An array that grows in place inside address space reserved once, so elements never move and growing cannot
// fail.
//
// For the helper thread that compiles CFI tables in a foreign process: leaves the process's malloc alone.
// Pages are touched only as they are filled. Elements must be trivial. One thread; not for signal handlers.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace walkabout::unwind {

template <typename T>
class CfiBuffer {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  // Room for `capacity` elements; !ok() when the system gives no address space.
  explicit CfiBuffer(size_t capacity) : capacity_(capacity) {
    if (capacity > SIZE_MAX / sizeof(T) || capacity == 0) return;
    void* memory = ::mmap(nullptr, capacity * sizeof(T), PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) data_ = static_cast<T*>(memory);
  }
  ~CfiBuffer() {
    if (data_ != nullptr) ::munmap(data_, capacity_ * sizeof(T));
  }
  CfiBuffer(const CfiBuffer&) = delete;
  CfiBuffer& operator=(const CfiBuffer&) = delete;

  bool ok() const { return data_ != nullptr; }
  size_t size() const { return size_; }
  size_t bytes() const { return size_ * sizeof(T); }
  bool full() const { return size_ == capacity_; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  T& back() { return data_[size_ - 1]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  // REQUIRES: !full().
  void push(const T& value) { data_[size_++] = value; }
  // `count` more elements, zero. REQUIRES: there is room.
  T* grow(size_t count) {
    T* added = data_ + size_;
    size_ += count;
    return added;
  }
  // REQUIRES: size <= size().
  void shrink(size_t size) { size_ = size; }
  size_t room() const { return capacity_ - size_; }

 private:
  T* data_ = nullptr;
  size_t size_ = 0;
  size_t capacity_;
};

}  // namespace walkabout::unwind
