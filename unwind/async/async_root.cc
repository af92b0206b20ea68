#include "unwind/async/async_root.h"

#include <algorithm>
#include <utility>

#include "base/hot.h"

namespace walkabout::unwind {
namespace {

using wire::AsyncUnknown;

constexpr uint64_t kMostBytes = 32 * 1024;  // of the stack, that are looked through for one pointer

class Finder {
 public:
  Finder(const WalkedStackView& stack, const AsyncKnowledge& known, HeapReader& heap)
      : stack_(stack), known_(known), heap_(heap) {}

  AsyncRoot find() {
    AsyncRoot result;
    for (size_t i = 0; i < stack_.frames.size() && result.found == AsyncFind::kNone; ++i)
      result = look_at(i, stack_.frames[i]);
    result.unseen = unseen_;
    return result;
  }

 private:
  // kNone: it is no async method, or was started, and its caller is on the stack.
  AsyncRoot look_at(size_t i, wire::Frame frame) {
    if (frame.kind() == wire::FrameKind::kLeftOut) return unknown(AsyncUnknown::kLeftOut, i);
    const uint32_t role = role_of(frame);
    if (role == kRoleUnseen || frame.kind() == wire::FrameKind::kUnreported) note_unseen(i);
    if (is_of_task(role) && !std::exchange(saw_task_, true)) return look_at_task(i);
    if (role < kRoleOpaque) return {};
    const uint32_t caller = caller_role(i);
    if (caller == kRoleStarter || caller >= kRoleOpaque) return {};
    if (caller == kRoleUnseen) note_unseen(i);  // it may be a starter
    machine_number_ = role - kFirstMachine;
    machine_ = role < kFirstMachine ? nullptr : known_.methods.machine(machine_number_);
    if (machine_ == nullptr || i + 1 >= stack_.stack_pointers.size())
      return unknown(AsyncUnknown::kNoMachine, i);
    if (!heap_.reads()) return unknown(AsyncUnknown::kNoMachine, i);  // no box would be seen
    running_ = {};
    several_ = finished_ = on_stack_ = in_caller_ = false;
    search(i);
    if (several_) return unknown(AsyncUnknown::kSeveral, i);
    if (running_.type != nullptr) return {AsyncFind::kFound, static_cast<uint32_t>(i) + 1, running_};
    const bool started = caller == kRoleOrdinary ? on_stack_ : caller != kRoleUnseen && in_caller_;
    if (started && !finished_) return {};
    if (const AsyncRoot by_box = look_for_box(i); by_box.found != AsyncFind::kNone) return by_box;
    if (finished_) return {AsyncFind::kReturned, static_cast<uint32_t>(i) + 1};
    return unknown(AsyncUnknown::kNoMachine, i);
  }

  // The method is about to be suspended, or to return, and needs its state machine no more. The box's own
  // method that resumed it needs the box: it is in a register, or in a word up to that method's caller. The
  // only box of the method there is this one.
  AsyncRoot look_for_box(size_t i) {
    size_t resumer = i + 1;
    while (resumer < stack_.frames.size() && is_between(stack_.frames[resumer])) ++resumer;
    if (resumer + 1 >= stack_.stack_pointers.size() || role_of(stack_.frames[resumer]) != kRoleResumer ||
        stack_.leaf.pc() == 0 || machine_->is_object.load(std::memory_order_relaxed) || is_again(i))
      return {};
    const uint64_t top = stack_.stack_pointers[resumer + 1];
    if (top - stack_.leaf.sp() > kMostBytes) return {};
    box_ = {};
    several_ = false;
    for (const Reg reg : kSavedRegisters) consider_box(stack_.leaf.r[reg]);
    for (uint64_t word = stack_.leaf.sp() & ~uint64_t{7}; word < top && !several_; word += 8) {
      uint64_t value = 0;
      if (word < stack_.stack.lo || word + 8 > stack_.stack.hi || !stack_.stack.load64(word, &value))
        return {};
      consider_box(value);
    }
    if (several_ || box_.type == nullptr) return {};
    const auto joint = static_cast<uint32_t>(i) + 1;
    return box_state_ == kFinished ? AsyncRoot{AsyncFind::kReturned, joint}
                                   : AsyncRoot{AsyncFind::kFound, joint, box_};
  }

  bool is_between(wire::Frame frame) const {
    return frame.kind() == wire::FrameKind::kStub || role_of(frame) == kRoleContext;
  }

