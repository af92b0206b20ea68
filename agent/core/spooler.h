// The spooler thread: empties the rings, gives stacks their ids, names code, writes the stream. All of the
// agent's work that may allocate, block or ask the CLR happens here.
//
// A tree of stacks that has reached its bound ends, and the same recording goes on with a new one
// (wire::Nodes::new_tree): what a thread had on its stack is then emitted again. So it holds what is bounded
// (the tree, what is written at once) or as much as lives now (threads, code).
//
// It can end a recording and begin the next in the middle of the stream (spooler_recordings.cc): everything
// that grows with what was emitted begins anew then, and the CPU time of each thread is divided between the
// two at that moment. And it keeps the budget, if there is one: it knows what sampling costs.
#pragma once

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "agent/core/async_learner.h"
#include "agent/core/budget.h"
#include "agent/core/callback_time.h"
#include "agent/core/code_writer.h"
#include "agent/core/gone_threads.h"
#include "agent/core/os.h"
#include "agent/core/stack_tree.h"
#include "agent/core/tally.h"
#include "agent/core/text_table.h"
#include "agent/shared/owed_awaiters.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "wire/records.h"

namespace walkabout::agent {

class PendingSnapshots;
struct PendingOperation;

class Spooler {
 public:
  struct Options {
    uint64_t every_ns = 0;                        // how long one recording goes; 0: as long as the process
    uint32_t budget_ppm = 0;                      // of the process's CPU time; 0: none
    uint32_t most_nodes = StackTree::kMostNodes;  // of one tree of stacks
    std::vector<wire::Source> sources = {};       // that are on; none: CPU time alone
    CodeWriter::Lines lines = {};                 // what source lines are found by
  };
  struct Parts {
    CodeRegistry& registry;
    ThreadTable& threads;
    StreamOut& out;
    clr::ICorProfilerInfo2* info;
    const CallbackTime* callbacks = nullptr;  // null: nobody counts them
    TextTable* texts = nullptr;               // null: no label is a text
    Tally* tally = nullptr;                   // null: every event has a stack
    AsyncLearner* async = nullptr;            // null: samples have no async stacks
    OwedAwaiters* owed = nullptr;             // null: none are owed
    PendingSnapshots* pending = nullptr;      // null: nobody wants those that wait
  };
  Spooler(const Parts& parts, wire::Session session, const Options& options);

  // The process's CPU time counts from now on: before the first clock is armed.
  void begin_counting() {
    emitted_before_.process_cpu_ns = base::process_cpu_ns();
    emitted_before_.callbacks_ns = callbacks_ns();
  }
  // pass_ms: how often the rings are emptied at least; oftener where events come in bursts.
  base::Status start(uint32_t pass_ms);
  // Takes the last samples and ends the stream. Waits for that: twice `timeout_ms` where the thread uses no
  // CPU time, else up to kLongestStopNs. process_cpu_ns: when the clocks were stopped. False if the thread
  // hangs: then it is left to itself and this object must stay.
  bool stop(uint32_t timeout_ms, uint64_t process_cpu_ns);
  // It was not started, or has ended: it asks the CLR nothing any more. After stop().
  bool at_rest();
  // One sentence for the reader of the recording; what is reported before start(), for the readers of all.
  // Any thread.
  void report(wire::Severity severity, std::string text);
  pid_t tid() const { return tid_.load(); }
  // Before start(): the CPU time of this thread of the agent is emitted beside our own.
  void add_helper(const char* name, const std::atomic<pid_t>& tid);
  // What a source does in each pass of this thread, before the rings are read, also when nothing can be
  // written any more.
  struct Pass {
    uint64_t now_ns = 0;    // CLOCK_MONOTONIC
    uint64_t start_ns = 0;  // of the recording
    std::string& records;   // what it has to say there
    CodeWriter& code;       // declares there what frames refer to
    bool last = false;      // of the recording
    uint64_t us(uint64_t ns) const { return (std::max(ns, start_ns) - start_ns) / 1000; }
  };
  // Before start().
  void each_pass(std::function<void(const Pass&)> work) { works_.push_back(std::move(work)); }
  // Before start(): called once, on the spooler's thread, when the collector wants no more. It may not wait
  // for this object.
  void when_done(std::function<void()> done) { when_done_ = std::move(done); }
  // The collector is gone or the disk is full: nothing more can be written.
  bool broken() const { return broken_.load(); }

