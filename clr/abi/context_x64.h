// CONTEXT of the CLR's Unix PAL on x64: the registers DoStackSnapshot wants as a seed. Plain data; fill it in
// a signal handler if you like. Facts: src/coreclr/pal/inc/pal.h and vm/proftoeeinterfaceimpl.cpp of
// dotnet/runtime.
//
// The CLR never looks at contextSize: it reads sizeof(its own CONTEXT) bytes from the pointer, so what
// matters is that at least that much memory is there. That size grew with the vector registers (kXStateTail);
// ours is the largest, and everything after Rip may stay zero: ContextFlags says what is valid, the walk uses
// Rip, Rsp and the callee-saved. The address must be 16-byte aligned.
//
// Measured: sizeof(CONTEXT) is 3104 on .NET 8 and 9 and 3232 on .NET 10. In a signal handler DoStackSnapshot
// needs 12 (.NET 10) to 23 KB (.NET 8) of stack. The CLR's alternate signal stacks have 16 KB: on one of them
// the walk overflows and the thread hangs in the CLR's SIGSEGV handler. A handler that calls it must not be
// installed with SA_ONSTACK.
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::clr {

inline constexpr uint32_t kContextAmd64 = 0x100000;
inline constexpr uint32_t kContextControl = kContextAmd64 | 0x1;  // SegSs, Rsp, SegCs, Rip, EFlags
inline constexpr uint32_t kContextInteger = kContextAmd64 | 0x2;  // Rax … R15 but Rsp
inline constexpr uint32_t kContextSegments = kContextAmd64 | 0x4;
inline constexpr uint32_t kContextFloatingPoint = kContextAmd64 | 0x8;
inline constexpr uint32_t kContextFull = kContextControl | kContextInteger | kContextFloatingPoint;
// Set only on Windows, where GetThreadContext reports it; the CLR there refuses a seed without.
inline constexpr uint32_t kContextExceptionActive = 0x08000000;
inline constexpr uint32_t kContextServiceActive = 0x10000000;
inline constexpr uint32_t kContextUnwoundToCall = 0x20000000;
inline constexpr uint32_t kContextExceptionRequest = 0x40000000;
inline constexpr uint32_t kContextExceptionReporting = 0x80000000;

// Bytes after LastExceptionFromRip: XStateFeaturesMask and reserved (16), Ymm0H…15H (256), KMask0…7 (64),
// Zmm0H…15H (512), Zmm16…31 (1024), Egpr16…31 (128, the APX registers).
inline constexpr size_t kXStateTail = 16 + 256 + 64 + 512 + 1024 + 128;

struct alignas(16) ContextX64 {
  uint64_t P1Home = 0;
  uint64_t P2Home = 0;
  uint64_t P3Home = 0;
  uint64_t P4Home = 0;
  uint64_t P5Home = 0;
  uint64_t P6Home = 0;
  uint32_t ContextFlags = 0;
  uint32_t MxCsr = 0;
  uint16_t SegCs = 0;
  uint16_t SegDs = 0;
  uint16_t SegEs = 0;
  uint16_t SegFs = 0;
  uint16_t SegGs = 0;
  uint16_t SegSs = 0;
  uint32_t EFlags = 0;
  uint64_t Dr[6] = {};
  uint64_t Rax = 0;
  uint64_t Rcx = 0;
  uint64_t Rdx = 0;
  uint64_t Rbx = 0;
  uint64_t Rsp = 0;
  uint64_t Rbp = 0;
  uint64_t Rsi = 0;
  uint64_t Rdi = 0;
  uint64_t R8 = 0;
  uint64_t R9 = 0;
  uint64_t R10 = 0;
  uint64_t R11 = 0;
  uint64_t R12 = 0;
  uint64_t R13 = 0;
  uint64_t R14 = 0;
  uint64_t R15 = 0;
  uint64_t Rip = 0;
  uint8_t FltSave[512] = {};         // as FXSAVE lays it out
  uint8_t VectorRegister[416] = {};  // 26 of 16 bytes
  uint64_t VectorControl = 0;
  uint64_t DebugControl = 0;
  uint64_t LastBranchToRip = 0;
  uint64_t LastBranchFromRip = 0;
  uint64_t LastExceptionToRip = 0;
  uint64_t LastExceptionFromRip = 0;
  uint8_t XState[kXStateTail] = {};
};

// The part that all versions (and Windows) share ends at 0x4d0.
static_assert(offsetof(ContextX64, ContextFlags) == 0x30);
static_assert(offsetof(ContextX64, SegCs) == 0x38);
static_assert(offsetof(ContextX64, Dr) == 0x48);
static_assert(offsetof(ContextX64, Rax) == 0x78);
static_assert(offsetof(ContextX64, Rsp) == 0x98);
static_assert(offsetof(ContextX64, Rbp) == 0xa0);
static_assert(offsetof(ContextX64, R15) == 0xf0);
static_assert(offsetof(ContextX64, Rip) == 0xf8);
static_assert(offsetof(ContextX64, FltSave) == 0x100);
static_assert(offsetof(ContextX64, XState) == 0x4d0);
static_assert(sizeof(ContextX64) == 0x4d0 + kXStateTail);

}  // namespace walkabout::clr
