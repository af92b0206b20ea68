#include "unwind/walk/caller.h"

#include "unwind/machine/call_site.h"
#include "unwind/managed/managed_step.h"
#include "unwind/walk/hijack.h"
#include "unwind/walk/unreported_method.h"

namespace walkabout::unwind {
namespace {

using wire::Frame;
using wire::FrameKind;

// Apart: they take room on the stack, and are seldom needed.
[[gnu::noinline]] bool leave_unreported(const CodeMap& code, const Memory& memory, Registers& regs) {
  UnreportedMethod method;
  return find_unreported(regs.pc() - 1, *code.jitted, memory, &method) &&
         step_jitted(method.region, false, regs, memory) == Step::kStepped;
}

[[gnu::noinline]] Frame name_unmapped(uint64_t pc, const CodeMap& code, const Memory& memory) {
  UnreportedMethod method;
  const bool managed = find_unreported(pc - 1, *code.jitted, memory, &method);
  return Frame::at_address(managed ? FrameKind::kUnreported : FrameKind::kStub, pc);
}

[[gnu::noinline]] uint64_t find_original(uint64_t slot, const CodeMap& code, const Memory& memory) {
  return memory.runtime_thread == 0 ? 0 : find_hijacked(memory.runtime_thread, slot, code, nullptr, memory);
}

// Code that was taken out of the map in this moment has no number any more.
Frame or_none(Frame frame) { return frame.has_code() && !frame.code().valid() ? Frame() : frame; }

}  // namespace

FoundCaller find_caller(const Registers& method, const Memory& memory, const CodeMap& code) {
  Registers caller = method;
  const JitRegion* region = code.jitted->find(caller.pc() - 1);
  const bool left = region != nullptr ? step_jitted(*region, false, caller, memory) == Step::kStepped
                                      : leave_unreported(code, memory, caller);
  if (!left) return {};
  const uint64_t slot = caller.sp() - 8;
  Frame frame = name_address(code, caller.pc(), false);
  bool lasting = region != nullptr && frame.has_code();
  if (!frame.managed() && !follows_call(caller.pc(), memory).value_or(false)) {
    caller.pc() = find_original(slot, code, memory);  // nothing calls the runtime's routine
    if (caller.pc() == 0) return {};
    frame = name_address(code, caller.pc(), false);
    lasting = false;
  }
  if (frame.kind() == FrameKind::kStub) frame = name_unmapped(caller.pc(), code, memory);
  frame = or_none(frame);
  return {frame, slot, lasting && frame != Frame()};
}

}  // namespace walkabout::unwind
