// The kernel side of ticks inside system calls: a BPF program that every overflow of such a clock is shown to
// first, and that leaves out those a thread could notice. Any thread.
//
// A tick in the kernel becomes a signal when the thread returns to its own code. That is too late behind
// execve (the new program has no handler, and would die), and too late behind sigaction where it takes the
// signal; io_uring_enter hands signals out in the middle of its wait, which then ends early. The time of
// these calls is in the weight of the next sample.
// Sources: bpf(2), bpf-helpers(7), the kernel's __perf_event_overflow() and io_run_task_work().
#pragma once

namespace walkabout::base {

// A descriptor of the program, or -1 with errno: it takes CAP_BPF and CAP_PERFMON, and a kernel that
// describes its types (CONFIG_DEBUG_INFO_BTF).
int load_tick_filter();
// From now on `clock` ticks only where the filter lets it. 0, or an errno value: the descriptor is not a
// filter's.
int set_tick_filter(int clock, int filter);

}  // namespace walkabout::base
