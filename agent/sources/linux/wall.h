// The source "wall": every thread of the program at a fixed interval of wall-clock time, weighted by that
// time, with its state and the system call it is blocked in. docs/design/wall.md says how and what it costs.
//
// A thread of the agent's looks. A running thread's time rides on its ticks (agent/linux/handler/rider.h). A
// blocked thread is not woken: its stack is taken by agent/linux/blocked_stack. One that has not run since
// it was seen blocked stands where it stood, so nothing is read again, and it is looked at ever more rarely.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "agent/linux/blocked_stack.h"
#include "agent/linux/handler/capture.h"
#include "agent/shared/stop_request.h"
#include "agent/sources/linux/source_thread.h"
#include "agent/sources/linux/wall_account.h"

namespace walkabout::agent {

class WallSource final : public Source {
 public:
  wire::Source declaration(uint64_t period_ns) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override;

 private:
  // A thread of the program, by its slot.
  struct Watched {
    ThreadTable::Living thread;  // its id is 0: nobody
    WallAccount account;
    // Where the last look found it.
    wire::ThreadState state = wire::ThreadState::kRunning;
    int64_t call = -1;
    std::vector<wire::Frame> frames;  // empty: not known
    wire::WalkEnd end = wire::WalkEnd::kGap;
    uint8_t flags = 0;
    Awaiters awaiters;
    // Looked at every so many passes.
    uint32_t every = 1;
    uint32_t seen_running = 0;  // looks in a row
    uint32_t samples = 0;
    uint64_t sampled_ns = 0;  // when its last sample was
    uint64_t gone_ns = 0;     // a look did not find it any more
    // What was left for its next tick, as that state; 0: nothing.
    uint64_t left_ns = 0;
    wire::ThreadState left_as = wire::ThreadState::kRunning;
    bool ticks = true;  // it has a clock
    bool listed = false;
  };

  void run(ThreadSlot* writer);
  void pass();
  void goes_on_at(uint64_t planned_ns, uint64_t now_ns);
  void after_interruption(uint64_t ns);
  void refresh();
  void begin(Watched& watched, const ThreadTable::Living& thread);
  void end_released(const ThreadTable::Living& thread);
  bool is_due(size_t slot) const;
  bool look(Watched& watched);
  void look_at_place(Watched& watched, uint64_t now_ns, uint64_t cpu_ns);
  void keep_place(Watched& watched, const BlockedStack& seen);
  void report_unknown();
  void plan(Watched& watched, bool stood_still);
  void pay(Watched& watched);
  void take_back(Watched& watched);
  void book_taken(Watched& watched, uint64_t untaken);
  void pay_without_stack(Watched& watched, uint64_t least_ns);
  void end(Watched& watched, uint64_t now_ns, uint64_t cpu_ns);
  void end_as_listed(Watched& watched, const ThreadTable::Living& thread);
  bool emit_rest(Watched& watched);
  void emit_rests();
  void end_all();
  void sample_place(Watched& watched, uint64_t ns);
  void sample_nowhere(Watched& watched);
  bool sample(Watched& watched, wire::ThreadState state, int64_t call, uint64_t ns, Subject subject);
  bool has_room(size_t frames) const;

  std::unique_ptr<SourceContext> context_;
  uint64_t period_ns_ = 0;
  uint32_t most_passes_ = 1;  // between two looks at a thread
  std::unique_ptr<BlockedStacks> stacks_;
  ThreadSlot* writer_ = nullptr;
  std::vector<Watched> threads_;  // by slot
  std::vector<uint64_t>
      due_;  // by slot: the pass that looks at it. Apart, so that a pass reads little memory
  std::vector<Watched> ended_;  // whose last samples found no room yet
  std::vector<ThreadTable::Living> living_, released_;
  uint64_t seen_changes_ = 0;
  uint64_t pass_ = 0;
  uint64_t seen_ns_ = 0;        // when this thread was last seen to go on
  uint32_t unknown_looks_ = 0;  // in a row, at any threads
  bool reported_unknown_ = false;
  size_t first_ = 0;  // whom a pass begins with
  StopRequest stop_;
  SourceThread thread_;
};

}  // namespace walkabout::agent
