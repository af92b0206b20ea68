// For tests: a jitted method in memory as the runtime lays it out: the pointer to the code header before the
// code, the header with its RUNTIME_FUNCTIONs, the UNWIND_INFOs.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "unwind/pe/pe_unwind.h"

namespace walkabout::agent::testing {

class FakeCodeHeap {
 public:
  static constexpr size_t kPage = 4096;
  static constexpr uint64_t kMethod = 0x7f00'1234'5678;
  static constexpr uint32_t kCode = 0x100, kHeader = 0x800, kCount = kHeader + 32, kTable = kHeader + 36;
  static constexpr uint32_t kInfos = 0xc00, kMainSize = 64, kFuncletSize = 32,
                            kSize = kMainSize + kFuncletSize;

  // One page, the next cannot be read: a main function and a funclet, the unwind data behind them.
  FakeCodeHeap() {
    page_ = static_cast<uint8_t*>(
        ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    ::mprotect(page_ + kPage, kPage, PROT_NONE);
    set<uint64_t>(kCode - 8, address(kHeader));
    set<uint64_t>(kHeader + 24, kMethod);
    set<uint32_t>(kCount, 2);
    // Offsets count from a base of the heap's, not from the method.
    set(kTable, unwind::RuntimeFunction{kCode, kCode + kMainSize, kInfos});
    set(kTable + 12, unwind::RuntimeFunction{kCode + kMainSize, kCode + kSize, kInfos + 16});
    const uint8_t main[] = {1, 4, 2, 0, 4, 0x32, 1, 0x50};  // alloc 32, push rbp
    const uint8_t funclet[] = {1, 1, 1, 0, 1, 0x50};
    std::memcpy(page_ + kInfos, main, sizeof main);
    std::memcpy(page_ + kInfos + 16, funclet, sizeof funclet);
    std::memset(page_ + kCode, 0x90, kSize);
  }
  ~FakeCodeHeap() { ::munmap(page_, 2 * kPage); }
  FakeCodeHeap(const FakeCodeHeap&) = delete;
  FakeCodeHeap& operator=(const FakeCodeHeap&) = delete;

  uint64_t address(uint32_t at) const { return reinterpret_cast<uint64_t>(page_) + at; }
  uint64_t start() const { return address(kCode); }
  template <typename T>
  void set(uint32_t at, const T& value) {
    std::memcpy(page_ + at, &value, sizeof value);
  }

 private:
  uint8_t* page_;
};

}  // namespace walkabout::agent::testing
