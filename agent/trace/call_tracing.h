// A recording's traced calls: from begin() to end() what walkabout_trace_enter() and its kin (traced_call.h)
// are told goes into the call tree, each thread's figures and the slow calls, which emit() says as records
// (wire/trace_records.h). docs/design/trace.md has the whole.
//
// One recording at a time. begin(), end(), emit(): one thread at a time, which may wait. The others: any.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/ids.h"
#include "base/result.h"
#include "wire/trace_records.h"

namespace walkabout::agent {

// What the session knows of threads and values.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  // The calling thread's; none: not known. Called from a probe, as traced_call.h says.
  virtual base::ThreadId this_thread() = 0;
  // Of one that was not known then, by the system's number; in emit(). What a thread counted that is never
  // known is lost, and counted as such.
  virtual base::ThreadId thread_of(uint64_t tid) = 0;
  // A slow call has ended in the calling thread, or goes on in it (an async method, for the first time after
  // it has become slow), and is kept: the place for a sample of the source "call". From a probe as well.
  virtual void on_slow_call(uint64_t call) = 0;
  // What was kept of a call's arguments and result, to call->arguments and call->result. In emit().
  virtual void describe(uint32_t method, std::span<const uint8_t> values, wire::TracedCall* call) = 0;
};

// Says how long threads have run (agent/trace/linux/switch_pages.h).
class SwitchCounts {
 public:
  virtual ~SwitchCounts() = default;
  // Whether there are any.
  virtual bool begin() = 0;
  // All are given back. Their words stay readable.
  virtual void end() = 0;
  // Of a thread, by the system's number: a word that changes whenever it begins to run again. Null: there is
  // none. It stays until give_back(), and can be read as long
  // as the process lives. From the thread that emits.
  virtual const std::atomic<uint32_t>* of(uint64_t tid) = 0;
  // One that was had before the thread's first call: from a probe.
  virtual const std::atomic<uint32_t>* take(uint64_t tid) = 0;
  virtual void give_back(const std::atomic<uint32_t>* counts) = 0;
};

struct TraceOptions {
  uint64_t latency_ns = 0;
  bool keeps_slow = false;  // calls of latency_ns and more, one by one
  bool all = false;         // for the record: every managed method
  double budget = 0;        // of the process's CPU time, for each method's probes; 0: any
};

class CallTracing {
 public:
  // counts may be null. Both outlive this.
  CallTracing(TraceReader& reader, SwitchCounts* counts);
  ~CallTracing();
  CallTracing(const CallTracing&) = delete;
  CallTracing& operator=(const CallTracing&) = delete;

  // monotonic_start_ns: Session's.
  base::Status begin(const TraceOptions& options, uint64_t monotonic_start_ns);
  // Appends what is new, where some time has passed since; to be called more often, for threads wait for it
  // to know their CPU time cheaply. all: everything that there is.
  void emit(uint64_t time_us, bool all, std::string* records);
  // What is on is not traced any more, the last records included. No probe calls the reader afterwards.
  void end(uint64_t time_us, std::string* records);

 private:
  class Running;
  TraceReader& reader_;
  SwitchCounts* const counts_;
  std::unique_ptr<Running> running_;
};

}  // namespace walkabout::agent
