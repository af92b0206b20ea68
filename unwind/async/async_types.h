// Which class a MethodTable pointer is of. Whoever writes holds a lock of the caller's; any thread reads:
// lock-free, async-signal-safe. What find() returned stays as it is until reuse().
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/table_place.h"
#include "unwind/async/async_type.h"

namespace walkabout::unwind {

class AsyncTypes {
 public:
  // In place of a MethodTable pointer, which is even. A forgotten class's slot may still be read; that of one
  // to reuse is read by nobody.
  static constexpr uint64_t kFree = 0, kForgotten = 1, kReusable = 3;

  struct Slot {
    std::atomic<uint64_t> method_table{kFree};  // release, partner: find()
    AsyncType type;
  };

  // A power of two of slots, all zeroes, that outlive this.
  explicit AsyncTypes(std::span<Slot> slots) : slots_(slots) {}

  const AsyncType* find(uint64_t method_table) const {
    if (!is_pointer(method_table)) return nullptr;
    for (size_t i = place(method_table);; i = (i + 1) & (slots_.size() - 1)) {
      const uint64_t key = slots_[i].method_table.load(std::memory_order_acquire);  // partner: add()
      if (key == method_table) return &slots_[i].type;
      if (key == kFree) return nullptr;
    }
  }

  // The table is in memory when this returns: nothing waits for its pages then.
  void touch() const {
    constexpr size_t kPage = 4096 / sizeof(Slot);
    for (size_t i = 0; i < slots_.size(); i += kPage)
      static_cast<void>(slots_[i].method_table.load(std::memory_order_relaxed));
  }

  // False where there is no room, and where it is there already.
  bool add(uint64_t method_table, const AsyncType& type) {
    if (!is_pointer(method_table)) return false;
    Slot* reusable = nullptr;
    size_t i = place(method_table);
    for (;; i = (i + 1) & (slots_.size() - 1)) {
      const uint64_t key = slots_[i].method_table.load(std::memory_order_relaxed);
      if (key == method_table) return false;
      if (key == kReusable && reusable == nullptr) reusable = &slots_[i];
      if (key == kFree) break;
    }
    if (reusable == nullptr && used_ >= slots_.size() / 2) return false;
    Slot& slot = reusable != nullptr ? *reusable : slots_[i];
    if (reusable == nullptr) ++used_;
    slot.type = type;
    slot.method_table.store(method_table, std::memory_order_release);
    return true;
  }

  // Another class may come at its address. Its slot, for reuse(); null: it is not there.
  Slot* forget(uint64_t method_table) {
    if (!is_pointer(method_table)) return nullptr;
    for (size_t i = place(method_table);; i = (i + 1) & (slots_.size() - 1)) {
      const uint64_t key = slots_[i].method_table.load(std::memory_order_relaxed);
      if (key == kFree) return nullptr;
      if (key != method_table) continue;
      slots_[i].method_table.store(kForgotten, std::memory_order_relaxed);
      return &slots_[i];
    }
  }
  // REQUIRES: whoever may have found it before it was forgotten reads it no more. What ends a search anyway
  // is free again: classes that come and go do so at ever other addresses.
  void reuse(Slot* forgotten) {
    forgotten->method_table.store(kReusable, std::memory_order_relaxed);
    auto i = static_cast<size_t>(forgotten - slots_.data());
    const auto key = [this](size_t at) -> std::atomic<uint64_t>& {
      return slots_[at & (slots_.size() - 1)].method_table;
    };
    if (key(i + 1).load(std::memory_order_relaxed) != kFree) return;
    for (; key(i).load(std::memory_order_relaxed) == kReusable; --i) {
      key(i).store(kFree, std::memory_order_relaxed);
      --used_;
    }
  }

 private:
  static bool is_pointer(uint64_t method_table) { return method_table != 0 && (method_table & 1) == 0; }
  size_t place(uint64_t method_table) const { return base::table_place(method_table, slots_.size()); }

  std::span<Slot> slots_;
  size_t used_ = 0;
};

}  // namespace walkabout::unwind
