#include "profile/build/pending.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

#include "profile/build/stack_map.h"
#include "profile/names/frame_namer.h"
#include "profile/names/names.h"
#include "recording/reader.h"
#include "wire/sources.h"

namespace walkabout::profile {
namespace {

constexpr base::SourceId kAsync = wire::kAsyncRow.id;

struct RawPending {
  uint64_t operations = 0, since_us = 0;
};

using RawStacksOf = std::map<uint32_t, RawPending>;  // by entry of the stacks

class Reader : public Names {
 public:
  explicit Reader(uint64_t to_us) : to_us_(to_us) {}

  void on_session(const wire::Session& r) override {
    Names::on_session(r);
    result.session = r;
  }
  void on_source(const wire::Source& r) override {
    if (r.id == kAsync) result.recorded = true;
  }
  void on_nodes(const wire::Nodes& r, uint32_t) override { stacks.add(r); }
  void on_samples(const wire::Samples& r) override {
    const size_t rows = r.time_us.size();
    if (rows != 0) seen(r.time_us.back());
    if (r.source != kAsync || r.values.size() < 2 * rows) return;
    if (rows != 0 && r.time_us.front() != time_us_) rows_.clear();
    if (rows != 0) time_us_ = r.time_us.back();
    for (size_t i = 0; i < rows; ++i) {
      RawPending& one = rows_[stacks.entry(r.stack[i].value)];
      one.operations += r.values[rows + i];
      one.since_us = r.labels.size() < rows ? 0 : r.labels[i];
    }
  }
  void on_snapshot(const wire::Snapshot& r) override {
    seen(r.time_us);
    result.snapshots.push_back(r);
    RawStacksOf rows = std::exchange(rows_, {});
    if (r.time_us > to_us_ && result.snapshots.size() > 1) return;
    if (time_us_ != r.time_us) rows.clear();  // of one that is not there
    result.chosen = result.snapshots.size() - 1;
    chosen = std::move(rows);
  }
  void on_message(const wire::Message& r) override { result.messages.push_back(r); }
  void on_counters(const wire::Counters& r) override { seen(r.time_us); }
  void on_end(const wire::End& r) override { seen(r.time_us); }

  Pending result;
  RawStacks stacks{{0}, {wire::Frame()}, 0, {}};
  RawStacksOf chosen;

 private:
  void seen(uint64_t time_us) { result.duration_us = std::max(result.duration_us, time_us); }

  const uint64_t to_us_;
  uint64_t time_us_ = UINT64_MAX;  // of rows_
  RawStacksOf rows_;
};

PendingFrame name(FrameNamer& namer, wire::Frame frame) {
  const std::span<const NamedFrame> named = namer.frames_of(frame, Role::kCaller);
  const DisplayFrame& shown = namer.frames()[named.back().frame];
  return {shown.name, shown.place, frame.kind() == wire::FrameKind::kJitted ? frame.offset() + 1 : 0};
}

}  // namespace

base::Result<Pending> load_pending(const std::string& path, uint64_t to_us) {
  Reader reader(to_us);
  const base::Result<recording::ReadSummary> summary = recording::read_recording(path, reader);
  if (!summary.ok()) return summary.status();
  reader.code.sort();
  FrameNamer namer(reader.code, {.unfold = true, .lines = true}, reader.command_line);
  Pending result = std::move(reader.result);
  result.damage = summary->damage;
  for (const auto& [entry, raw] : reader.chosen) {
    PendingStack stack{raw.operations, raw.since_us, {}};
    for (uint32_t at = entry; at != 0; at = reader.stacks.parent[at])
      stack.frames.push_back(name(namer, reader.stacks.frame[at]));
    result.stacks.push_back(std::move(stack));
  }
  std::stable_sort(result.stacks.begin(), result.stacks.end(),
                   [](const PendingStack& a, const PendingStack& b) { return a.operations > b.operations; });
  return result;
}

}  // namespace walkabout::profile
