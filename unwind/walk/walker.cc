#include "unwind/walk/walker.h"

#include "base/hot.h"
#include "unwind/cfi/cfi_interpret.h"
#include "unwind/machine/call_site.h"
#include "unwind/managed/managed_step.h"
#include "unwind/rule/cfi_step.h"
#include "unwind/walk/hijack.h"
#include "unwind/walk/restore_step.h"
#include "unwind/walk/stub_step.h"
#include "unwind/walk/unreported_method.h"

namespace walkabout::unwind {
namespace {

using wire::Frame;
using wire::FrameKind;
using wire::WalkEnd;

// Where pc is: at most one of region and image is set.
struct Place {
  const JitRegion* region = nullptr;
  const Image* image = nullptr;
  ManagedFunction function;  // with a memo only
  JitRegion remembered;      // what region may point to

  bool managed() const { return region != nullptr || (image != nullptr && image->managed); }
  bool native() const { return image != nullptr && !image->managed; }
};

void take(const MemoPlace& known, Place* place) {
  place->region = nullptr;
  place->image = known.image;
  place->function = known.function;
  if (known.image != nullptr) return;
  place->remembered.begin = known.function.begin;
  place->remembered.size = static_cast<uint32_t>(known.function.end - known.function.begin);
  place->remembered.method_start = known.method_start;
  place->remembered.unwind = known.unwind;
  place->remembered.unwind_size = known.unwind_size;
  place->remembered.code.store(known.code, std::memory_order_relaxed);
  place->region = &place->remembered;
}

void keep(uint64_t pc, Place* place, WalkMemo* memo) {
  if (const JitRegion* region = place->region; region != nullptr) {
    place->function = jitted_function(*region);
    memo->keep_place(pc, {place->function, nullptr, region->method_start, region->unwind, region->unwind_size,
                          region->code.load(std::memory_order_relaxed)});
  } else if (place->native()) {
    memo->keep_place(pc, {{place->image->begin, place->image->end}, place->image});
  } else if (place->managed() && ready_to_run_function(*place->image, pc, &place->function)) {
    memo->keep_place(pc, {place->function, place->image});
  }
}

// With a memo (it may be null), most addresses lie where one before them lay.
WALKABOUT_HOT void locate(const CodeMap& code, uint64_t pc, WalkMemo* memo, Place* place) {
  if (const MemoPlace* known = memo != nullptr ? memo->find_place(pc) : nullptr; known != nullptr)
    return take(*known, place);
  place->region = nullptr;
  place->function = {};
  place->image = code.images->find(pc);
  if (place->image == nullptr) place->region = code.jitted->find(pc);
  if (memo != nullptr) keep(pc, place, memo);
}

WALKABOUT_HOT Frame frame_of(const Place& place, uint64_t pc) {
  if (place.region != nullptr) {
    return Frame::in_code(FrameKind::kJitted,
                          base::CodeId(place.region->code.load(std::memory_order_relaxed)),
                          static_cast<uint32_t>(pc - place.region->method_start));
  }
  if (place.image != nullptr) {
    return Frame::in_code(place.image->managed ? FrameKind::kReadyToRun : FrameKind::kNative,
                          place.image->code, static_cast<uint32_t>(pc - place.image->base));
  }
  return Frame::at_address(FrameKind::kStub, pc);
}

Step to_step(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return Step::kStepped;
    case StepStatus::kOutermost:
      return Step::kRoot;
    case StepStatus::kBadMemory:
      return Step::kBadMemory;
    default:
      return Step::kNoRule;
  }
}

Step step_interpreted(const CfiSection& cfi, bool interrupted, Registers& regs, const Memory& memory,
                      bool* signal_frame) {
  CfiRule rule;
  if (cfi_interpret(cfi, lookup_of(regs.pc(), interrupted), &rule) != CfiStatus::kOk) return Step::kNoRule;
  if (interrupted && by_callers_bp(rule)) return step_restoring(regs, memory);
  *signal_frame = rule.signal_frame;
  return to_step(cfi_step(rule, regs, memory));
}

Step step_native(const Image& image, bool interrupted, Registers& regs, const Memory& memory,
                 bool* signal_frame) {
  // acquire: partner of the release where the compiled table is attached.
  const CfiTable* table = image.table.load(std::memory_order_acquire);
  if (table == nullptr) {
    image.interpreted.fetch_add(1, std::memory_order_relaxed);
    return step_interpreted(image.cfi, interrupted, regs, memory, signal_frame);
  }
  const CompactRule* rule = table->find(lookup_of(regs.pc(), interrupted));
  if (rule == nullptr) return Step::kNoRule;
  if (interrupted && by_callers_bp(*rule)) return step_restoring(regs, memory);
  *signal_frame = rule->signal_frame();
  return to_step(cfi_step(*rule, regs, memory));
}

Step step_new_module(const CodeMap& code, bool interrupted, Registers& regs, const Memory& memory,
                     bool* signal_frame) {
  CfiSection cfi;
  if (code.find_new_module == nullptr || !code.find_new_module(lookup_of(regs.pc(), interrupted), &cfi))
    return Step::kNoRule;
  return step_interpreted(cfi, interrupted, regs, memory, signal_frame);
}

// The step out of a frame as a rule that can be remembered. False when it cannot be put so.
WALKABOUT_HOT bool rule_of(const Place& place, const Registers& regs, bool interrupted, const Memory& memory,
                           CompactRule* rule) {
  if (place.managed()) {
    *rule = place.function.rule;
    return rule_holds(place.function, regs.pc(), interrupted, memory);
  }
  if (place.image == nullptr) return false;
  // acquire: partner of the release where the compiled table is attached.
  const CfiTable* table = place.image->table.load(std::memory_order_acquire);
  if (table == nullptr) return false;
  const CompactRule* found = table->find(lookup_of(regs.pc(), interrupted));
  if (found == nullptr || found->signal_frame() || (interrupted && by_callers_bp(*found))) return false;
  *rule = *found;
  return true;
}

WalkEnd end_of(Step step) {
  if (step == Step::kRoot) return WalkEnd::kRooted;
  return step == Step::kBadMemory ? WalkEnd::kBadMemory : WalkEnd::kNoUnwindInfo;
}

}  // namespace

