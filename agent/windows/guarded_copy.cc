#include "base/windows/win32.h"
// after win32.h
#include "agent/windows/guarded_copy.h"

// One instruction reads: a fault in it is known by its address, and rcx is what was not copied.
asm(R"(
  .text
  .globl walkabout_copy
  .globl walkabout_copy_reads
  .globl walkabout_copy_ends
  .seh_proc walkabout_copy
walkabout_copy:
  pushq %rdi
  .seh_pushreg %rdi
  pushq %rsi
  .seh_pushreg %rsi
  .seh_endprologue
  movq %rcx, %rdi
  movq %rdx, %rsi
  movq %r8, %rcx
walkabout_copy_reads:
  rep movsb
walkabout_copy_ends:
  movq %r8, %rax
  subq %rcx, %rax
  popq %rsi
  popq %rdi
  ret
  .seh_endproc
)");

extern "C" {
size_t walkabout_copy(void* to, const void* from, size_t size);
extern const uint8_t walkabout_copy_reads[], walkabout_copy_ends[];
}

namespace walkabout::agent {
namespace {

LONG CALLBACK on_exception(EXCEPTION_POINTERS* e) {
  CONTEXT* context = e->ContextRecord;
  if (context->Rip != reinterpret_cast<uint64_t>(walkabout_copy_reads)) return EXCEPTION_CONTINUE_SEARCH;
  context->Rip = reinterpret_cast<uint64_t>(walkabout_copy_ends);
  return EXCEPTION_CONTINUE_EXECUTION;
}

}  // namespace

// The first to be asked: the runtime has one too.
GuardedCopy::GuardedCopy() : handler_(::AddVectoredExceptionHandler(1, on_exception)) {}

GuardedCopy::~GuardedCopy() {
  if (handler_ != nullptr) ::RemoveVectoredExceptionHandler(handler_);
}

size_t GuardedCopy::copy(void* to, uint64_t from, size_t size) const {
  if (handler_ == nullptr) return 0;
  return walkabout_copy(to, reinterpret_cast<const void*>(from), size);
}

}  // namespace walkabout::agent
