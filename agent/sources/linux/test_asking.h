// For tests: what a source works with that asks threads for their stacks: a host with a table of its own, and
// threads of the test that no tick of their own disturbs.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "agent/linux/session/tick_world.h"
#include "agent/linux/stream_out.h"
#include "agent/sources/event_capture.h"
#include "agent/sources/source.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent::testing {

class AskingWorld {
 public:
  AskingWorld() {
    EXPECT_TRUE(host_.start().ok());
    EXPECT_TRUE(rings_.map(1 << 20, base::monotonic_ns()).ok());
    const uint64_t never_ns = uint64_t{1000} * 1'000'000'000;
    threads_ = std::make_unique<ThreadTable>(
        host_, rings_, ThreadTable::Clocking{engine_.engine, engine_.kernel_ticks, never_ns, SIGURG});
    spooler_ = std::make_unique<Spooler>(Spooler::Parts{world_.registry, *threads_, out_, &info_},
                                         wire::Session{}, Spooler::Options());
  }
  // A kernel that allows no table of its own: nobody is asked.
  bool can_ask() const { return host_.apart(); }
  SourceContext context(uint32_t runtime = 10) {
    return {*threads_, *spooler_, collecting_, texts_, tally_, nullptr, runtime, 0};
  }
  Place arm(pid_t tid, clr::ThreadID object = 0) {
    threads_->arm(tid, object, true);
    for (uint32_t i = 0; i < threads_->slot_count(); ++i) {
      if (thread_slots()[i].tid == tid) return {i, base::ThreadId(threads_->shared(i)->thread.load())};
    }
    ADD_FAILURE() << "not armed";
    return {};
  }
  uint64_t lost(base::SourceId source) const { return tally_.lost(source); }
  // Before the test's threads end.
  void stop() { threads_->stop(); }

 private:
  EngineChoice engine_ = engines().front();
  TickWorld world_{engine_};
  DescriptorHost host_;
  RingMemory rings_{host_};
  StreamOut out_{host_};
  clr::NullICorProfilerInfo15 info_;
  const CollectingThread collecting_;
  TextTable texts_;
  Tally tally_;
  std::unique_ptr<ThreadTable> threads_;
  std::unique_ptr<Spooler> spooler_;
};

}  // namespace walkabout::agent::testing
