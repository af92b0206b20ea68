#include "unwind/machine/frame_record_arm64.h"

namespace walkabout::unwind::arm64 {
namespace {

constexpr uint64_t kRecordAlignment = 8;  // 16 in what compilers emit; the convention asks for sp's only
constexpr uint64_t kRecordSize = 16;
constexpr uint64_t kLowestCode = 4096;

// An instruction without the fields that may be anything.
struct Form {
  uint32_t mask;
  uint32_t bits;
  constexpr bool fits(uint32_t instruction) const { return (instruction & mask) == bits; }
};
constexpr Form kSavePair{0xffc07fff, 0xa9007bfd};       // stp x29, x30, [sp, #n]
constexpr Form kPushPair{0xffc07fff, 0xa9807bfd};       // stp x29, x30, [sp, #n]!
constexpr Form kLoadPair{0xffc07fff, 0xa9407bfd};       // ldp x29, x30, [sp, #n]
constexpr Form kPopPair{0xffc07fff, 0xa8c07bfd};        // ldp x29, x30, [sp], #n
constexpr Form kSetRecord{0xffc003ff, 0x910003fd};      // add x29, sp, #n (mov x29, sp: n = 0)
constexpr Form kLowerStack{0xffc003ff, 0xd10003ff};     // sub sp, sp, #n
constexpr Form kLowerStackFar{0xffc003ff, 0xd14003ff};  // sub sp, sp, #n, lsl 12
constexpr Form kCall{0xfc000000, 0x94000000};           // bl
constexpr Form kCallRegister{0xfffffc1f, 0xd63f0000};   // blr
constexpr Form kReturn{0xfffffc1f, 0xd65f0000};         // ret
constexpr Form kReturnSigned{0xfffffbff, 0xd65f0bff};   // retaa, retab
constexpr Form kJump{0xfc000000, 0x14000000};           // b
constexpr Form kJumpRegister{0xfffffc1f, 0xd61f0000};   // br

uint64_t immediate12(uint32_t instruction) { return instruction >> 10 & 0xfff; }
// Of a pair: 7 bits, signed, in words of 8 bytes.
uint64_t pair_offset(uint32_t instruction) {
  const auto field = static_cast<int64_t>(instruction >> 15 & 0x7f);
  return static_cast<uint64_t>(field >= 64 ? field - 128 : field) * 8;
}

bool is_call(uint32_t instruction) { return kCall.fits(instruction) || kCallRegister.fits(instruction); }
bool leaves(uint32_t instruction) {
  return kReturn.fits(instruction) || kReturnSigned.fits(instruction) || kJump.fits(instruction) ||
         kJumpRegister.fits(instruction);
}

// The pair in memory becomes x29 and pc.
RecordStep load_pair(uint64_t at, Registers& regs, const Memory& memory) {
  uint64_t fp = 0, link = 0;
  if (at % kRecordAlignment != 0) return RecordStep::kNoRecord;
  if (!memory.load64(at, &fp) || !memory.load64(at + 8, &link)) return RecordStep::kBadMemory;
  const uint64_t pc = return_address(link);
  if (pc == 0) return RecordStep::kRoot;
  if (pc < kLowestCode) return RecordStep::kNoRecord;
  regs.bp() = fp;
  regs.lr() = regs.pc() = pc;
  regs.sp() = at + kRecordSize;
  return RecordStep::kStepped;
}

}  // namespace

RecordStep step_by_record(Registers& regs, const Memory& memory) {
  if (regs.bp() == 0) return RecordStep::kRoot;
  return regs.bp() < regs.sp() ? RecordStep::kNoRecord : load_pair(regs.bp(), regs, memory);
}

RecordStep step_by_link(Registers& regs) {
  const uint64_t pc = return_address(regs.lr());
  if (pc == 0) return RecordStep::kRoot;
  if (pc < kLowestCode) return RecordStep::kNoRecord;
  regs.pc() = pc;
  return RecordStep::kStepped;
}

RecordState record_state(std::span<const uint32_t> code) {
  RecordState state, in_body;  // in_body: behind an epilog's return the function goes on as it was before it
  for (const uint32_t instruction : code) {
    if (kSavePair.fits(instruction)) {
      state = in_body = {RecordState::kPair, pair_offset(instruction)};
    } else if (kPushPair.fits(instruction)) {
      state = in_body = {RecordState::kPair, 0};
    } else if (kSetRecord.fits(instruction) && state.kind == RecordState::kPair &&
               immediate12(instruction) == state.offset) {
      state = in_body = {RecordState::kRecord, 0};
    } else if (kLowerStack.fits(instruction) && state.kind == RecordState::kPair) {
      state.offset += immediate12(instruction);
    } else if (kLowerStackFar.fits(instruction) && state.kind == RecordState::kPair) {
      state.offset += immediate12(instruction) << 12;
    } else if (kLoadPair.fits(instruction) || kPopPair.fits(instruction)) {
      state = {};
    } else if (leaves(instruction)) {
      state = in_body;
    } else if (is_call(instruction) && state.kind == RecordState::kLink) {
      return {RecordState::kUnknown, 0};
    }
  }
  return state;
}

RecordStep step_interrupted(const RecordState& state, Registers& regs, const Memory& memory) {
  switch (state.kind) {
    case RecordState::kLink:
      return step_by_link(regs);
    case RecordState::kPair:
      return load_pair(regs.sp() + state.offset, regs, memory);
    case RecordState::kRecord:
      return step_by_record(regs, memory);
    case RecordState::kUnknown:
      break;
  }
  return RecordStep::kNoRecord;
}

}  // namespace walkabout::unwind::arm64
