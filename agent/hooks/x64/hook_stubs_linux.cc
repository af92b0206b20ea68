// System V's convention: enter has the method in r14 and the stack pointer of the method's caller in r15,
// leave and tail call have them in rdi and rsi. Enter comes behind the prolog, before arguments are read.
#include "agent/hooks/hook_stubs.h"

asm(R"(
  .text
  .p2align 4
  .globl walkabout_hook_enter
  .hidden walkabout_hook_enter
  .type walkabout_hook_enter, @function
walkabout_hook_enter:
  .cfi_startproc
  subq $200, %rsp
  .cfi_adjust_cfa_offset 200
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movaps %xmm2, 32(%rsp)
  movaps %xmm3, 48(%rsp)
  movaps %xmm4, 64(%rsp)
  movaps %xmm5, 80(%rsp)
  movaps %xmm6, 96(%rsp)
  movaps %xmm7, 112(%rsp)
  movq %rax, 128(%rsp)
  movq %rdi, 136(%rsp)
  movq %rsi, 144(%rsp)
  movq %rdx, 152(%rsp)
  movq %rcx, 160(%rsp)
  movq %r8, 168(%rsp)
  movq %r9, 176(%rsp)
  movq %r10, 184(%rsp)
  movq %r14, %rdi
  movq %r15, %rsi
  call walkabout_hooked_enter
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movaps 32(%rsp), %xmm2
  movaps 48(%rsp), %xmm3
  movaps 64(%rsp), %xmm4
  movaps 80(%rsp), %xmm5
  movaps 96(%rsp), %xmm6
  movaps 112(%rsp), %xmm7
  movq 128(%rsp), %rax
  movq 136(%rsp), %rdi
  movq 144(%rsp), %rsi
  movq 152(%rsp), %rdx
  movq 160(%rsp), %rcx
  movq 168(%rsp), %r8
  movq 176(%rsp), %r9
  movq 184(%rsp), %r10
  addq $200, %rsp
  .cfi_adjust_cfa_offset -200
  ret
  .cfi_endproc
  .size walkabout_hook_enter, .-walkabout_hook_enter

  .p2align 4
  .globl walkabout_hook_tail_call
  .hidden walkabout_hook_tail_call
  .type walkabout_hook_tail_call, @function
  .globl walkabout_hook_leave
  .hidden walkabout_hook_leave
  .type walkabout_hook_leave, @function
walkabout_hook_tail_call:
walkabout_hook_leave:
  .cfi_startproc
  subq $56, %rsp
  .cfi_adjust_cfa_offset 56
  movaps %xmm0, (%rsp)
  movaps %xmm1, 16(%rsp)
  movq %rax, 32(%rsp)
  movq %rdx, 40(%rsp)
  call walkabout_hooked_leave
  movaps (%rsp), %xmm0
  movaps 16(%rsp), %xmm1
  movq 32(%rsp), %rax
  movq 40(%rsp), %rdx
  addq $56, %rsp
  .cfi_adjust_cfa_offset -56
  ret
  .cfi_endproc
  .size walkabout_hook_leave, .-walkabout_hook_leave
  .size walkabout_hook_tail_call, .-walkabout_hook_tail_call
)");