 private:
  struct LastStack {
    std::vector<wire::Frame> frames;  // root end first
    std::vector<base::StackId> ids;
  };
  struct Known {  // of one thread, by slot
    base::ThreadId id;
    uint64_t named_ns = 0;  // when its name was looked at
    // As an Oracle counts them, by source.
    std::array<uint64_t, wire::kMostSources> samples{};
    std::array<LastStack, 3> last;  // by origin, but kTally
    std::string os_name;            // as emitted
    std::string managed_name;
    // Of its CPU clock: where its last sample was, and up to where its time was emitted. The second is ahead
    // of the first from a recording's end to the thread's next sample.
    uint64_t sampled_cpu_ns = 0;
    uint64_t emitted_cpu_ns = 0;
    // What of the time up to cpu_ns was not emitted yet: it is now.
    uint64_t emit_until(uint64_t cpu_ns);
  };
  // What was emitted in earlier recordings of the stream. Totals only grow; each recording counts from 0.
  struct EmittedBefore {
    std::array<SourceTotals, wire::kMostSources> sources{};  // by id - 1; without `taken`
    uint64_t handler_ns = 0, frames = 0, overruns = 0;
    uint64_t spooler_cpu_ns = 0, process_cpu_ns = 0, callbacks_ns = 0;
  };
  struct Helper {
    const char* name;
    const std::atomic<pid_t>* tid;
    uint64_t seen_cpu_ns = 0;    // the last that could be read
    uint64_t before_cpu_ns = 0;  // of earlier recordings of the stream
  };
  struct PendingMessage {
    uint64_t time_ns;  // CLOCK_MONOTONIC
    wire::Severity severity;
    std::string text;
  };
  // Samples that are not emitted yet. Columns behind the first value's, and of the labels, are apart.
  struct Batch {
    wire::Samples samples;
    std::vector<std::vector<uint64_t>> more_values, labels;
  };
  using BatchKey = std::tuple<base::ThreadId, base::SourceId, wire::SampleOrigin>;
  struct Shape {
    uint32_t values = 0;  // 0: it is not on
    uint32_t labels = 0;
    std::vector<size_t> texts = {}, messages = {};  // which of the labels are ids of texts
  };
  static Shape shape_of(const wire::Source& source);
  // Who a sample is of.
  struct Owner {
    base::ThreadId thread;
    Known* known = nullptr;
    wire::SampleOrigin origin = wire::SampleOrigin::kTick;
    bool comes_later = false;  // the next pass will know the thread: it came during this one
  };
  struct ReadRing {
    wire::Consumer ring;
    std::optional<uint32_t> ended;  // the slot, when its thread has ended
  };

  static constexpr uint64_t kLongestStopNs = 60'000'000'000;  // begins no other timeout after this
  static constexpr int kLeastShare = 50;  // of a timeout, in CPU time: less is no progress

  void run();
  void do_works(uint64_t now_ns, bool last, std::string& records);
  bool wait_for_end(pid_t tid, std::chrono::milliseconds timeout, uint64_t latest_ns);
  void look_at_collector();
  uint32_t next_pass_ms() const;
  // Of async stacks: while there is new code it is learnt between the passes, too.
  bool is_learning(uint64_t now_ns) const;
  bool is_pass_due(uint64_t now_ns) const;
  std::chrono::milliseconds next_wait() const;
  void learn(uint64_t now_ns);
  void pass(bool final);
  void wait_for_ticks();
  void hand_over();
  void give_up(const std::string& cause);
  void spool_thread(const ThreadView& view, uint64_t now_ns, bool final);
  void spool_writer(const ThreadView& view, uint64_t now_ns, bool final);
  template <typename OwnerOf>
  void spool_lane(wire::Consumer ring, uint64_t now_ns, bool may_wait, OwnerOf owner_of);
  Known& known_in(uint32_t slot);
  Owner subject_of(base::ThreadId thread, uint64_t now_ns);
  bool awaits_answer(const wire::RawSample& raw) const;
  bool awaits_report(const wire::RawSample& raw, uint64_t now_ns) const;
  void emit_thread(const ThreadView& view, Known& known, uint64_t now_ns);
  wire::Thread thread_record(const ThreadView& view, const Known& known) const;
  bool is_declared(const wire::RawSample& raw, const Owner& owner) const;
  void add_sample(const Owner& owner, const wire::RawSample& raw);
  Batch& batch_of(const Owner& owner, const wire::RawSample& raw);
  void emit_texts(const Shape& shape, const uint64_t* labels);
  void emit_text(base::TextId id, bool message);
  void index_views();
  void spool_sums(uint64_t now_ns, bool final);
  void add_sum(const Tally::Sum& sum, uint64_t now_ns);
  void spool_pending(uint64_t now_ns);
  void end_pending();
  void find_classes(uint64_t now_ns);
  void emit_pending(uint64_t period_ns);
  base::StackId root_of(const PendingOperation& outermost);
  void emit_batches();
  void emit_session();
  void begin_new_tree();
  void write_out();
  base::StackId intern(const wire::RawSample& raw, LastStack& last, bool* reported_late);
  base::StackId child(base::StackId parent, wire::Frame frame, bool leaf);
  const OwedAwaiters::Answer* answer_for(const wire::RawSample& raw) const;
  void add_awaiters(const wire::RawSample& raw, bool reported_late, wire::Samples* samples);
  uint32_t joint_of(const wire::RawSample& raw, uint32_t unseen) const;
  void add_oracle(base::ThreadId thread, const wire::RawSample& raw, uint64_t index);
  void note_failed_walk(const wire::RawSample& raw);
  void flush_nodes();
  void emit_messages(const std::vector<PendingMessage>& messages);
  void emit_il_maps(bool ends);
  void report_inlining();
  void emit_refused_threads(uint64_t now_ns, bool living);
  void emit_own_threads(uint64_t now_ns);
  uint64_t final_process_cpu_ns() const;
  void emit_counters(uint64_t now_ns, bool ends, bool final);  // ends: so it has the time of its End
  bool is_long_enough(uint64_t now_ns) const;
  void end_threads(uint64_t now_ns);
  void begin_next_recording(uint64_t now_ns);
  void keep_budget(uint64_t now_ns);
  static uint64_t cpu_ns(Helper& helper);
  uint64_t helpers_cpu_ns();
  uint64_t callbacks_ns() const { return callbacks_ == nullptr ? 0 : callbacks_->ns(); }
  // Since the recording's begin; what was before it is at it.
  uint64_t us(uint64_t ns) const {
    return (std::max(ns, session_.monotonic_start_ns) - session_.monotonic_start_ns) / 1000;
  }

