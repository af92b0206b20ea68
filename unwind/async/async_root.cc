#include "unwind/async/async_root.h"

#include <utility>

#include "base/hot.h"
#include "unwind/async/resumed_box.h"
#include "unwind/async/running_task.h"

namespace walkabout::unwind {
namespace {

using wire::AsyncUnknown;

class Finder {
 public:
  Finder(const WalkedStackView& stack, const AsyncKnowledge& known, HeapReader& heap)
      : stack_(stack, known.methods), known_(known), heap_(heap) {}

  // From this frame outwards.
  AsyncRoot find(size_t from = 0) {
    AsyncRoot result;
    for (size_t i = from; i < stack_.size() && result.found == AsyncFind::kNone; ++i)
      result = look_at(i, stack_.frame(i));
    result.unseen = unseen_;
    return result;
  }

 private:
  // kNone: it is no async method, or was started, and its caller is on the stack.
  AsyncRoot look_at(size_t i, wire::Frame frame) {
    if (frame.kind() == wire::FrameKind::kLeftOut) return unknown(AsyncUnknown::kLeftOut, i);
    const uint32_t role = stack_.role_of(frame);
    if (role == kRoleUnseen || frame.kind() == wire::FrameKind::kUnreported) note_unseen(i);
    if (is_of_task(role) && !std::exchange(saw_task_, true)) return look_at_task(i);
    if (role < kRoleOpaque) return {};
    const uint32_t caller = stack_.caller_role(i);
    if (starts_methods(caller)) return {};
    if (caller == kRoleUnseen) note_unseen(i);  // it may be a starter
    machine_number_ = role - kFirstMachine;
    machine_ = role < kFirstMachine ? nullptr : known_.methods.machine(machine_number_);
    if (machine_ == nullptr || !stack_.knows_stack_pointer(i + 1))
      return unknown(AsyncUnknown::kNoMachine, i);
    if (!heap_.reads()) return unknown(AsyncUnknown::kNoMachine, i);  // no box would be seen
    running_ = {};
    several_ = finished_ = on_stack_ = in_caller_ = false;
    search(i);
    // Where its state machine lies on the stack, one in the heap is another call's.
    const bool started = caller == kRoleOrdinary ? on_stack_ : caller != kRoleUnseen && in_caller_;
    several_ |= started && running_.type != nullptr;
    if (several_) return unknown(AsyncUnknown::kSeveral, i);
    if (running_.type != nullptr) return {AsyncFind::kFound, static_cast<uint32_t>(i) + 1, running_};
    if (started && !finished_) return {};
    AsyncObject box;
    int32_t state = 0;
    if (!machine_->is_object.load(std::memory_order_relaxed) &&
        find_resumed_box(stack_, i, machine_number_, known_.types, heap_, &box, &state)) {
      if (state != kFinished) return {AsyncFind::kFound, static_cast<uint32_t>(i) + 1, box};
      finished_ = true;
    }
    if (finished_) return {AsyncFind::kReturned, static_cast<uint32_t>(i) + 1, {}};
    return unknown(AsyncUnknown::kNoMachine, i);
  }

  void note_unseen(size_t frame) {
    if (unseen_ == 0) unseen_ = static_cast<uint32_t>(frame) + 1;
  }

  static AsyncRoot unknown(AsyncUnknown why, size_t frame) {
    return {AsyncFind::kUnknown, static_cast<uint32_t>(frame) + 1, {}, why};
  }

  // First where it was the last time, then in its own frame and the registers, then in the frames that it
  // called, which may have saved its registers. Its own frame has registers of its callers, too: where one of
  // them runs another call of the same method, all is looked through, and two are none.
  void search(size_t i) {
    const uint64_t top = top_ = stack_.stack_pointer(i + 1);
    const bool known_caller = stack_.frame(i + 1).managed() && stack_.knows_stack_pointer(i + 2);
    callers_top_ = known_caller ? stack_.stack_pointer(i + 2) : 0;
    const wire::Frame frame = stack_.frame(i);
    const bool alone = !stack_.is_again(i, kFirstMachine + machine_number_);
    const uint32_t below = alone ? known_.hints.find(frame) : 0;
    if (below != 0 && top - below >= stack_.leaf().sp()) {
      look_at_word(top - below);
      if (running_.type != nullptr) return;
    }
    uint64_t found_at = 0;
    look_through(stack_.stack_pointer(i), top, &found_at);
    const bool in_frame = found_at != 0;
    if (!in_frame || !alone) look_at_registers(stack_.is_leaf(i));
    const bool has_returned = finished_ && running_.type == nullptr;
    for (size_t callee = i; callee-- > 0 && !(alone && running_.type != nullptr);) {
      if (top - stack_.stack_pointer(callee) > SearchedStack::kMostBytes) break;
      look_through(stack_.stack_pointer(callee), stack_.stack_pointer(callee + 1), &found_at);
    }
    // Frames that were left out below the first one: those of the agent, in a callback.
    if (!(alone && running_.type != nullptr))
      look_through(stack_.leaf().sp(), stack_.stack_pointer(0), &found_at);
    several_ |= has_returned && running_.type != nullptr;
    if (alone && in_frame && !several_) known_.hints.keep(frame, static_cast<uint32_t>(top - found_at));
  }

