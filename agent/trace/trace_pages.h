// Address space that has memory where it is touched, and loses it again while others may still touch it. From
// a probe: short system calls. Not from a handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::agent {

// Zeroes, of which a child that the program forks has zeroes. Null when there is none.
void* reserve_trace_pages(size_t bytes);
void free_trace_pages(void* pages, size_t bytes);
// They are zeroes again. REQUIRES: whole pages.
void clear_trace_pages(void* pages, size_t bytes);
// They take no memory any more where that can be had in one step for each page; then they are zeroes, else
// what they were. Others may use them meanwhile. REQUIRES: whole pages.
void drop_trace_pages(void* pages, size_t bytes);

// How much may be reserved: for the figures of all threads, and frames of one thread.
uint64_t most_trace_bytes();
uint32_t most_trace_frames();

// Tells when the calling thread ends: `ended(value)` is called in it. False: it cannot be told.
bool watch_trace_thread(void (*ended)(void*), void* value);
uint64_t this_trace_thread();
// The process that asks.
uint64_t this_trace_process();
// CPU time of the calling thread in nanoseconds, by a system call; 0: not known.
uint64_t this_thread_cpu_ns();

}  // namespace walkabout::agent