  CodeRegistry& registry_;
  ThreadTable& threads_;
  StreamOut& out_;
  clr::ICorProfilerInfo2* info_;
  const CallbackTime* callbacks_;
  TextTable* texts_;
  Tally* tally_;
  AsyncLearner* async_;
  OwedAwaiters* owed_;
  PendingSnapshots* pending_;
  uint64_t pending_due_ns_ = 0, pending_taken_ns_ = 0;  // 0: not yet
  size_t class_looks_ = 0;
  wire::Session session_;
  const Options options_;
  std::vector<wire::Source> sources_;
  std::array<Shape, wire::kMostSources> shapes_{};  // by id - 1
  std::optional<Budget> budget_;
  EmittedBefore emitted_before_;
  // New with each recording.
  std::unique_ptr<CodeWriter> code_;
  StackTree tree_;
  std::vector<Known> known_;
  std::vector<ThreadView> views_;
  // The threads of views_, while samples of one of the agent's threads are read.
  std::unordered_map<base::ThreadId, size_t> view_of_;
  base::ThreadId newest_;
  GoneThreads gone_;
  Known of_gone_;
  std::map<BatchKey, Batch> batches_;
  std::unordered_set<base::TextId> emitted_texts_;
  std::array<uint64_t, wire::kMostSources> summed_{};  // samples without stacks, by id - 1
  bool reported_texts_ = false;
  std::vector<ReadRing> read_;                   // in this pass, not handed over
  std::vector<base::ThreadId> emitted_sums_of_;  // ended threads, likewise
  std::string buffer_;
  wire::Nodes nodes_;
  std::string oracle_;
  std::vector<uint32_t> cycles_;
  std::vector<uint64_t> unknown_pc_;
  uint64_t counters_emitted_ns_ = 0;
  wire::Counters counted_;  // as emitted last
  uint32_t first_node_ = 1;
  bool fresh_ = false;       // of the recording only its Session and its Sources were emitted
  bool sampled_ = false;     // in this pass
  bool scarce_ = false;      // a ring that was read is half full
  bool has_writer_ = false;  // samples of a thread may come from elsewhere than its own rings
  uint32_t pass_ms_ = 0;
  uint32_t longest_pass_ms_ = 0;
  uint64_t learnt_ = 0;     // as of AsyncLearner, when it learnt last
  uint64_t learnt_ns_ = 0;  // when that had grown
  bool reported_full_ = false, reported_pending_ = false;
  base::ThreadId pending_thread_;   // whose samples those of pending_ are, in this recording
  uint32_t fullest_percent_ = 0;    // of the rings, when the last pass came to them
  uint64_t last_pass_ns_ = 0;       // when that was
  uint64_t last_pass_took_ns_ = 0;  // and how long after the one before

  mutable base::Mutex mutex_;
  std::condition_variable wake_;
  std::vector<PendingMessage> messages_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<PendingMessage> standing_;  // of every recording; as it was at start()
  bool stopping_ WALKABOUT_GUARDED_BY(mutex_) = false;
  bool finished_ WALKABOUT_GUARDED_BY(mutex_) = false;
  std::function<void()> when_done_;
  std::vector<std::function<void(const Pass&)>> works_;
  std::atomic<bool> broken_{false};
  std::atomic<pid_t> tid_{0};
  std::vector<Helper> helpers_;
  struct Stopped {
    uint64_t process_cpu_ns = 0, spooler_cpu_ns = 0;
  };
  Stopped stopped_ WALKABOUT_GUARDED_BY(mutex_);  // 0 until the clocks were stopped
  OwnThread thread_;
};

}  // namespace walkabout::agent
