// What a frame's method is to a search for async methods, and where state machines lie in their boxes. One
// thread adds (the spooler), any reads: lock-free, async-signal-safe.
//
// Jitted code is known by its id. Of ready-to-run code each address that a stack had is known by itself: the
// handler would have to search the image's functions for more.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/table_place.h"
#include "wire/frame.h"

namespace walkabout::unwind {

// From kFirstMachine on: the MoveNext of the state machine with the number role - kFirstMachine.
enum AsyncRole : uint32_t {
  kRoleUnseen = 0,    // nobody has looked yet
  kRoleOrdinary = 1,  // of no interest
  kRoleCore = 2,      // the same, but it may resume methods: System.Private.CoreLib's, or not known
  kRoleStarter = 3,   // calls a MoveNext for the first time: its own caller is the caller
  // As callers the same as kRoleCore:
  kRoleInvoker = 4,  // calls a task's delegate
  kRoleRunner = 5,   // runs a task, by the one before
  kRoleResumer = 6,  // a box's own, that resumes its method and needs the box afterwards
  kRoleContext = 7,  // what it resumes its method through
  kRoleOpaque = 8,   // a MoveNext of whose state machine nothing is known
  kFirstMachine = 16,
};

constexpr bool is_of_task(uint32_t role) { return role == kRoleInvoker || role == kRoleRunner; }
// Of what called a MoveNext: it started it, so that the stack tells who awaits it.
constexpr bool starts_methods(uint32_t role) { return role == kRoleStarter || role >= kRoleOpaque; }

// Of one state machine, whatever its type arguments.
struct AsyncMachine {
  static constexpr size_t kMostPlaces = 4;
  std::atomic<uint32_t> places[kMostPlaces] = {};  // where it lies in boxes of it; 0: no more
  std::atomic<bool> is_object{false};              // it is an object by itself
  std::atomic<uint32_t> state_at{0};               // <>1__state, from its start; of no use before places

  // The spooler's. False where there is no room.
  bool add_place(uint32_t place) {
    for (auto& known : places) {
      const uint32_t there = known.load(std::memory_order_relaxed);
      if (there == place) return true;
      if (there != 0) continue;
      known.store(place, std::memory_order_relaxed);
      return true;
    }
    return false;
  }
};

class AsyncMethods {
 public:
  struct Slot {
    std::atomic<uint64_t> frame{0};  // 0: free; release, partner: role_of()
    std::atomic<uint32_t> role{0};
  };
  // All zeroes, which outlive this; a power of two of slots.
  AsyncMethods(std::span<std::atomic<uint32_t>> by_code, std::span<Slot> by_frame,
               std::span<AsyncMachine> machines)
      : by_code_(by_code), by_frame_(by_frame), machines_(machines) {}

  uint32_t role_of(wire::Frame frame) const {
    if (frame.kind() == wire::FrameKind::kJitted)
      return frame.code().value < by_code_.size()
                 ? by_code_[frame.code().value].load(std::memory_order_relaxed)
                 : uint32_t{kRoleUnseen};
    for (size_t i = place(frame);; i = (i + 1) & (by_frame_.size() - 1)) {
      const uint64_t key = by_frame_[i].frame.load(std::memory_order_acquire);  // partner: set_frame()
      if (key == frame.bits) return by_frame_[i].role.load(std::memory_order_relaxed);
      if (key == 0) return kRoleUnseen;
    }
  }
  const AsyncMachine* machine(uint32_t number) const {
    return number < machines_.size() ? &machines_[number] : nullptr;
  }

  // The spooler's. False where there is no room.
  bool set_code(base::CodeId code, uint32_t role) {
    if (code.value >= by_code_.size()) return false;
    by_code_[code.value].store(role, std::memory_order_relaxed);
    return true;
  }
  bool set_frame(wire::Frame frame, uint32_t role) {
    size_t i = place(frame);
    for (; by_frame_[i].frame.load(std::memory_order_relaxed) != 0; i = (i + 1) & (by_frame_.size() - 1)) {
      if (by_frame_[i].frame.load(std::memory_order_relaxed) != frame.bits) continue;
      by_frame_[i].role.store(role, std::memory_order_relaxed);
      return true;
    }
    if (used_ >= by_frame_.size() / 2) return false;
    by_frame_[i].role.store(role, std::memory_order_relaxed);
    by_frame_[i].frame.store(frame.bits, std::memory_order_release);
    ++used_;
    return true;
  }
  AsyncMachine* machine_to_fill(uint32_t number) {
    return number < machines_.size() ? &machines_[number] : nullptr;
  }

 private:
  size_t place(wire::Frame frame) const { return base::table_place(frame.bits, by_frame_.size()); }

  std::span<std::atomic<uint32_t>> by_code_;
  std::span<Slot> by_frame_;
  std::span<AsyncMachine> machines_;
  size_t used_ = 0;
};

}  // namespace walkabout::unwind