  void consider_box(uint64_t value) {
    if (value == box_.address) return;
    if (!heap_.may_be_object(value) || (value >= stack_.stack.lo && value < stack_.stack.hi)) return;
    AsyncObject object;
    int32_t state = 0;
    if (!read_async_object(value, known_.types, heap_, &object, &state) ||
        object.type->kind != AsyncKind::kBox || object.type->machine != machine_number_)
      return;
    several_ |= box_.type != nullptr;
    box_ = object;
    box_state_ = state;
  }

  void note_unseen(size_t frame) {
    if (unseen_ == 0) unseen_ = static_cast<uint32_t>(frame) + 1;
  }

  static AsyncRoot unknown(AsyncUnknown why, size_t frame) {
    return {AsyncFind::kUnknown, static_cast<uint32_t>(frame) + 1, {}, why};
  }

  uint32_t caller_role(size_t i) const {
    for (size_t caller = i + 1; caller < stack_.frames.size(); ++caller) {
      const wire::Frame frame = stack_.frames[caller];
      if (frame.managed()) return known_.methods.role_of(frame);
      if (frame.kind() == wire::FrameKind::kUnreported) return kRoleUnseen;
      if (frame.kind() != wire::FrameKind::kStub) break;
    }
    return kRoleCore;
  }

  // First where it was the last time, then in its own frame and the registers, then in the frames that it
  // called, which may have saved its registers. Its own frame has registers of its callers, too: where one of
  // them runs another call of the same method, all is looked through, and two are none.
  void search(size_t i) {
    const uint64_t top = top_ = stack_.stack_pointers[i + 1];
    const bool known_caller = stack_.frames[i + 1].managed() && i + 2 < stack_.stack_pointers.size();
    callers_top_ = known_caller ? stack_.stack_pointers[i + 2] : 0;
    const wire::Frame frame = stack_.frames[i];
    const bool alone = !is_again(i);
    const uint32_t below = alone ? known_.hints.find(frame) : 0;
    if (below != 0 && top - below >= stack_.leaf.sp()) {
      look_at_word(top - below);
      if (running_.type != nullptr) return;
    }
    uint64_t found_at = 0;
    look_through(stack_.stack_pointers[i], top, &found_at);
    const bool in_frame = found_at != 0;
    if (!in_frame || !alone) look_at_registers(is_leaf(i));
    const bool has_returned = finished_ && running_.type == nullptr;
    for (size_t callee = i; callee-- > 0 && !(alone && running_.type != nullptr);) {
      if (top - stack_.stack_pointers[callee] > kMostBytes) break;
      look_through(stack_.stack_pointers[callee], stack_.stack_pointers[callee + 1], &found_at);
    }
    // Frames that were left out below the first one: those of the agent, in a callback.
    if (!(alone && running_.type != nullptr))
      look_through(stack_.leaf.sp(), stack_.stack_pointers[0], &found_at);
    several_ |= has_returned && running_.type != nullptr;
    if (alone && in_frame && !several_) known_.hints.keep(frame, static_cast<uint32_t>(top - found_at));
  }

  // frames[i] calls the delegate of a task, whose awaiters await what it called. The last of the task's own
  // methods needs the task afterwards: it is in a register, or in a word up to that method's caller. The only
  // one there that runs is it. The stack of a task within a task has both.
  AsyncRoot look_at_task(size_t i) {
    size_t last = i;
    for (size_t next = i + 1; next < stack_.frames.size(); ++next) {
      const uint32_t role = role_of(stack_.frames[next]);
      if (!is_of_task(role)) continue;
      if (last != i || role != kRoleRunner || role_of(stack_.frames[i]) != kRoleInvoker) return {};
      last = next;
    }
    if (i == 0 || last + 1 >= stack_.stack_pointers.size()) return {};
    if (!heap_.reads()) return unknown(AsyncUnknown::kNoMachine, i - 1);
    const uint64_t top = stack_.stack_pointers[last + 1];
    if (top - stack_.leaf.sp() > kMostBytes) return {};
    AsyncRoot result{AsyncFind::kFound, static_cast<uint32_t>(i)};
    const uint32_t below = known_.hints.find(stack_.frames[last]);
    uint64_t value = 0;
    if (below != 0 && top - below >= stack_.stack_pointers[last] && load_word(top - below, &value) &&
        is_task(value, &result.method))
      return result;
    result.method = {};
    AsyncObject other;
    uint64_t found_at = 0;
    const auto consider_task = [&](uint64_t task, uint64_t at) {
      if (task == result.method.address || !is_task(task, &other)) {
        if (task != 0 && task == result.method.address) found_at = at;
        return true;
      }
      if (result.method.type != nullptr) return false;
      result.method = other;
      found_at = at;
      return true;
    };
    for (const Reg reg : kSavedRegisters) {
      if (!consider_task(stack_.leaf.r[reg], 0)) return {};
    }
    for (uint64_t word = stack_.leaf.sp() & ~uint64_t{7}; word < top; word += 8) {
      if (!load_word(word, &value) || !consider_task(value, word)) return {};
    }
    if (result.method.type == nullptr) return {};
    if (found_at >= stack_.stack_pointers[last])
      known_.hints.keep(stack_.frames[last], static_cast<uint32_t>(top - found_at));
    return result;
  }