wire::Frame name_address(const CodeMap& code, uint64_t pc, bool interrupted) {
  Place place;
  locate(code, lookup_of(pc, interrupted), nullptr, &place);
  return frame_of(place, pc);
}

namespace {

class Walk {
 public:
  Walk(const Registers& leaf, const Memory& memory, const CodeMap& code, FrameSink& sink, WalkMemo* memo,
       Seed seed)
      : regs_(leaf), memory_(memory), code_(code), sink_(sink), memo_(memo), seed_(seed) {}

  WalkOutcome run() {
    if (memo_ != nullptr)
      memo_->begin(code_.generation != nullptr ? code_.generation->load(std::memory_order_acquire) : 0);
    bool interrupted = true;  // pc is exact: the leaf, or what a signal handler interrupted
    while (sink_.total() < kHardFrameLimit) {
      if (memo_ != nullptr && !interrupted && take_unchanged_rest()) return ended(WalkEnd::kRooted);
      const uint64_t sp = regs_.sp();
      outcome_.failed_pc = regs_.pc();
      outcome_.failed_sp = sp;
      bool signal_frame = false;
      const Step step = memo_ != nullptr ? remembered_step(interrupted, &signal_frame)
                                         : fresh_step(interrupted, &signal_frame);
      if (step != Step::kStepped) return ended(end_of(step));
      if (interrupted) leave_leaf(sp);
      // A signal handler may run on another stack, anywhere. Every other caller lies higher, or where the
      // interrupted function is: longjmp, once it has set the stack pointer, goes on by a register.
      const bool may_stay = signal_frame || (regs_.sp() == sp && interrupted);
      if (regs_.sp() <= sp && (!may_stay || ++stack_switches_ > kMaxStackSwitches))
        return ended(WalkEnd::kNoProgress);
      if (regs_.pc() < kLowestCode && !take_hijacked()) return ended(WalkEnd::kBadReturn);
      interrupted = signal_frame;
    }
    return ended(WalkEnd::kTooDeep);
  }

