#include "unwind/pe/pe_unwind.h"

#include "unwind/pe/pe_codes.h"

namespace walkabout::unwind {
namespace {

using namespace pe;  // the vocabulary of this file

// Where saved registers are addressed from: the frame register once the prolog has set it, else sp.
bool find_frame(UnwindInfo info, uint64_t offset, const Registers& regs, uint64_t* frame) {
  *frame = regs.sp();
  const uint8_t reg = info[3] & 15;
  if (reg == 0) return true;
  for (Codes codes(info); !codes.done();) {
    Code code;
    if (!codes.next(&code)) return false;
    if (code.offset > offset) continue;
    if (code.op == kSetFpReg) *frame = regs.r[kDwarfOf[reg]] - (info[3] >> 4) * 16u;
    if (code.op == kSetFpRegLarge) *frame = regs.r[kDwarfOf[reg]] - code.operand * 16;
  }
  return true;
}

}  // namespace

size_t unwind_info_size(std::span<const uint8_t> bytes) {
  if (bytes.size() < kUnwindHeaderSize) return 0;
  const uint8_t version = bytes[0] & 7;
  if (version != 1 && version != 2) return 0;
  const size_t size = kUnwindHeaderSize + size_t{bytes[2]} * 2;
  if (bytes.size() < size) return 0;
  for (Codes codes(bytes.first(size)); !codes.done();) {
    Code code;
    if (!codes.next(&code)) return 0;
  }
  return size;
}

UnwindStatus undo_prolog(UnwindInfo info, uint64_t offset, Registers& regs, const Memory& memory) {
  if (info.size() < kUnwindHeaderSize || info.size() < kUnwindHeaderSize + size_t{info[2]} * 2) {
    return UnwindStatus::kBadInfo;
  }
  uint64_t frame = 0;
  if (!find_frame(info, offset, regs, &frame)) return UnwindStatus::kBadInfo;
  for (Codes codes(info); !codes.done();) {
    Code code;
    if (!codes.next(&code)) return UnwindStatus::kBadInfo;
    if (code.offset > offset) continue;
    switch (code.op) {
      case kPushNonvol:
        if (!memory.load64(regs.sp(), &regs.r[kDwarfOf[code.info]])) return UnwindStatus::kBadMemory;
        regs.sp() += 8;
        break;
      case kAllocLarge:
        regs.sp() += code.info == 0 ? code.operand * 8 : code.operand;
        break;
      case kAllocSmall:
        regs.sp() += code.info * 8u + 8;
        break;
      case kSetFpReg:
      case kSetFpRegLarge:
        regs.sp() = frame;
        break;
      case kSaveNonvol:
        if (!memory.load64(frame + code.operand * 8, &regs.r[kDwarfOf[code.info]]))
          return UnwindStatus::kBadMemory;
        break;
      case kSaveNonvolFar:
        if (!memory.load64(frame + code.operand, &regs.r[kDwarfOf[code.info]]))
          return UnwindStatus::kBadMemory;
        break;
      case kPushMachFrame:
        if (code.info != 0) regs.sp() += 8;  // an error code
        return UnwindStatus::kMachineFrame;
      default:
        break;  // vector registers do not matter to a walk
    }
  }
  return UnwindStatus::kOk;
}

UnwindStatus pop_machine_frame(Registers& regs, const Memory& memory) {
  const uint64_t frame = regs.sp();  // rip, cs, eflags, rsp, ss
  if (!memory.load64(frame, &regs.pc()) || !memory.load64(frame + 24, &regs.sp()))
    return UnwindStatus::kBadMemory;
  return UnwindStatus::kOk;
}

UnwindStatus pop_return(Registers& regs, const Memory& memory) {
  if (!memory.load64(regs.sp(), &regs.pc())) return UnwindStatus::kBadMemory;
  regs.sp() += 8;
  return UnwindStatus::kOk;
}

}  // namespace walkabout::unwind