  // frames[i] calls the delegate of a task, whose awaiters await what it called.
  AsyncRoot look_at_task(size_t i) {
    if (i == 0) return {};
    AsyncObject task;
    switch (find_running_task(stack_, i, known_, heap_, &task)) {
      case TaskFind::kNone:
        return {};
      case TaskFind::kNotReadable:
        return unknown(AsyncUnknown::kNoMachine, i - 1);
      case TaskFind::kFound:
        break;
    }
    return {AsyncFind::kFound, static_cast<uint32_t>(i), task};
  }

  void look_through(uint64_t from, uint64_t to, uint64_t* found_at) {
    if (to < from || to - from > SearchedStack::kMostBytes) return;
    for (uint64_t word = from & ~uint64_t{7}; word < to; word += 8) {
      if (look_at_word(word) && *found_at == 0) *found_at = word;
    }
  }

  bool look_at_word(uint64_t address) {
    uint64_t value = 0;
    return stack_.load_word(address, &value) && consider(value);
  }

  void look_at_registers(bool leaf) {
    if (leaf) {
      for (const uint64_t value : stack_.leaf().r) consider(value);
      return;
    }
    for (const Reg reg : kSavedRegisters) consider(stack_.leaf().r[reg]);
  }

  // True where it is the state machine that is looked for, and runs.
  bool consider(uint64_t value) {
    if (stack_.contains(value)) {
      const bool runs = runs_on_stack(value);
      on_stack_ |= runs;
      in_caller_ |= runs && value + machine_->state_at.load(std::memory_order_relaxed) < callers_top_;
      return false;
    }
    if (machine_->is_object.load(std::memory_order_relaxed)) return consider_object(value, 0);
    for (const auto& known : machine_->places) {
      const uint32_t place = known.load(std::memory_order_relaxed);
      if (place == 0) break;
      if (value > place && consider_object(value - place, place)) return true;
    }
    return false;
  }

  // A state machine in a caller's frame, which runs: the method was started there, by code that was inlined.
  bool runs_on_stack(uint64_t value) const {
    const uint64_t state_at = machine_->state_at.load(std::memory_order_relaxed);
    uint64_t word = 0;
    const bool is_known = machine_->places[0].load(std::memory_order_relaxed) != 0;
    if (value < top_ || value % 8 != 0 || !is_known || machine_->is_object.load(std::memory_order_relaxed))
      return false;
    const uint64_t at = value + state_at;
    if (!stack_.load_word(at & ~uint64_t{7}, &word)) return false;
    return static_cast<int32_t>(word >> (at % 8 * 8)) == kRunning;
  }

  bool consider_object(uint64_t address, uint32_t place) {
    if (!heap_.may_be_object(address)) return false;
    if (address == running_.address) return true;
    AsyncObject object;
    int32_t state = 0;
    if (!read_async_object(address, known_.types, heap_, &object, &state)) return false;
    if (object.type->machine != machine_number_ ||
        (object.type->kind == AsyncKind::kBox ? place == 0 || object.type->machine_at != place : place != 0))
      return false;
    finished_ |= state == kFinished;
    if (state != kRunning) return false;
    several_ |= running_.type != nullptr;
    running_ = object;
    return true;
  }

  const SearchedStack stack_;
  const AsyncKnowledge& known_;
  HeapReader& heap_;
  uint32_t machine_number_ = 0;
  const AsyncMachine* machine_ = nullptr;
  AsyncObject running_;
  bool saw_task_ = false;
  bool several_ = false, finished_ = false, on_stack_ = false, in_caller_ = false;
  uint64_t top_ = 0;          // the caller's stack pointer
  uint64_t callers_top_ = 0;  // of managed code, its caller's; 0: it is not
  uint32_t unseen_ = 0;
};

// What ends a chain that does not end with a method that nobody awaits.
wire::Frame marker(const AsyncChain& chain) {
  return chain.end == AsyncEnd::kTooDeep     ? wire::Frame::at_address(wire::FrameKind::kLeftOut, 0)
         : chain.end == AsyncEnd::kCompleted ? wire::Frame::async_completed()
                                             : wire::Frame::async_unknown(chain.why);
}

}  // namespace

WALKABOUT_HOT AsyncRoot find_resumed(const WalkedStackView& stack, const AsyncKnowledge& known,
                                     HeapReader& heap) {
  return Finder(stack, known, heap).find();
}

WALKABOUT_HOT AsyncStack find_awaiters(const WalkedStackView& stack, const AsyncKnowledge& known,
                                       HeapReader& heap, std::span<wire::Frame> awaiters) {
  Finder finder(stack, known, heap);
  for (size_t from = 0;;) {
    const AsyncRoot root = finder.find(from);
    AsyncStack result{root.joint, 0, root.unseen};
    if (root.found == AsyncFind::kNone) return result;
    if (root.found != AsyncFind::kFound) {
      awaiters[result.count++] = root.found == AsyncFind::kReturned ? wire::Frame::async_completed()
                                                                    : wire::Frame::async_unknown(root.why);
      return result;
    }
    const AsyncChain chain =
        follow_awaiters(root.method, known.types, heap, awaiters.first(awaiters.size() - 1));
    if (root.method.type->kind == AsyncKind::kTask && chain.end == AsyncEnd::kRoot && chain.count == 0) {
      from = root.joint;  // nobody awaits the task: what runs it is the caller
      continue;
    }
    result.count = chain.count;
    if (chain.end != AsyncEnd::kRoot) awaiters[result.count++] = marker(chain);
    return result;
  }
}

}  // namespace walkabout::unwind
