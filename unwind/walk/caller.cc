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

bool leave(const CodeMap& code, const Memory& memory, Registers& regs) {
  const JitRegion* region = code.jitted->find(regs.pc() - 1);
  if (region != nullptr) return step_jitted(*region, false, regs, memory) == Step::kStepped;
  return leave_unreported(code, memory, regs);
}

// Code that was taken out of the map in this moment has no number any more.
Frame or_none(Frame frame) { return frame.has_code() && !frame.code().valid() ? Frame() : frame; }

}  // namespace

Frame find_caller(const Registers& method, const Memory& memory, const CodeMap& code) {
  Registers caller = method;
  if (!leave(code, memory, caller)) return {};
  Frame frame = name_address(code, caller.pc(), false);
  if (frame.managed()) return or_none(frame);
  if (!follows_call(caller.pc(), memory).value_or(false)) {  // the runtime's routine is not called
    caller.pc() = find_original(caller.sp() - 8, code, memory);
    if (caller.pc() == 0) return {};
    frame = name_address(code, caller.pc(), false);
  }
  return or_none(frame.kind() == FrameKind::kStub ? name_unmapped(caller.pc(), code, memory) : frame);
}

}  // namespace walkabout::unwind
