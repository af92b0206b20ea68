#include "walker/walker.h"

#include "walker/cfi_interpret.h"
#include "walker/cfi_step.h"
#include "walker/managed_step.h"
#include "walker/stub_step.h"

namespace walkabout::walker {
namespace {

using wire::Frame;
using wire::FrameKind;
using wire::WalkEnd;

// Where pc is: at most one of the two is set.
struct Place {
  const JitPiece* piece = nullptr;
  const Image* image = nullptr;
};

Place locate(const CodeMap& code, uint64_t pc) {
  Place place;
  place.image = code.images->find(pc);
  if (place.image == nullptr) place.piece = code.jitted->find(pc);
  return place;
}

Frame frame_of(const Place& place, uint64_t pc) {
  if (place.piece != nullptr) {
    return Frame::in_code(FrameKind::kJitted, base::CodeId(place.piece->code.load(std::memory_order_relaxed)),
                          static_cast<uint32_t>(pc - place.piece->body));
  }
  if (place.image != nullptr) {
    return Frame::in_code(place.image->managed ? FrameKind::kReadyToRun : FrameKind::kNative, place.image->code,
                          static_cast<uint32_t>(pc - place.image->base));
  }
  return Frame::at_address(FrameKind::kStub, pc);
}

Step to_step(StepStatus status) {
  switch (status) {
    case StepStatus::kOk: return Step::kStepped;
    case StepStatus::kOutermost: return Step::kRoot;
    case StepStatus::kBadMemory: return Step::kBadMemory;
    default: return Step::kNoRule;
  }
}

Step step_interpreted(const CfiSection& cfi, uint64_t lookup, Registers& regs, const Memory& memory, bool* signal_frame) {
  CfiRule rule;
  if (cfi_interpret(cfi, lookup, &rule) != CfiStatus::kOk) return Step::kNoRule;
  *signal_frame = rule.signal_frame;
  return to_step(cfi_step(rule, regs, memory));
}

// lookup: pc, or pc - 1 for a return address (a call may be its function's last instruction).
Step step_native(const Image& image, uint64_t lookup, Registers& regs, const Memory& memory, bool* signal_frame) {
  // acquire: partner of the release where the compiled table is attached.
  const CfiTable* table = image.table.load(std::memory_order_acquire);
  if (table == nullptr) {
    image.interpreted.fetch_add(1, std::memory_order_relaxed);
    return step_interpreted(image.cfi, lookup, regs, memory, signal_frame);
  }
  const CompactRule* rule = table->find(lookup);
  if (rule == nullptr) return Step::kNoRule;
  *signal_frame = rule->signal_frame();
  return to_step(cfi_step(*rule, regs, memory));
}

Step step_new_module(const CodeMap& code, uint64_t lookup, Registers& regs, const Memory& memory, bool* signal_frame) {
  CfiSection cfi;
  if (code.find_new_module == nullptr || !code.find_new_module(lookup, &cfi)) return Step::kNoRule;
  return step_interpreted(cfi, lookup, regs, memory, signal_frame);
}

WalkEnd end_of(Step step) {
  if (step == Step::kRoot) return WalkEnd::kRooted;
  return step == Step::kBadMemory ? WalkEnd::kBadMemory : WalkEnd::kNoUnwindInfo;
}

}  // namespace

wire::Frame name_address(const CodeMap& code, uint64_t pc, bool interrupted) {
  return frame_of(locate(code, interrupted ? pc : pc - 1), pc);
}

WalkOutcome walk(const Registers& leaf, const Memory& memory, const CodeMap& code, FrameSink& sink) {
  WalkOutcome outcome;
  Registers regs = leaf;
  bool interrupted = true;  // pc is exact: the leaf, or what a signal handler interrupted
  while (true) {
    const uint64_t pc = regs.pc();
    const uint64_t lookup = interrupted ? pc : pc - 1;
    const uint64_t sp = regs.sp();
    const Place place = locate(code, lookup);
    sink.push(frame_of(place, pc));
    outcome.failed_pc = pc;
    if (sink.total() >= kHardFrameLimit) {
      outcome.end = WalkEnd::kTooDeep;
      return outcome;
    }
    Step step = Step::kNoRule;
    bool signal_frame = false;
    if (place.piece != nullptr || (place.image != nullptr && place.image->managed)) {
      if (!outcome.saw_managed) outcome.first_managed = regs;
      outcome.saw_managed = true;
      step = place.piece != nullptr ? step_jitted(*place.piece, interrupted, regs, memory)
                                    : step_ready_to_run(*place.image, interrupted, regs, memory);
    } else if (place.image != nullptr) {
      outcome.jit_compiler |= place.image->jit_compiler;
      outcome.collector |= place.image->collector;
      step = step_native(*place.image, lookup, regs, memory, &signal_frame);
    } else {
      step = step_new_module(code, lookup, regs, memory, &signal_frame);
    }
    if (step == Step::kNoRule) step = step_stub(interrupted, code, regs, memory);
    if (step != Step::kStepped) {
      outcome.end = end_of(step);
      return outcome;
    }
    // A signal handler may run on another stack, anywhere; every other caller lies higher.
    if (regs.sp() <= sp && !signal_frame) {
      outcome.end = WalkEnd::kNoProgress;
      return outcome;
    }
    if (regs.pc() < 4096) {
      outcome.end = WalkEnd::kBadReturn;
      return outcome;
    }
    interrupted = signal_frame;
  }
}

}  // namespace walkabout::walker
