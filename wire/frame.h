// One frame of a stack in 64 bits: which region of code, and where in it. Because a CodeId is never reused, a
// frame stays unambiguous when code memory is freed and reused: no time or generation is needed to read it.
//
// Async-signal-safe, no allocation; the handler writes these into the ring as they are.
#pragma once

#include <compare>
#include <cstdint>

#include "base/ids.h"

namespace walkabout::wire {

enum class FrameKind : uint8_t {
  kNative = 1,  // code = an ELF image, offset = address - its load bias (the address in the file's own terms)
  kReadyToRun = 2,  // code = a PE image with precompiled managed code, offset = RVA
  kJitted = 3,      // code = one compiled method, offset = bytes from its start
  kStub = 4,        // executable memory that nobody reported; low 60 bits = the address itself
  kUnknown = 5,  // an address in no code we know at all (the walk ends here); low 60 bits = the address, or
                 // 1: frames may be missing here (WalkEnd::kGap), 2: the stack was not walked, or, with bit
                 // 59, the end of a chain of async methods
  kLeftOut = 6,  // stands for frames a deep stack left out; low 60 bits = how many
  // In the ring only: as kStub, but a jitted method, left by its own unwind data before the runtime reported
  // it.
  kUnreported = 7,
};

// How a walk ended. Only kRooted is a whole stack.
enum class WalkEnd : uint8_t {
  kRooted = 0,        // reached the thread's entry
  kNoUnwindInfo = 1,  // pc in code without unwind rule, and no rule of thumb could be verified
  kBadMemory = 2,     // a stack word could not be read
  kBadReturn = 3,     // the return address lies in no executable code
  kNoProgress = 4,    // the stack pointer did not move up
  kTooDeep = 5,       // more frames than the walk's hard limit
  kGap = 6,           // reached the thread's entry past code without unwind rule whose callers may be missing
  kNotWalked = 7,     // there was no walk: amounts of events that came too fast for one
  kCount = 8,
};

// Why a tick produced no sample.
enum class DropCause : uint8_t {
  kRingFull = 0,   // the spooler did not keep up
  kThrottled = 1,  // a walk cost so much that the next ticks were left out, or the thread's stack had no room
                   // for one (their CPU time is in the next weight)
  kStopping = 2,   // the recording was ending, or the runtime was, in code that it no longer reports
  kCorrupt = 3,    // the spooler found the ring damaged: samples that were in it
  kKilled = 4,     // counted by the collector: the process ended while the sample was taken or on its way
  kBlocked = 5,    // Windows: the stopped thread stood too long (a lock that its walk needed, or the machine
                   // was too busy) and was let go
  kCount = 6,
};

// Why it is not known who awaits an async method.
enum class AsyncUnknown : uint8_t {
  kNone = 0,
  kNoMachine = 1,   // its state machine was not found, so that it is not known which call of it this is
  kSeveral = 2,     // more than one was
  kCollection = 3,  // the runtime had stopped its threads
  kNotSeen = 4,     // nobody had looked at its code, or at that of a method that it called
  kClass = 5,       // what awaits it is of a class that is not known
  kState = 6,       // what awaits it is not suspended
  kMemory = 7,      // the chain leads to no object
  kAfar = 8,        // another thread took the sample
  kLeftOut = 9,     // frames were left out
};

struct Frame {
  uint64_t bits = 0;

  static constexpr Frame in_code(FrameKind kind, base::CodeId code, uint32_t offset) {
    return {static_cast<uint64_t>(kind) << 60 | static_cast<uint64_t>(code.value & kMaxCode) << 32 | offset};
  }
  static constexpr Frame at_address(FrameKind kind, uint64_t address) {
    return {static_cast<uint64_t>(kind) << 60 | (address & kAddressMask)};
  }
  constexpr FrameKind kind() const { return static_cast<FrameKind>(bits >> 60); }
  constexpr bool has_code() const { return kind() >= FrameKind::kNative && kind() <= FrameKind::kJitted; }
  constexpr bool managed() const { return kind() == FrameKind::kReadyToRun || kind() == FrameKind::kJitted; }
  constexpr base::CodeId code() const { return base::CodeId(static_cast<uint32_t>(bits >> 32) & kMaxCode); }
  constexpr uint32_t offset() const { return static_cast<uint32_t>(bits); }
  // Code that was in no map when the tick came.
  constexpr bool unmapped() const { return kind() == FrameKind::kStub || kind() == FrameKind::kUnreported; }
  // REQUIRES: unmapped(). As the stream has it, where nothing was reported since: an unreported method is
  // managed code without a name.
  constexpr Frame as_unnamed() const {
    return kind() == FrameKind::kStub
               ? *this
               : in_code(FrameKind::kJitted, unreported_code(), static_cast<uint32_t>(address()));
  }
  // Of all methods that were not reported, whose offsets are the low half of their addresses. No other code
  // has it.
  static constexpr base::CodeId unreported_code() { return base::CodeId(kMaxCode); }
  // Stands where frames may be missing.
  static constexpr Frame gap() { return at_address(FrameKind::kUnknown, 1); }
  // All there is of a stack that was not walked (WalkEnd::kNotWalked).
  static constexpr Frame not_walked() { return at_address(FrameKind::kUnknown, 2); }
  // At the root end of a chain of async methods: from here on who awaits is not known; nobody does any more.
  static constexpr Frame async_unknown(AsyncUnknown why) {
    return at_address(FrameKind::kUnknown, kAsyncEnd | static_cast<uint64_t>(why));
  }
  static constexpr Frame async_completed() { return at_address(FrameKind::kUnknown, kAsyncEnd); }
  // Of such an end: why, or that it is completed.
  constexpr bool is_async_end() const {
    return kind() == FrameKind::kUnknown && (address() & kAsyncEnd) != 0;
  }
  constexpr AsyncUnknown async_why() const { return static_cast<AsyncUnknown>(address() & 0xff); }
  // In a ring only: what is to come under this ticket stands here (agent/shared/owed_awaiters.h).
  static constexpr Frame async_owed(uint64_t ticket) {
    return {async_unknown(AsyncUnknown::kCollection).bits | (ticket & kMaxTicket) << 8};
  }
  // 0: none.
  constexpr uint64_t async_ticket() const { return is_async_end() ? address() >> 8 & kMaxTicket : 0; }
  // As the stream has it, where nothing came.
  constexpr Frame without_ticket() const { return {bits & ~(async_ticket() << 8)}; }
  constexpr uint64_t address() const { return bits & kAddressMask; }
  constexpr auto operator<=>(const Frame&) const = default;

  static constexpr uint32_t kMaxCode = (1u << 28) - 1;
  static constexpr uint64_t kAddressMask = (uint64_t{1} << 60) - 1;
  static constexpr uint64_t kAsyncEnd = uint64_t{1} << 59;  // no address has it
  static constexpr uint64_t kMaxTicket = (uint64_t{1} << 51) - 1;
};
static_assert(sizeof(Frame) == 8);

}  // namespace walkabout::wire
