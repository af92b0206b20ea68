#include "unwind/managed/pe_walk.h"

#include "unwind/machine/call_site.h"

namespace walkabout::unwind {
namespace {

using wire::Frame;
using wire::FrameKind;
using wire::WalkEnd;

constexpr int kMaxMachineFrames = 64;      // each may lead to another stack, so also in circles
constexpr uint64_t kLowestCode = 0x10000;  // Windows maps nothing below

Frame frame_of(const Image* image, const JitRegion* region, uint64_t pc) {
  if (region != nullptr) {
    return Frame::in_code(FrameKind::kJitted, base::CodeId(region->code.load(std::memory_order_relaxed)),
                          static_cast<uint32_t>(pc - region->method_start));
  }
  if (image == nullptr) return Frame::at_address(FrameKind::kStub, pc);
  return Frame::in_code(image->managed ? FrameKind::kReadyToRun : FrameKind::kNative, image->code,
                        static_cast<uint32_t>(pc - image->base));
}

WalkEnd end_without_root(Step step) {
  return step == Step::kBadMemory ? WalkEnd::kBadMemory : WalkEnd::kNoUnwindInfo;
}

}  // namespace

Frame name_pe_address(const PeCodeMap& code, uint64_t pc, bool interrupted) {
  const uint64_t lookup = lookup_of(pc, interrupted);
  const Image* image = code.images->find(lookup);
  return frame_of(image, image == nullptr ? code.jitted->find(lookup) : nullptr, pc);
}

void PeWalk::locate() {
  const uint64_t lookup = lookup_of(regs_.pc(), interrupted_);
  image_ = code_.images->find(lookup);
  region_ = image_ == nullptr ? code_.jitted->find(lookup) : nullptr;
  frame_ = frame_of(image_, region_, regs_.pc());
}

// Without unwind data: a function that touches neither the stack nor a saved register.
Step PeWalk::step_leaf() {
  Registers caller = regs_;
  if (pop_return(caller, memory_) != UnwindStatus::kOk) return Step::kBadMemory;
  regs_ = caller;
  return Step::kStepped;
}

Step PeWalk::step_place(bool* machine_frame) {
  if (region_ != nullptr) return step_jitted(*region_, interrupted_, regs_, memory_);
  const uint64_t lookup = lookup_of(regs_.pc(), interrupted_);
  if (image_ != nullptr) {
    if (find_function(image_->functions, static_cast<uint32_t>(lookup - image_->base)) == nullptr)
      return step_leaf();
    return step_by_directory(*image_, interrupted_, regs_, memory_, machine_frame);
  }
  DynamicFunction function;
  if (code_.find_dynamic == nullptr || !code_.find_dynamic(lookup, &function))
    return interrupted_ ? step_leaf() : Step::kNoRule;
  JitRegion region;
  region.begin = region.method_start = function.begin;
  region.size = function.size;
  region.unwind = function.info;
  region.unwind_size = function.info_size;
  return step_jitted(region, interrupted_, regs_, memory_);
}

// coreclr.dll's routine for hijacked returns (OnHijackTripThread, .NET 10) makes room for the return address,
// and then pushes the stack pointer as it was before that, a push its unwind data leaves out: what was popped
// as the return address is that stack pointer, and the return address is the word above.
void PeWalk::fix_pushed_stack_pointer() {
  Registers caller = regs_;
  if (regs_.pc() == regs_.sp() + 8 && pop_return(caller, memory_) == UnwindStatus::kOk) regs_ = caller;
}

bool PeWalk::step() {
  const uint64_t sp = regs_.sp();
  bool machine_frame = false;
  const Step step = step_place(&machine_frame);
  if (image_ != nullptr && !image_->managed && !machine_frame && step == Step::kStepped)
    fix_pushed_stack_pointer();
  if (step != Step::kStepped) {
    end_ = end_without_root(step);
    return false;
  }
  if (regs_.pc() == 0) {  // what lies above a thread's first function
    end_ = WalkEnd::kRooted;
    return false;
  }
  if (regs_.sp() <= sp && (!machine_frame || ++machine_frames_ > kMaxMachineFrames)) {
    end_ = WalkEnd::kNoProgress;
    return false;
  }
  if (regs_.pc() < kLowestCode) {
    end_ = WalkEnd::kBadReturn;
    return false;
  }
  interrupted_ = machine_frame;
  locate();
  return true;
}

}  // namespace walkabout::unwind
