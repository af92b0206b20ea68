// For tests: a managed heap of tasks, boxes and continuations, in memory of the test's own, and what was
// learnt of their classes. Layouts are made up; each class has another one.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>
#include <vector>

#include "unwind/async/async_chain.h"
#include "unwind/async/async_root.h"

namespace walkabout::unwind::testing {

class FakeHeap {
 public:
  // MethodTables.
  static constexpr uint64_t kTask = 0x1000, kPromise = 0x1100, kAction = 0x1200, kContinuation = 0x1300,
                            kList = 0x1400, kBlocked = 0x1500, kObject = 0x1600, kStranger = 0x1700;
  // Of the box of a state machine that lies in it, and of one that is an object, with that object.
  static constexpr uint64_t box_class(uint32_t machine) { return 0x2000 + machine * 0x10; }
  static constexpr uint64_t object_box_class(uint32_t machine) { return 0x3000 + machine * 0x10; }
  static constexpr uint64_t machine_class(uint32_t machine) { return 0x4000 + machine * 0x10; }
  static constexpr uint64_t iterator_class(uint32_t machine) { return 0x5000 + machine * 0x10; }
  static constexpr base::CodeId method_of(uint32_t machine) { return base::CodeId(100 + machine); }

  static constexpr uint32_t kMachines = 8;
  static constexpr uint32_t kMachineAt = 48, kStateAt = 24, kTaskNext = 32, kTaskFlags = 20,
                            kPromiseNext = 40;
  static constexpr uint32_t kObjectState = 16, kBuilderAt = 56, kIteratorNext = 72;

  FakeHeap() : words_(1 << 12) {
    types.add(kTask, {.kind = AsyncKind::kTask, .next = kTaskNext, .state_at = kTaskFlags});
    types.add(kPromise, {.kind = AsyncKind::kTask, .next = kPromiseNext});
    types.add(kAction, {.kind = AsyncKind::kForward, .next = 8});
    types.add(kContinuation, {.kind = AsyncKind::kForward, .next = 24});
    types.add(kList, {.kind = AsyncKind::kList, .next = 8, .state_at = 16});
    types.add(kBlocked, {.kind = AsyncKind::kNobody});
    types.add(kObject, {.kind = AsyncKind::kCompleted});
    for (uint32_t m = 0; m < kMachines; ++m) {
      types.add(box_class(m), {.kind = AsyncKind::kBox,
                               .next = kTaskNext,
                               .machine_at = kMachineAt,
                               .state_at = kStateAt,
                               .machine = m,
                               .method = method_of(m)});
      types.add(object_box_class(m), {.kind = AsyncKind::kBox,
                                      .machine_is_object = true,
                                      .next = kTaskNext,
                                      .machine_at = kMachineAt,
                                      .state_at = kObjectState,
                                      .machine = m,
                                      .method = method_of(m)});
      types.add(machine_class(m), {.kind = AsyncKind::kMachine,
                                   .machine_is_object = true,
                                   .machine_at = kBuilderAt,
                                   .state_at = kObjectState,
                                   .machine = m,
                                   .method = method_of(m)});
      types.add(iterator_class(m), {.kind = AsyncKind::kMachine,
                                    .machine_is_object = true,
                                    .next = kIteratorNext,
                                    .machine_at = kBuilderAt,
                                    .state_at = kObjectState,
                                    .machine = m,
                                    .method = method_of(m)});
      machines[m].add_place(kMachineAt);
      machines[m].state_at = kStateAt;
    }
  }

  // 16 words, all 0 but for the class.
  uint64_t object(uint64_t method_table) {
    const uint64_t at = reinterpret_cast<uint64_t>(words_.data() + used_);
    used_ += 16;
    set(at, method_table);
    return at;
  }
  static void set(uint64_t address, uint64_t value) {
    std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
  }
  static void set32(uint64_t address, int32_t value) {
    std::memcpy(reinterpret_cast<void*>(address), &value, sizeof value);
  }
  uint64_t task(uint64_t awaiter) {
    const uint64_t at = object(kTask);
    set(at + kTaskNext, awaiter);
    return at;
  }
  uint64_t box(uint32_t machine, int32_t state, uint64_t awaiter) {
    const uint64_t at = object(box_class(machine));
    set(at + kTaskNext, awaiter);
    set32(at + kMachineAt + kStateAt, state);
    return at;
  }
  struct Pair {
    uint64_t box, machine;
  };
  // Of a debug build.
  Pair object_box(uint32_t machine, int32_t state, uint64_t awaiter) {
    const Pair made{object(object_box_class(machine)), object(machine_class(machine))};
    set(made.box + kTaskNext, awaiter);
    set(made.box + kMachineAt, made.machine);
    set32(made.machine + kObjectState, state);
    set(made.machine + kBuilderAt + 8, made.box);
    return made;
  }
  Pair iterator(uint32_t machine, int32_t state, uint64_t awaiter) {
    const Pair made{object(object_box_class(machine)), object(iterator_class(machine))};
    set(made.box + kMachineAt, made.machine);
    set32(made.machine + kObjectState, state);
    set(made.machine + kIteratorNext, awaiter);
    return made;
  }
  uint64_t action(uint64_t target) {
    const uint64_t at = object(kAction);
    set(at + 8, target);
    return at;
  }
  uint64_t list(std::initializer_list<uint64_t> items) {
    const uint64_t array = object(kStranger), at = object(kList);
    set(at + 8, array);
    set32(at + 16, static_cast<int32_t>(items.size()));
    uint64_t place = array + 16;
    for (const uint64_t item : items) set(std::exchange(place, place + 8), item);
    return at;
  }

  HeapRange range() const {
    const auto lo = reinterpret_cast<uint64_t>(words_.data());
    return {lo, lo + words_.size() * 8};
  }
  HeapReader reader() { return {{range(), regions, open}, read, this}; }
  AsyncKnowledge known() { return {types, methods, hints}; }

  static wire::Frame awaits(uint32_t machine, uint32_t state) {
    return wire::Frame::in_code(wire::FrameKind::kJitted, method_of(machine), state);
  }

  int guarded_reads = 0;
  const HeapRegions* regions = nullptr;
  bool open = true;

 private:
  static bool read(void* context, uint64_t address, void* to, size_t size) {
    auto* self = static_cast<FakeHeap*>(context);
    ++self->guarded_reads;
    const auto lo = reinterpret_cast<uint64_t>(self->words_.data());
    if (address < lo || address + size > lo + self->words_.size() * 8) return false;
    std::memcpy(to, reinterpret_cast<const void*>(address), size);
    return true;
  }

  std::vector<uint64_t> words_;
  size_t used_ = 0;
  std::vector<AsyncTypes::Slot> type_slots_ = std::vector<AsyncTypes::Slot>(256);
  std::vector<std::atomic<uint32_t>> codes_ = std::vector<std::atomic<uint32_t>>(64);
  std::vector<AsyncMethods::Slot> frames_ = std::vector<AsyncMethods::Slot>(64);
  std::vector<std::atomic<uint64_t>> hint_words_ = std::vector<std::atomic<uint64_t>>(64);

 public:
  std::array<AsyncMachine, kMachines> machines;
  AsyncTypes types{type_slots_};
  AsyncMethods methods{codes_, frames_, machines};
  AsyncHints hints{hint_words_};
};

}  // namespace walkabout::unwind::testing
