// What compiled code calls where a method that is hooked begins and ends: small routines in assembly, by the
// convention that the runtime's compiler has for them. They keep every register that may hold an argument or
// a result, and call the functions in hook_calls.h. Their unwind data are whole at each instruction: a thread
// may be stopped, or sampled, in the middle of them.
//
// Source: RBM_PROFILER_ENTER_TRASH and RBM_PROFILER_LEAVE_TRASH of the runtime's compiler
// (jit/targetamd64.h), ProfileEnterNaked of the runtime (vm/amd64/unixasmhelpers.S, vm/amd64/asmhelpers.asm).
// Thread rule: any thread, in managed code, in cooperative mode.
#pragma once

// Not to be called from C++: they are handed over to the runtime.
extern "C" {
void walkabout_hook_enter();
void walkabout_hook_leave();
void walkabout_hook_tail_call();
}