 private:
  static constexpr uint64_t kLowestCode = 4096;
  // In one walk: a damaged stack could ask at each of its frames. The second: of those that find nothing.
  static constexpr int kHijackSearches = 4, kUnreportedSearches = 8;

  WalkOutcome ended(WalkEnd end) {
    if (memo_ != nullptr) memo_->end();
    outcome_.end = end == WalkEnd::kRooted && gap_ ? WalkEnd::kGap : end;
    return outcome_;
  }

  bool take_unchanged_rest() {
    if (seed_ == Seed::kWanted && !outcome_.saw_managed) return false;
    const std::span<const SeenStep> rest = memo_->unchanged_rest(regs_, memory_);
    for (size_t i = rest.size(); i-- > 0;) {
      const MemoStep& step = rest[i].step;
      sink_.push(step.frame, rest[i].sp);
      outcome_.jit_compiler |= (step.key & kMemoJitCompiler) != 0;
      outcome_.saw_managed |= step.frame.managed();
    }
    if (rest.empty()) return false;
    outcome_.failed_pc = rest.front().step.key & kMemoAddress;
    return true;
  }

  void pass(Frame frame, bool jit_compiler) {
    sink_.push(frame, regs_.sp());
    outcome_.jit_compiler |= jit_compiler;
    left_managed_ = frame.managed();
    if (left_managed_ && !outcome_.saw_managed) {
      outcome_.saw_managed = true;
      outcome_.first_managed = regs_;
    }
  }

  // The leaf, whose stack pointer was sp, was stepped over by its rule.
  void leave_leaf(uint64_t sp) {
    // The routine that a replaced address leads to was just returned to: the address is still below the
    // stack.
    const bool returned_to = regs_.sp() == sp && regs_.pc() == outcome_.failed_pc;
    if (returned_to) take_hijacked();
    if (pushed_by_stub(sp, regs_, code_, memo_, memory_) && !take_hijacked()) leave_as_stub(sp);
  }

  // sp: of the leaf. If nothing can be verified, the result of the code's own rule stands.
  void leave_as_stub(uint64_t sp) {
    Registers leaf = regs_;  // a function without a frame has saved nothing
    leaf.sp() = sp;
    if (step_stub(true, code_, memo_, leaf, memory_) == Step::kStepped) regs_ = leaf;
  }

  // The caller, if the runtime has replaced the return address that led here.
  bool take_hijacked() {
    if (memory_.runtime_thread == 0 || hijack_searches_++ >= kHijackSearches) return false;
    const uint64_t original = find_hijacked(memory_.runtime_thread, regs_.sp() - 8, code_, memo_, memory_);
    if (original == 0) return false;
    regs_.pc() = original;
    outcome_.failed_pc = regs_.pc();
    return true;
  }

  // Where a return address lies, or the address that managed code faulted at. That one is no return address,
  // though the runtime's handler looks like a function it called (the runtime calls it on this stack, with
  // the fault's address for its return address, to make the exception of a null reference or a division by
  // zero). True: it is one.
  WALKABOUT_HOT bool locate_caller(Place* place) {
    locate(code_, regs_.pc() - 1, memo_, place);
    // Native code is asked for its call only where the runtime may have replaced the address.
    if ((place->native() && !left_managed_) || follows_call(regs_.pc(), memory_).value_or(false))
      return false;
    if (!place->native()) {
      locate(code_, regs_.pc(), memo_, place);  // the first instruction of a function may fault
      if (place->managed()) return true;
    }
    take_hijacked();
    locate(code_, regs_.pc() - 1, memo_, place);
    return false;
  }

  // Where a managed frame was interrupted is seldom met again: its function's rule is remembered, not its
  // address.
  Step remembered_step(bool interrupted, bool* signal_frame) {
    Place place;
    if (interrupted) locate(code_, regs_.pc(), memo_, &place);
    if (!place.function.plain) {
      if (const MemoStep* known = memo_->find(regs_, interrupted); known != nullptr)
        return apply(*known, interrupted);
    }
    const bool exact = interrupted || locate_caller(&place);
    MemoStep step;
    if (!rule_of(place, regs_, exact, memory_, &step.rule)) return step_at(place, exact, signal_frame);
    step.key = memo_key(regs_.pc(), interrupted);
    step.frame = frame_of(place, regs_.pc());
    if (place.image != nullptr && place.image->jit_compiler) step.key |= kMemoJitCompiler;
    // Nor is where it faulted, which is no return address: the memo must not take it for one.
    if (interrupted ? !place.function.plain : !exact) memo_->keep(regs_, step);
    return apply(step, interrupted);
  }

