// What traced calls of all threads share. One for the process, there from its start to its end: probes run
// behind the end of a recording, too.
#pragma once

#include <atomic>
#include <cstdint>

#include "agent/trace/call_tracing.h"
#include "agent/trace/call_tree.h"
#include "agent/trace/open_calls.h"
#include "agent/trace/thread_trace.h"
#include "agent/trace/trace_clock.h"
#include "agent/trace/trace_memory.h"

namespace walkabout::agent {

struct TraceProcess {
  static constexpr uint32_t kMostThreads = 4096;

  // Which recording runs; 0: none. seq_cst, as ThreadTrace::busy: who ends it waits for those who are busy.
  std::atomic<uint32_t> recording{0};
  std::atomic<uint64_t> latency{UINT64_MAX};      // ticks, of what is kept
  std::atomic<uint64_t> ns_per_tick{1ull << 32};  // TickRate
  uint8_t* untimed = nullptr;                     // by method, atomic: it only counts
  TraceMemory memory;
  // What follows: where a thread calls something for the first time, and rarer.
  std::atomic<uint32_t> last_call{0};  // numbers of those that are kept
  uint32_t last_recording = 0;
  TraceReader* reader = nullptr;
  SwitchCounts* counts = nullptr;
  std::atomic<uint64_t> process{0};    // that records; a child that it forked is another
  std::atomic<uint64_t> no_thread{0};  // calls of threads that found no room
  CallTree tree;
  OpenCalls open;
  std::atomic<ThreadTrace*> threads[kMostThreads] = {};  // add only; release, partner: all who look
};
extern constinit TraceProcess g_trace;

// The calling thread's; null: it has none.
extern constinit thread_local ThreadTrace* t_trace;

// While it stands, the recording that was found goes on.
class WhileTracing {
 public:
  explicit WhileTracing(ThreadTrace& thread) : thread_(thread) {
    thread_.busy.store(thread_.busy.load(std::memory_order_relaxed) + 1);
    recording_ = g_trace.recording.load();
  }
  ~WhileTracing() {
    thread_.busy.store(thread_.busy.load(std::memory_order_relaxed) - 1, std::memory_order_release);
  }
  WhileTracing(const WhileTracing&) = delete;
  WhileTracing& operator=(const WhileTracing&) = delete;

  // The one that the thread is of.
  bool goes_on() const {
    return recording_ != 0 && recording_ == thread_.recording.load(std::memory_order_relaxed);
  }
  uint32_t recording() const { return recording_; }

 private:
  ThreadTrace& thread_;
  uint32_t recording_;
};

// The calling thread's, made ready for the recording that runs. Null: none does, or there is no room.
ThreadTrace* begin_thread_trace();
// REQUIRES: its thread has ended, or is the calling one, and nobody reads it.
void empty_thread_trace(ThreadTrace& thread);

}  // namespace walkabout::agent
