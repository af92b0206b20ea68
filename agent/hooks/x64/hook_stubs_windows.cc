// Windows' convention: the method is in rcx, the stack pointer of the method's caller in rdx. Enter comes
// behind the prolog, where arguments have been stored to the stack.
#include "agent/hooks/hook_stubs.h"

asm(R"(
  .text
  .p2align 4
  .globl walkabout_hook_enter
  .def walkabout_hook_enter; .scl 2; .type 32; .endef
  .seh_proc walkabout_hook_enter
walkabout_hook_enter:
  subq $184, %rsp
  .seh_stackalloc 184
  .seh_endprologue
  movaps %xmm0, 32(%rsp)
  movaps %xmm1, 48(%rsp)
  movaps %xmm2, 64(%rsp)
  movaps %xmm3, 80(%rsp)
  movaps %xmm4, 96(%rsp)
  movaps %xmm5, 112(%rsp)
  movq %rax, 128(%rsp)
  movq %rcx, 136(%rsp)
  movq %rdx, 144(%rsp)
  movq %r8, 152(%rsp)
  movq %r9, 160(%rsp)
  movq %r10, 168(%rsp)
  call walkabout_hooked_enter_keeping_error
  movaps 32(%rsp), %xmm0
  movaps 48(%rsp), %xmm1
  movaps 64(%rsp), %xmm2
  movaps 80(%rsp), %xmm3
  movaps 96(%rsp), %xmm4
  movaps 112(%rsp), %xmm5
  movq 128(%rsp), %rax
  movq 136(%rsp), %rcx
  movq 144(%rsp), %rdx
  movq 152(%rsp), %r8
  movq 160(%rsp), %r9
  movq 168(%rsp), %r10
  addq $184, %rsp
  ret
  .seh_endproc

  .p2align 4
  .globl walkabout_hook_leave
  .globl walkabout_hook_tail_call
  .def walkabout_hook_leave; .scl 2; .type 32; .endef
  .def walkabout_hook_tail_call; .scl 2; .type 32; .endef
  .seh_proc walkabout_hook_leave
walkabout_hook_leave:
walkabout_hook_tail_call:
  subq $88, %rsp
  .seh_stackalloc 88
  .seh_endprologue
  movaps %xmm0, 32(%rsp)
  movaps %xmm1, 48(%rsp)
  movq %rax, 64(%rsp)
  movq %rdx, 72(%rsp)
  call walkabout_hooked_leave_keeping_error
  movaps 32(%rsp), %xmm0
  movaps 48(%rsp), %xmm1
  movq 64(%rsp), %rax
  movq 72(%rsp), %rdx
  addq $88, %rsp
  ret
  .seh_endproc
)");