  Step apply(const MemoStep& step, bool interrupted) {
    pass(step.frame, (step.key & kMemoJitCompiler) != 0);
    return or_stub(to_step(cfi_step(step.rule, regs_, memory_)), interrupted);
  }

  Step fresh_step(bool interrupted, bool* signal_frame) {
    Place place;
    if (interrupted) locate(code_, regs_.pc(), memo_, &place);
    const bool exact = interrupted || locate_caller(&place);
    return step_at(place, exact, signal_frame);
  }

  // Apart from step_at(): most walks meet none, and it takes room on the stack.
  [[gnu::noinline]] bool step_unreported(bool interrupted) {
    UnreportedMethod method;
    if (unreported_searches_ >= kUnreportedSearches) return false;
    ++unreported_searches_;
    if (!find_unreported(lookup_of(regs_.pc(), interrupted), *code_.jitted, memory_, &method)) return false;
    Registers caller = regs_;
    if (step_jitted(method.region, interrupted, caller, memory_) != Step::kStepped) return false;
    --unreported_searches_;  // it may have called itself any number of times
    pass(Frame::at_address(FrameKind::kUnreported, regs_.pc()), false);
    regs_ = caller;
    left_managed_ = true;  // its return address may be replaced
    behind_gap_ = false;
    return true;
  }

  Step step_at(const Place& place, bool interrupted, bool* signal_frame) {
    const bool elf = place.native();
    const bool unknown = place.region == nullptr && place.image == nullptr;
    if (unknown && step_unreported(interrupted)) return Step::kStepped;
    pass(frame_of(place, regs_.pc()), elf && place.image->jit_compiler);
    Step step = Step::kNoRule;
    if (place.region != nullptr)
      step = step_jitted(*place.region, interrupted, regs_, memory_);
    else if (elf)
      step = step_native(*place.image, interrupted, regs_, memory_, signal_frame);
    else if (place.image != nullptr)
      step = step_ready_to_run(*place.image, interrupted, regs_, memory_);
    else
      step = step_new_module(code_, interrupted, regs_, memory_, signal_frame);
    return or_stub(step, interrupted, unknown);
  }

  Step or_stub(Step step, bool interrupted, bool unknown = false) {
    if (step != Step::kNoRule) {
      behind_gap_ = false;
      return step;
    }
    const Registers callee = regs_;
    step = step_stub(interrupted, code_, memo_, regs_, memory_);
    const bool by_frame_pointer = step == Step::kStepped && regs_.sp() == callee.bp() + 16;
    if (unknown && by_frame_pointer) note_gap(callee);
    return step;
  }

  // Code nobody knows was left by its frame pointer. In a method that another thread has just compiled, and
  // not yet reported, that may be the one of a caller's caller. One gap stands for a row of such frames.
  void note_gap(const Registers& callee) {
    if (behind_gap_ || !may_hold_return_address(callee.sp(), callee.bp(), callee.pc(), code_, memory_))
      return;
    sink_.push(Frame::gap(), regs_.sp());
    gap_ = behind_gap_ = true;
  }

  Registers regs_;
  const Memory& memory_;
  const CodeMap& code_;
  FrameSink& sink_;
  WalkMemo* memo_;
  Seed seed_;
  WalkOutcome outcome_;
  int stack_switches_ = 0;
  int hijack_searches_ = 0;
  int unreported_searches_ = 0;
  bool gap_ = false;           // the stack has one
  bool behind_gap_ = false;    // the last frame pushed was one, or unknown code behind one
  bool left_managed_ = false;  // the frame stepped out of last was managed code
};

}  // namespace

WALKABOUT_HOT WalkOutcome walk(const Registers& leaf, const Memory& memory, const CodeMap& code,
                               FrameSink& sink, WalkMemo* memo, Seed seed) {
  return Walk(leaf, memory, code, sink, memo, seed).run();
}

}  // namespace walkabout::unwind
