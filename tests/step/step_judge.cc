#include "tests/step/step_judge.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "agent/linux/handler/self_memory.h"
#include "tests/step/instruction.h"

namespace walkabout::agent::step {
namespace {

// The code of an instruction that is executed next: it is mapped, but the page behind it need not be.
size_t read_code(uint64_t pc, uint8_t* bytes, size_t size) {
  const uint64_t page_left = 4096 - pc % 4096;
  const size_t here = std::min<size_t>(size, page_left);
  std::memcpy(bytes, reinterpret_cast<const void*>(pc), here);
  if (here == size || read_self(nullptr, pc + here, bytes + here, size - here)) return size;
  return here;
}

}  // namespace

Judge::Judge(const unwind::CodeMap& code, unwind::ReaderGate& gate)
    : code_(code),
      gate_(gate),
      memo_(unwind::map_memo()),
      frames_(kCapacity),
      loads_(kMaxLoads),
      by_code_(kMaxCodes),
      examples_(kMaxExamples),
      replacements_(kMaxReplacements) {}

void Judge::begin(StackBounds stack, uint64_t runtime_thread) {
  shadow_.clear();
  figures_ = {};
  std::fill(by_code_.begin(), by_code_.end(), 0);
  example_count_ = 0;
  stack_ = stack;
  runtime_thread_ = runtime_thread;
  fault_pc_ = 0;
  was_call_ = was_return_ = false;
  is_first_ = true;
}

void Judge::note_replacement(uint64_t entry) {
  const uint32_t i = replacement_count_.fetch_add(1, std::memory_order_relaxed);
  if (i < kMaxReplacements) replacements_[i].store(entry, std::memory_order_release);
}

bool Judge::is_replacement(uint64_t pc) const {
  const uint32_t n = std::min(replacement_count_.load(std::memory_order_relaxed), kMaxReplacements);
  for (uint32_t i = 0; i < n; ++i) {
    if (replacements_[i].load(std::memory_order_acquire) == pc) return true;
  }
  return false;
}

// Keeps what was read, to see from where a return address came.
bool Judge::load(void* self, uint64_t address, void* to, size_t size) {
  auto* judge = static_cast<Judge*>(self);
  if (address >= judge->readable_lo_ && address < judge->stack_.hi && size <= judge->stack_.hi - address)
    std::memcpy(to, reinterpret_cast<const void*>(address), size);
  else if (!read_self(nullptr, address, to, size))
    return false;
  if (size == 8 && judge->load_count_ < kMaxLoads) {
    Load& kept = judge->loads_[judge->load_count_++];
    kept.address = address;
    std::memcpy(&kept.value, to, size);
  }
  return true;
}

unwind::WalkOutcome Judge::walk(const unwind::Registers& regs, bool with_memo) {
  const bool on_own_stack = regs.sp() >= stack_.lo && regs.sp() < stack_.hi;
  readable_lo_ = on_own_stack ? regs.sp() - unwind::kRedZone : stack_.hi;
  unwind::Memory memory;
  memory.runtime_thread = runtime_thread_;
  if (with_memo) {
    memory.lo = readable_lo_, memory.hi = stack_.hi;
    memory.slow = read_self;
  } else {
    memory.slow = load;
    memory.context = this;
  }
  load_count_ = 0;
  unwind::FrameSink sink(frames_.data(), kCapacity);
  const unwind::WalkOutcome outcome =
      unwind::walk(regs, memory, code_, sink, with_memo ? memo_.get() : nullptr);
  frame_count_ = sink.finish();
  for (uint32_t i = 0; i < frame_count_; ++i) {  // the truth knows no more than the map
    if (frames_[i].unmapped()) frames_[i] = frames_[i].as_unnamed();
  }
  return outcome;
}

// The walk at the first instruction gives the callers above it.
bool Judge::first(const unwind::Registers& regs) {
  is_first_ = false;
  if (walk(regs, false).end != wire::WalkEnd::kRooted || frame_count_ >= kCapacity) return false;
  auto from = loads_.begin();
  const auto end = loads_.begin() + load_count_;
  // Into the shadow stack root first: found leaf first, so kept in the loads' own places.
  uint32_t found = 0;
  for (uint32_t i = 1; i < frame_count_; ++i) {
    from = std::find_if(from, end, [&](const Load& l) {
      return l.value > 4096 && unwind::name_address(code_, l.value, false) == frames_[i];
    });
    if (from == end) return false;
    loads_[found++] = *from++;
  }
  for (uint32_t i = found; i-- > 0;) {
    if (!shadow_.push({loads_[i].address, loads_[i].value, frames_[i + 1]})) return false;
  }
  return true;
}

void Judge::follow(const unwind::Registers& regs) {
  uint64_t ret = 0;
  if (was_call_) std::memcpy(&ret, reinterpret_cast<const void*>(regs.sp()), sizeof ret);
  const bool elsewhere = was_return_ && returned_elsewhere(regs);
  if (was_call_ && ret - previous_pc_ <= kLongestInstruction) {
    shadow_.push({regs.sp(), ret, unwind::name_address(code_, ret, false)});
    ++figures_.calls;
  } else if (!elsewhere) {
    shadow_.settle(regs.sp());
    if (is_replacement(regs.pc())) shadow_.abandon(regs.sp());
  }
  if (fault_pc_ != 0 && !shadow_.on_alternate(regs.sp())) push_fault_frame(regs.sp());
  uint8_t bytes[kLongestInstruction];
  const std::span<const uint8_t> code(bytes, read_code(regs.pc(), bytes, sizeof bytes));
  was_call_ = is_call(code);
  was_return_ = is_return(code);
  in_register_ = elsewhere || goes_elsewhere(regs, code) || jumps_long(regs, code);
}

// The call that has returned was called from somewhere else: the runtime has replaced its return address, so
// it is in the runtime now, called by its caller. The address itself lies in no word of the stack yet.
bool Judge::returned_elsewhere(const unwind::Registers& regs) {
  shadow_.settle(regs.sp() - 8);
  if (shadow_.size() == 0 || shadow_.caller(0).slot != regs.sp() - 8) return false;
  if (shadow_.caller(0).ret == regs.pc()) return false;
  ++figures_.hijacked;
  return true;
}

void Judge::faulted(const ucontext_t& interrupted) {
  const unwind::ReaderGate::Reader inside(gate_);
  const auto frame = reinterpret_cast<uint64_t>(&interrupted);
  const auto pc = static_cast<uint64_t>(interrupted.uc_mcontext.gregs[REG_RIP]);
  const auto alternate = reinterpret_cast<uint64_t>(interrupted.uc_stack.ss_sp);
  shadow_.set_alternate(alternate, alternate + interrupted.uc_stack.ss_size);
  shadow_.settle(static_cast<uint64_t>(interrupted.uc_mcontext.gregs[REG_RSP]));
  // Source: struct rt_sigframe in the kernel: the handler's return address, then the ucontext.
  uint64_t trampoline = 0;
  std::memcpy(&trampoline, reinterpret_cast<const void*>(frame - 8), sizeof trampoline);
  shadow_.push({reinterpret_cast<uint64_t>(&interrupted.uc_mcontext.gregs[REG_RIP]), pc,
                unwind::name_address(code_, pc, true)});
  shadow_.push({frame - 8, trampoline, unwind::name_address(code_, trampoline, false)});
  fault_pc_ = shadow_.on_alternate(frame) ? pc : 0;
  was_call_ = was_return_ = false;
  ++figures_.faults;
}

// The runtime goes on with a fault on the stack it happened on: there it puts a frame that looks as if the
// faulting instruction had called (fault's pc; rbp; return address). Source: ExecuteHandlerOnOriginalStack,
// src/coreclr/pal/src/exception/signal.cpp.
void Judge::push_fault_frame(uint64_t sp) {
  uint64_t words[3];
  std::memcpy(words, reinterpret_cast<const void*>(sp), sizeof words);
  const uint64_t pc = std::exchange(fault_pc_, 0);
  if (words[2] != pc) return;  // it went back to where it was interrupted
  shadow_.push({sp + 16, pc, unwind::name_address(code_, pc, true)});
  shadow_.push({sp, words[0], unwind::name_address(code_, words[0], false)});
}

// From where longjmp has everything in registers its callers are those of where it goes, which is the first.
bool Judge::jumps_long(const unwind::Registers& regs, std::span<const uint8_t> code) {
  uint8_t before[kLongJumpBytes];
  if (code.empty() || (code[0] != 0x48 && code[0] != 0x4c && code[0] != 0x89 && code[0] != 0xff))
    return false;
  if (!read_self(nullptr, regs.pc() - sizeof before, before, sizeof before)) return false;
  uint8_t ahead[kLongJumpBytes];
  if (!is_long_jump(before, {ahead, read_code(regs.pc(), ahead, sizeof ahead)})) return false;
  const uint64_t sp = regs.r[unwind::kR8], pc = regs.r[unwind::kRdx];
  if (code[0] == 0xff) ++figures_.long_jumps;
  shadow_.settle(sp);
  return shadow_.push({sp - 8, pc, unwind::name_address(code_, pc, false)});
}

// Everything is loaded but the pc: the callers are the target's, and the target itself is the first.
bool Judge::goes_elsewhere(const unwind::Registers& regs, std::span<const uint8_t> code) {
  uint8_t before[8];
  if (code.empty() || (code[0] != 0xff && code[0] != 0x48 && code[0] != 0x50)) return false;
  if (!read_self(nullptr, regs.pc() - sizeof before, before, sizeof before)) return false;
  if (is_thrown_for_another(before, code)) {
    uint64_t pc = regs.r[unwind::kRax];
    if (code[0] == 0x48)
      std::memcpy(&pc, reinterpret_cast<const void*>(regs.r[unwind::kRdi] + 0xf8), sizeof pc);
    shadow_.push({regs.sp() - 8, pc, unwind::name_address(code_, pc, false)});
    return true;
  }
  if (!is_context_jump(before, code)) return false;
  const uint64_t target = regs.r[unwind::kRax];
  if (is_replacement(target)) shadow_.abandon(regs.sp());
  return shadow_.push({regs.sp() - 8, target, unwind::name_address(code_, target, true)});
}

// *at: the first frame that is not the truth's.
bool Judge::chain_differs(uint32_t* at) {
  const size_t n = shadow_.size();
  for (uint32_t i = 0; i < n; ++i) {
    *at = i + 1;
    if (i + 1 >= frame_count_) return true;
    Call& call = shadow_.caller(i);
    if (frames_[i + 1] == call.frame) continue;
    call.frame = unwind::name_address(code_, call.ret, false);  // its code may have got a name since
    if (frames_[i + 1] != call.frame) return true;
  }
  *at = static_cast<uint32_t>(n) + 1;
  return frame_count_ != n + 1;
}

bool Judge::read_from_slots() const {
  auto from = loads_.begin();
  const auto end = loads_.begin() + load_count_;
  for (size_t i = in_register_ ? 1 : 0; i < shadow_.size(); ++i) {
    const uint64_t slot = shadow_.caller(i).slot;
    from = std::find_if(from, end, [&](const Load& l) { return l.address == slot; });
    if (from++ == end) return false;
  }
  return true;
}

bool Judge::any_replaced() const {
  for (size_t i = in_register_ ? 1 : 0; i < shadow_.size(); ++i) {
    uint64_t now = 0;
    std::memcpy(&now, reinterpret_cast<const void*>(shadow_.caller(i).slot), sizeof now);
    if (now != shadow_.caller(i).ret) return true;
  }
  return false;
}

// A C++ exception lands (.NET 8 throws its own that way): the unwinder puts the landing pad and the registers
// of that frame over its own saved ones, so that it returns there. The frames between are gone while the
// unwinder still runs; nobody can see them any more. So: the unwinder's frames as they are, then at most the
// landing pad, then the callers of its frame.
bool Judge::being_unwound(uint32_t first_difference) const {
  if (first_difference == 0 || first_difference > frame_count_) return false;
  // The frame that asked it to resume is found by a register it has written over already.
  const auto is_unwinders = [&](uint32_t i) {
    return frames_[i].has_code() && frames_[i].code() == unwinder_;
  };
  if (!unwinder_.valid()) return false;
  if (!is_unwinders(first_difference - 1) && (first_difference < 3 || !is_unwinders(first_difference - 2)))
    return false;
  const uint32_t walked = frame_count_ - first_difference;
  const auto truth = static_cast<uint32_t>(shadow_.size()) + 1 - first_difference;
  uint32_t same = 0;  // from the root
  while (same < std::min(walked, truth) &&
         frames_[frame_count_ - 1 - same] == shadow_.caller(shadow_.size() - 1 - same).frame) {
    ++same;
  }
  return same > 0 && walked - same <= 1;
}

void Judge::count(wire::Frame leaf) {
  switch (leaf.kind()) {
    case wire::FrameKind::kNative:
      ++figures_.native;
      break;
    case wire::FrameKind::kReadyToRun:
      ++figures_.ready_to_run;
      break;
    case wire::FrameKind::kJitted:
      ++by_code_[std::min(leaf.code().value, kMaxCodes - 1)];
      break;
    default:
      ++figures_.stub;
      break;
  }
}

void Judge::keep_example(const unwind::Registers& regs, const unwind::WalkOutcome& outcome,
                         uint32_t difference, bool with_memo, bool slots) {
  if (example_count_ == kMaxExamples) return;
  Example& e = examples_[example_count_];
  e = {};
  e.regs = regs;
  e.previous_pc = previous_pc_;
  e.end = outcome.end;
  e.with_memo = with_memo;
  e.slots = slots;
  e.replaced = any_replaced();
  e.walked_count = frame_count_;
  e.true_count = static_cast<uint32_t>(shadow_.size()) + 1;
  e.first_difference = difference;
  const uint32_t from = difference < 2 ? 0 : difference - 2;
  for (uint32_t i = 0; i < Example::kFrames; ++i) {
    if (from + i < frame_count_) e.walked[i] = frames_[from + i];
    if (from + i == 0)
      e.truth[i] = unwind::name_address(code_, regs.pc(), true);
    else if (from + i <= shadow_.size())
      e.truth[i] = shadow_.caller(from + i - 1).frame;
  }
  // Of a row of instructions that are wrong in the same way the first will do.
  const uint32_t d = difference - from;
  for (uint32_t i = 0; i < example_count_; ++i) {
    const Example& known = examples_[i];
    const uint32_t k = known.first_difference - (known.first_difference < 2 ? 0 : known.first_difference - 2);
    if (known.walked[k] == e.walked[d] && known.truth[k] == e.truth[d]) return;
  }
  ++example_count_;
  (void)read_self(nullptr, regs.sp(), e.stack, sizeof e.stack);
  read_code(regs.pc(), e.code, sizeof e.code);
}

bool Judge::at(const unwind::Registers& regs) {
  const unwind::ReaderGate::Reader inside(gate_);
  if (is_first_ && !first(regs)) return false;
  follow(regs);
  if (shadow_.size() + 1 >= kCapacity) return false;
  ++figures_.steps;
  figures_.deepest = std::max<uint64_t>(figures_.deepest, shadow_.size());
  bool wrong = false;
  for (const bool with_memo : {false, true}) {
    const unwind::WalkOutcome outcome = walk(regs, with_memo);
    if (!with_memo) count(frames_[0]);
    uint32_t difference = 0;
    const bool differs = chain_differs(&difference);
    const bool slots = !differs && !with_memo && !read_from_slots();
    const bool rooted = outcome.end == wire::WalkEnd::kRooted;
    if (!differs && !slots && rooted) continue;
    if (differs && rooted && being_unwound(difference)) {
      if (!with_memo) ++figures_.unwinding;
      continue;
    }
    if (with_memo && !wrong) ++figures_.wrong_memo;
    if (!with_memo && !rooted) ++figures_.not_rooted;
    if (!with_memo && any_replaced()) ++figures_.replaced;
    if (!wrong) {
      ++figures_.wrong;
      keep_example(regs, outcome, difference, with_memo, slots);
    }
    wrong = true;
  }
  previous_pc_ = regs.pc();
  return true;
}

}  // namespace walkabout::agent::step
