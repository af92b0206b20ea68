// The figures of a recording that need no names and no stacks: counted while it is read. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cli/quality.h"
#include "console/json_out.h"
#include "recording/coverage.h"
#include "recording/reader.h"
#include "recording/visitor.h"

namespace walkabout::cli {

// The samples of one source, as they are in the file.
struct EventCounts {
  wire::Source source;
  uint64_t samples = 0;
  uint64_t rooted = 0;
  uint64_t not_walked = 0;
  std::vector<uint64_t> values;  // added up as the source says
};

class StatsCollector : public recording::RecordVisitor {
 public:
  void on_session(const wire::Session& r) override { session_ = r; }
  void on_source(const wire::Source& r) override;
  void on_thread(const wire::Thread& r) override;
  void on_nodes(const wire::Nodes& r, uint32_t first_id) override;
  void on_samples(const wire::Samples& r) override;
  void on_oracle(const wire::Oracle& r) override;
  void on_thread_end(const wire::ThreadEnd& r) override;
  void on_counters(const wire::Counters& r) override;
  void on_message(const wire::Message& r) override;
  void on_rate(const wire::Rate& r) override;
  void on_end(const wire::End& r) override { seen(r.time_us); }

  // The object that docs/json.md describes.
  Json json(const recording::ReadSummary& summary) const;
  std::string text(const recording::ReadSummary& summary) const;

 private:
  void seen(uint64_t time_us);
  void count_cpu(const wire::Samples& r);
  void count_event(const wire::Samples& r);
  // Ticks: what the counters say, and never less than what is in the file.
  uint64_t attempts() const;
  uint64_t dropped() const;
  uint64_t rooted() const { return walk_end_[static_cast<size_t>(wire::WalkEnd::kRooted)]; }
  ThreadCount threads() const;
  StackCount stacks() const;
  // Of all events, and of one but CPU time.
  uint64_t all_samples() const;
  Json json_of_events() const;
  std::string text_of_event(const EventCounts& event) const;
  std::string text_of_walks() const;
  std::string text_of_ticks() const;
  std::string text_of_time() const;

  wire::Session session_;
  wire::Counters counters_;
  std::vector<EventCounts> events_;  // that were declared
  std::vector<wire::Message> messages_;
  std::vector<wire::Rate> rates_;
  std::unordered_map<base::ThreadId, wire::ThreadKind> threads_;
  std::unordered_set<base::ThreadId> threads_with_samples_;  // of any event
  // From here on of CPU time.
  std::unordered_set<base::ThreadId> sampled_threads_;
  std::array<uint64_t, static_cast<size_t>(wire::WalkEnd::kCount)> walk_end_{};
  uint64_t samples_ = 0;
  uint64_t shortened_ = 0;
  uint64_t whole_ = 0;
  uint64_t unsampled_ns_ = 0;  // the agent's own threads' too
  recording::Coverage coverage_;
  uint64_t nodes_ = 0;
  uint64_t oracle_ = 0;
  uint64_t duration_us_ = 0;
  uint64_t first_sample_us_ = UINT64_MAX;
};

}  // namespace walkabout::cli
