#include "unwind/async/async_root.h"

#include <algorithm>

#include "base/hot.h"

namespace walkabout::unwind {
namespace {

constexpr uint64_t kMostBytes = 32 * 1024;  // of the stack, that are looked through for one pointer

class Finder {
 public:
  Finder(const WalkedStackView& stack, const AsyncKnowledge& known, HeapReader& heap)
      : stack_(stack), known_(known), heap_(heap) {}

  AsyncRoot find() {
    const size_t frames = std::min(stack_.frames.size(), stack_.stack_pointers.size());
    for (size_t i = 0; i < frames; ++i) {
      const wire::Frame frame = stack_.frames[i];
      if (frame.kind() == wire::FrameKind::kUnreported) return at(AsyncFind::kNotLearnt, i);
      if (!frame.managed()) continue;
      const uint32_t role = known_.methods.role_of(frame);
      if (role == kRoleUnseen) return at(AsyncFind::kNotLearnt, i);
      if (role < kRoleOpaque) continue;
      const AsyncRoot result = look_at(i, role);
      if (result.found != AsyncFind::kNone) return result;
    }
    return frames < stack_.frames.size() ? at(AsyncFind::kUnknown, frames - 1) : AsyncRoot();
  }

 private:
  // kNone: it was started, its caller is on the stack.
  AsyncRoot look_at(size_t i, uint32_t role) {
    const uint32_t caller = caller_role(i);
    if (caller == kRoleStarter || caller >= kRoleOpaque) return {};
    if (caller == kRoleUnseen) return at(AsyncFind::kNotLearnt, std::min(i + 1, stack_.frames.size() - 1));
    machine_number_ = role - kFirstMachine;
    machine_ = role < kFirstMachine ? nullptr : known_.methods.machine(machine_number_);
    if (machine_ == nullptr || i + 1 >= stack_.stack_pointers.size()) return at(AsyncFind::kUnknown, i);
    running_ = {};
    several_ = finished_ = false;
    search(i);
    if (several_) return at(AsyncFind::kUnknown, i);
    if (running_.type != nullptr) return at(AsyncFind::kFound, i);
    return at(finished_ ? AsyncFind::kReturned : AsyncFind::kUnknown, i);
  }

  AsyncRoot at(AsyncFind found, size_t frame) const {
    return {found, static_cast<uint32_t>(frame) + 1, found == AsyncFind::kFound ? running_ : AsyncObject()};
  }

  uint32_t caller_role(size_t i) const {
    for (size_t caller = i + 1; caller < stack_.frames.size(); ++caller) {
      const wire::Frame frame = stack_.frames[caller];
      if (frame.managed()) return known_.methods.role_of(frame);
      if (frame.kind() != wire::FrameKind::kStub) break;
    }
    return kRoleOrdinary;
  }

  // First where it was the last time, then in its own frame and the registers, then in those of the frames
  // that it called, which may have saved its registers.
  void search(size_t i) {
    const uint64_t top = stack_.stack_pointers[i + 1];
    const wire::Frame frame = stack_.frames[i];
    if (const uint32_t below = known_.hints.find(frame); below != 0 && top - below >= stack_.leaf.sp()) {
      look_at_word(top - below);
      if (running_.type != nullptr) return;
    }
    uint64_t found_at = 0;
    look_through(stack_.stack_pointers[i], top, &found_at);
    look_at_registers(i == 0);
    for (size_t callee = i; callee-- > 0 && running_.type == nullptr && !finished_;) {
      if (top - stack_.stack_pointers[callee] > kMostBytes) return;
      look_through(stack_.stack_pointers[callee], stack_.stack_pointers[callee + 1], &found_at);
    }
    if (found_at != 0 && !several_) known_.hints.keep(frame, static_cast<uint32_t>(top - found_at));
  }

  void look_through(uint64_t from, uint64_t to, uint64_t* found_at) {
    if (to < from || to - from > kMostBytes) return;
    for (uint64_t word = from & ~uint64_t{7}; word < to; word += 8) {
      if (look_at_word(word)) *found_at = word;
    }
  }

  bool look_at_word(uint64_t address) {
    uint64_t value = 0;
    if (address < stack_.stack.lo || address + 8 > stack_.stack.hi) return false;
    return stack_.stack.load64(address, &value) && consider(value);
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
    if (value >= stack_.stack.lo && value < stack_.stack.hi) return false;
    if (machine_->is_object.load(std::memory_order_relaxed)) return consider_object(value, 0);
    for (const auto& known : machine_->places) {
      const uint32_t place = known.load(std::memory_order_relaxed);
      if (place == 0) break;
      if (value > place && consider_object(value - place, place)) return true;
    }
    return false;
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
  bool several_ = false, finished_ = false;
};

wire::Frame marker(AsyncEnd end) {
  return end == AsyncEnd::kTooDeep     ? wire::Frame::at_address(wire::FrameKind::kLeftOut, 0)
         : end == AsyncEnd::kCompleted ? wire::Frame::async_completed()
                                       : wire::Frame::async_unknown();
}

}  // namespace

WALKABOUT_HOT AsyncRoot find_resumed(const WalkedStackView& stack, const AsyncKnowledge& known,
                                     HeapReader& heap) {
  return Finder(stack, known, heap).find();
}

WALKABOUT_HOT AsyncStack find_awaiters(const WalkedStackView& stack, const AsyncKnowledge& known,
                                       HeapReader& heap, std::span<wire::Frame> awaiters) {
  const AsyncRoot root = find_resumed(stack, known, heap);
  AsyncStack result{root.joint, 0};
  switch (root.found) {
    case AsyncFind::kNone:
      return {};
    case AsyncFind::kNotLearnt:
      awaiters[result.count++] = wire::Frame::async_not_learnt();
      return result;
    case AsyncFind::kUnknown:
    case AsyncFind::kReturned:
      awaiters[result.count++] = wire::Frame::async_unknown();
      return result;
    case AsyncFind::kFound:
      break;
  }
  const AsyncChain chain =
      follow_awaiters(root.method, known.types, heap, awaiters.first(awaiters.size() - 1));
  result.count = chain.count;
  if (chain.end != AsyncEnd::kRoot) awaiters[result.count++] = marker(chain.end);
  return result;
}

}  // namespace walkabout::unwind