  static bool is_of_task(uint32_t role) { return role == kRoleInvoker || role == kRoleRunner; }
  uint32_t role_of(wire::Frame frame) const {
    return frame.managed() ? known_.methods.role_of(frame) : uint32_t{kRoleOrdinary};
  }

  bool is_task(uint64_t value, AsyncObject* task) {
    return heap_.may_be_object(value) && (value < stack_.stack.lo || value >= stack_.stack.hi) &&
           read_running_task(value, known_.types, heap_, task);
  }

  bool load_word(uint64_t word, uint64_t* value) const {
    return word >= stack_.stack.lo && word + 8 <= stack_.stack.hi && stack_.stack.load64(word, value);
  }

  // Another call of the method is further out on the stack.
  bool is_again(size_t i) const {
    const uint32_t role = kFirstMachine + machine_number_;
    return std::any_of(stack_.frames.begin() + static_cast<long>(i) + 1, stack_.frames.end(),
                       [this, role](wire::Frame frame) { return role_of(frame) == role; });
  }

  // Stubs between it and the leaf leave all registers alone.
  bool is_leaf(size_t i) const {
    return std::all_of(stack_.frames.begin(), stack_.frames.begin() + static_cast<long>(i),
                       [](wire::Frame frame) { return frame.kind() == wire::FrameKind::kStub; });
  }

  void look_through(uint64_t from, uint64_t to, uint64_t* found_at) {
    if (to < from || to - from > kMostBytes) return;
    for (uint64_t word = from & ~uint64_t{7}; word < to; word += 8) {
      if (look_at_word(word) && *found_at == 0) *found_at = word;
    }
  }

  bool look_at_word(uint64_t address) {
    uint64_t value = 0;
    return load_word(address, &value) && consider(value);
  }

  void look_at_registers(bool leaf) {
    if (leaf) {
      for (const uint64_t value : stack_.leaf.r) consider(value);
      return;
    }
    for (const Reg reg : kSavedRegisters) consider(stack_.leaf.r[reg]);
  }

  // True where it is the state machine that is looked for, and runs.
  bool consider(uint64_t value) {
    if (value >= stack_.stack.lo && value < stack_.stack.hi) {
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
    if (value < top_ || value % 8 != 0 || machine_->is_object.load(std::memory_order_relaxed)) return false;
    const uint64_t at = value + state_at;
    if (at >= stack_.stack.hi || !stack_.stack.load64(at & ~uint64_t{7}, &word)) return false;
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

  const WalkedStackView& stack_;
  const AsyncKnowledge& known_;
  HeapReader& heap_;
  uint32_t machine_number_ = 0;
  const AsyncMachine* machine_ = nullptr;
  AsyncObject running_;
  bool saw_task_ = false;
  bool several_ = false, finished_ = false, on_stack_ = false, in_caller_ = false;
  AsyncObject box_;
  int32_t box_state_ = 0;
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
  const AsyncRoot root = find_resumed(stack, known, heap);
  AsyncStack result{root.joint, 0, root.unseen};
  if (root.found == AsyncFind::kNone) return result;
  if (root.found != AsyncFind::kFound) {
    awaiters[result.count++] = root.found == AsyncFind::kReturned ? wire::Frame::async_completed()
                                                                  : wire::Frame::async_unknown(root.why);
    return result;
  }
  const AsyncChain chain =
      follow_awaiters(root.method, known.types, heap, awaiters.first(awaiters.size() - 1));
  result.count = chain.count;
  if (chain.end != AsyncEnd::kRoot) awaiters[result.count++] = marker(chain);
  return result;
}

}  // namespace walkabout::unwind
