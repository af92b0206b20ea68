// Guarded reads of the walked thread's memory. Every load the walker makes goes through here.
//
// [lo, hi) is known to be readable (the thread's stack from its stack pointer up); anything else goes to
// `slow`, which must not fault (a system call, a fake's map) and may be null: then the load fails.
// Async-signal-safe if slow is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace walkabout::unwind {

struct Memory {
  uint64_t lo = 0;
  uint64_t hi = 0;
  bool (*slow)(void* context, uint64_t address, void* to, size_t size) = nullptr;
  void* context = nullptr;
  // Where the `size` bytes of code under an interrupted pc can be read. Null: where they are, because they
  // are being executed. A recorded process has them elsewhere, and may not have them all (then it gives
  // null).
  const uint8_t* (*code)(void* context, uint64_t pc, size_t size) = nullptr;
  // The CLR's Thread object of the walked thread, if it is known: see hijack.h. It may be gone: read by
  // `slow`.
  uint64_t runtime_thread = 0;

  bool load64(uint64_t address, uint64_t* value) const {
    if (address >= lo && hi >= 8 && address <= hi - 8) [[likely]] {
      std::memcpy(value, reinterpret_cast<const void*>(address), sizeof *value);
      return true;
    }
    return slow != nullptr && slow(context, address, value, sizeof *value);
  }
  std::span<const uint8_t> code_at(uint64_t pc, size_t size) const {
    const auto* bytes = code == nullptr ? reinterpret_cast<const uint8_t*>(pc) : code(context, pc, size);
    return {bytes, bytes == nullptr ? 0 : size};
  }
  bool load_bytes(uint64_t address, void* to, size_t size) const {
    if (address >= lo && hi >= size && address <= hi - size) [[likely]] {
      std::memcpy(to, reinterpret_cast<const void*>(address), size);
      return true;
    }
    return slow != nullptr && slow(context, address, to, size);
  }
};

}  // namespace walkabout::unwind
