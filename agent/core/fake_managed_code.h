// For tests: a few instructions that the code map takes for a jitted method, and the event that announces it.
// Its caller and what it calls are native, so that a stack has all three.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "clr/events/eventpipe_method.h"

namespace walkabout::agent::testing {

class FakeManagedCode {
 public:
  static constexpr size_t kBytes = 4096;
  // At the page's begin there would be no room for the pointer to the code header that the runtime has there;
  // ours is null: the prolog is decoded.
  static constexpr size_t kStart = 64;

  FakeManagedCode() {
    const uint8_t code[] = {
        0x55,              // push rbp
        0x48, 0x89, 0xe5,  // mov rbp, rsp
        0xf3, 0x90,        // pause
        0x48, 0xff, 0xca,  // dec rdx
        0x75, 0xf9,        // jnz pause
        0x48, 0x89, 0xf8,  // mov rax, rdi
        0x48, 0x89, 0xf7,  // mov rdi, rsi
        0xff, 0xd0,        // call rax
        0x5d, 0xc3,        // pop rbp; ret
    };
    page_ = static_cast<uint8_t*>(
        ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    std::memcpy(page_ + kStart, code, sizeof code);
    ::mprotect(page_, kBytes, PROT_READ | PROT_EXEC);
    size_ = sizeof code;
  }
  ~FakeManagedCode() { ::munmap(page_, kBytes); }
  FakeManagedCode(const FakeManagedCode&) = delete;
  FakeManagedCode& operator=(const FakeManagedCode&) = delete;

  // Turns `spins` (at least 1) times in the method, then calls native(argument) from it.
  void run(void (*native)(void*), void* argument, uint64_t spins) const {
    using Method = void (*)(void (*)(void*), void*, uint64_t);
    Method method = nullptr;
    const uint8_t* start = page_ + kStart;
    std::memcpy(&method, &start, sizeof method);
    method(native, argument, spins);
  }
  bool contains(uint64_t pc) const { return pc - start() < size_; }
  uint64_t start() const { return reinterpret_cast<uint64_t>(page_) + kStart; }
  uint64_t end() const { return start() + size_; }

  clr::MethodLoad event(uint64_t method) const {
    clr::MethodLoad load;
    load.method_id = method;
    load.start = start();
    load.size = size_;
    return load;
  }
  // The same as EventPipe delivers it (clr/events/eventpipe_method.h): five numbers, flags, three empty
  // strings.
  std::vector<uint8_t> payload(uint64_t method) const {
    std::vector<uint8_t> bytes(36 + 3 * 2);
    const uint64_t ids[] = {method, 1, start()};
    const uint32_t rest[] = {size_, 0x06000001, 0};
    std::memcpy(bytes.data(), ids, sizeof ids);
    std::memcpy(bytes.data() + sizeof ids, rest, sizeof rest);
    return bytes;
  }

 private:
  uint8_t* page_;
  uint32_t size_ = 0;
};

}  // namespace walkabout::agent::testing
