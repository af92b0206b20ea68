// For tests: what a source of events works with, and what it captured of the calling thread.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/linux/session/tick_world.h"
#include "agent/linux/stream_out.h"
#include "agent/sources/source.h"
#include "clr/abi/null_info.h"
#include "clr/events/test_payload.h"

namespace walkabout::agent::testing {

class SourceWorld {
 public:
  explicit SourceWorld(uint32_t runtime = 10) : runtime_(runtime) { EXPECT_TRUE(world_.ok()); }

  // A sample, or a sum (then `walked` is not set).
  struct Taken {
    std::vector<uint64_t> values, labels;
    bool walked = false;
    bool operator==(const Taken&) const = default;
  };

  SourceContext context() { return {world_.threads, spooler_, collecting_, texts, tally, info, runtime_, 0}; }
  // What `events` makes, on a thread of its own, of the source that was started with it.
  template <typename Events>
  std::vector<Taken> taken(Source& source, Events events) {
    std::vector<Taken> all;
    std::thread([&] {
      world_.arm_self();
      EXPECT_TRUE(source.start(context()).ok());
      events();
      source.stop();
      events();  // nobody takes them
      const wire::Source declared = source.declaration(0);
      read_ring(all);
      tally.take([&](const Tally::Sum& sum) {
        all.push_back({{sum.values.begin(), sum.values.begin() + declared.values.size()},
                       {sum.labels.begin(), sum.labels.begin() + declared.labels.size()},
                       false});
        return Tally::Taken::kEmitted;
      });
      for (const Taken& one : all) {
        EXPECT_EQ(one.values.size(), declared.values.size());
        EXPECT_EQ(one.labels.size(), declared.labels.size());
      }
      world_.threads.stop();
    }).join();
    return all;
  }
  std::string text(uint64_t label) const { return texts.text(base::TextId(static_cast<uint32_t>(label))); }

  TextTable texts;
  Tally tally;
  clr::ICorProfilerInfo12* info = nullptr;

 private:
  void read_ring(std::vector<Taken>& all) {
    ThreadSlot* slot = world_.threads.callback_slot();
    ASSERT_NE(slot, nullptr);
    wire::Consumer ring =
        world_.threads.ring(static_cast<uint32_t>(slot - thread_slots().data()), wire::Lane::kCallback);
    for (const wire::RawSample* raw; (raw = ring.next()) != nullptr; ring.pass()) {
      Taken one{{raw->value}, {}, true};
      const uint64_t* more = wire::Consumer::more_values(raw);
      one.values.insert(one.values.end(), more, more + raw->more_values);
      const uint64_t* labels = wire::Consumer::labels(raw);
      one.labels.assign(labels, labels + raw->labels);
      EXPECT_EQ(raw->end, wire::WalkEnd::kRooted);
      EXPECT_GE(raw->frames, 3u);
      all.push_back(std::move(one));
    }
  }

  const uint32_t runtime_;
  TickWorld world_{engines().front(), 1 << 20, uint64_t{1000} * 1'000'000'000};
  StreamOut out_{world_.host};
  clr::NullICorProfilerInfo15 info_;
  Spooler spooler_{{world_.registry, world_.threads, out_, &info_}, wire::Session{}, Spooler::Options()};
  CollectingThread collecting_;
};

inline RuntimeEvent event(uint32_t id, const clr::testing::Payload& payload, uint32_t version = 1) {
  return {id, version, payload};
}

}  // namespace walkabout::agent::testing
