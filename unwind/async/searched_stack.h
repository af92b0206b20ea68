// A walked stack, searched for pointers: what its frames are, and its words. No allocation, no locks:
// async-signal-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "unwind/async/async_methods.h"
#include "unwind/machine/memory.h"
#include "unwind/machine/registers.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// Of the first frames the stack pointers, in the same order; none where it cannot be searched.
struct WalkedStackView {
  const Registers& leaf;  // pc 0: of its registers only the stack pointer is known
  const Memory& memory;
  std::span<const wire::Frame> frames;
  std::span<const uint64_t> stack_pointers;
  uint64_t lo, hi;  // of the stack what can be read
};

class SearchedStack {
 public:
  static constexpr uint64_t kMostBytes = 32 * 1024;  // that are looked through for one pointer

  SearchedStack(const WalkedStackView& view, const AsyncMethods& methods) : view_(view), methods_(methods) {}

  const Registers& leaf() const { return view_.leaf; }
  size_t size() const { return view_.frames.size(); }
  wire::Frame frame(size_t i) const { return view_.frames[i]; }
  bool knows_stack_pointer(size_t i) const { return i < view_.stack_pointers.size(); }
  uint64_t stack_pointer(size_t i) const { return view_.stack_pointers[i]; }

  uint32_t role_of(wire::Frame frame) const {
    return frame.managed() ? methods_.role_of(frame) : uint32_t{kRoleOrdinary};
  }
  uint32_t role_of(size_t i) const { return role_of(view_.frames[i]); }

  // What the managed code is that called frame i.
  uint32_t caller_role(size_t i) const {
    for (size_t caller = i + 1; caller < view_.frames.size(); ++caller) {
      const wire::Frame frame = view_.frames[caller];
      if (frame.managed()) return methods_.role_of(frame);
      if (frame.kind() == wire::FrameKind::kUnreported) return kRoleUnseen;
      if (frame.kind() != wire::FrameKind::kStub) break;
    }
    return kRoleCore;
  }

  // Another call of frame i's method, whose role this is, is further out.
  bool is_again(size_t i, uint32_t role) const {
    for (size_t next = i + 1; next < view_.frames.size(); ++next) {
      if (role_of(next) == role) return true;
    }
    return false;
  }

  // Stubs between it and the leaf leave all registers alone.
  bool is_leaf(size_t i) const {
    for (size_t callee = 0; callee < i; ++callee) {
      if (view_.frames[callee].kind() != wire::FrameKind::kStub) return false;
    }
    return true;
  }

  bool contains(uint64_t address) const { return address >= view_.lo && address < view_.hi; }
  bool load_word(uint64_t address, uint64_t* value) const {
    return address >= view_.lo && address + 8 <= view_.hi && view_.memory.load64(address, value);
  }

  // Everything where a method that the leaf came from may hold a pointer: visit(value, address) of the leaf's
  // saved registers, address 0, and of the words from the leaf on up to top. False where visit said so, or
  // where not all of it could be read.
  template <typename Visit>
  bool each_value_below(uint64_t top, Visit visit) const {
    if (top - view_.leaf.sp() > kMostBytes) return false;
    for (const Reg reg : kSavedRegisters) {
      if (!visit(view_.leaf.r[reg], 0)) return false;
    }
    for (uint64_t word = view_.leaf.sp() & ~uint64_t{7}; word < top; word += 8) {
      uint64_t value = 0;
      if (!load_word(word, &value) || !visit(value, word)) return false;
    }
    return true;
  }

 private:
  const WalkedStackView& view_;
  const AsyncMethods& methods_;
};

}  // namespace walkabout::unwind
