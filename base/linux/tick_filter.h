// The kernel side of ticks inside system calls: a BPF program that every overflow of such a clock is shown to
// first, and that leaves out those a thread could notice. Any thread.
//
// A tick becomes a signal when the thread returns to its own code. It is left out where that is not ours to
// take: where the thread has SIGTRAP blocked (it would wait, even for the next program behind an execve), and
// where another handler than ours stands (the program took SIGTRAP; its default action would end it). In the
// kernel it comes too late behind execve (the new program has no handler, and would die) and behind sigaction
// where it takes the signal; io_uring_enter hands signals out in the middle of its wait, which then ends
// early; and calls that set a mask for as long as they last, or set the thread's, would find a tick of the
// other mask (a wait for any signal returned SIGTRAP). The time of all these is in the weight of the next
// sample.
//
// It is left out too where the thread's stack has no room for a signal's frame: the kernel would send
// SIGSEGV, which the runtime does not take for the overflow that is about to come. Each thread keeps the end
// of its stack at one distance from its thread pointer, where the filter reads it. A handler on the alternate
// stack is no way out: when the runtime handles a fault it leaves that stack for the thread's own while its
// frames are still on it, and the kernel would put a tick's over them (null references at -i 100us: "stack
// smashing detected", 3 of 3).
//
// Where SIGTRAP has its default action, the program took it a moment ago: a tick that another thread still
// has to come, asleep in a call, would end the program. The thread that ticks in its own code gets SIGURG
// then, whose handler can put one before the default action. Sources: bpf(2), bpf-helpers(7), the kernel's
// __perf_event_overflow(), bpf_send_signal_common(), io_run_task_work() and get_sigframe().
#pragma once

#include <signal.h>

#include <cstdint>

namespace walkabout::base {

// What a thread gets that ticks in its own code while SIGTRAP has its default action.
inline constexpr int kLateTrapSignal = SIGURG;

using TrapHandler = void (*)(int, siginfo_t*, void*);

// What a tick takes of the thread's stack.
struct TickStack {
  int32_t end_at = 0;  // bytes from the thread pointer to 64 bits: where the stack ends; 0 there: not known
  int32_t room = 0;    // bytes above its end, of the kernel's frame and the handler; 0: ticks come anywhere
};

// A descriptor of the program, or -1 with errno: it takes CAP_BPF and CAP_PERFMON, and a kernel that
// describes its types (CONFIG_DEBUG_INFO_BTF). handler: ours of SIGTRAP. wake_handler: ours of SIGURG, which
// passes none of these on to the program; null: none is sent.
int load_tick_filter(TrapHandler handler, TrapHandler wake_handler = nullptr, const TickStack& stack = {});
// From now on `clock` ticks only where the filter lets it. 0, or an errno value: the descriptor is not a
// filter's.
int set_tick_filter(int clock, int filter);

}  // namespace walkabout::base
