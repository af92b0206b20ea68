#include "agent/sources/live.h"

#include <algorithm>
#include <array>
#include <memory>

#include "agent/sources/sampled_object.h"
#include "agent/sources/table.h"
#include "agent/sources/texts.h"
#include "base/clock.h"
#include "clr/events/collection.h"
#include "clr/events/keywords.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kSweepNs = 1'000'000'000;
constexpr uint32_t kMostLevel = 20;
constexpr uint32_t kFull = 2;  // a collection of all generations
constexpr auto kRelaxed = std::memory_order_relaxed;

}  // namespace

std::unique_ptr<Source> make_live_source() { return std::make_unique<LiveSource>(); }

wire::Source LiveSource::declaration(uint64_t /*period_ns*/) const {
  wire::Source source = declared({{"live", "bytes"}, {"objects", "count"}},
                                 {{"type", wire::LabelType::kType}, {"object", wire::LabelType::kObject}});
  source.period = kBytesBetweenSamples;
  return source;
}

SourceNeeds LiveSource::needs(uint32_t runtime) const {
  SourceNeeds needs = needs_of_sampled_objects(runtime);
  needs.keywords |= clr::kGcKeyword;
  return needs;
}

base::Status LiveSource::start(const SourceContext& context) {
  info_ = {};
  if (context.info == nullptr || clr::failed(context.info->QueryInterface(
                                     clr::ICorProfilerInfo13::kIid, reinterpret_cast<void**>(info_.put()))))
    return base::Status::error("this runtime has no handles for profilers");
  report_silence(context.runtime, context.spooler);
  objects_.begin(info_.get());
  context.spooler.each_pass([this](const Spooler::Pass& now) { pass(now); });
  return EventSource::start(context);
}

// A last look, and all handles are given back: the program's next collections have nothing of ours.
void LiveSource::stop() {
  EventSource::stop();
  const base::Lock lock(sweeping_);
  if (stopped_ || !info_) return;
  sweep(base::monotonic_ns());
  stopped_ = true;
  objects_.end();
}

void LiveSource::on_event(const RuntimeEvent& event) {
  if (event.id == clr::kGcStart) {
    clr::GcStart start;
    if (!clr::parse_gc_start(event.payload, &start)) return;
    uint64_t none = 0;
    collections_.first.compare_exchange_strong(none, uint64_t{start.count} + 1, kRelaxed);
    collections_.begun.fetch_add(1, kRelaxed);
    if (start.generation >= kFull) collections_.full_begun.fetch_add(1, kRelaxed);
    return;
  }
  if (event.id == clr::kGcEnd) {
    clr::GcEnd end;
    if (!clr::parse_gc_end(event.payload, &end)) return;
    const uint64_t first = collections_.first.load(kRelaxed);
    if (first == 0 || uint64_t{end.count} + 1 < first) return;
    collections_.ended.fetch_add(1, kRelaxed);
    if (end.generation >= kFull) collections_.full_ended.fetch_add(1, kRelaxed);
    return;
  }
  const std::optional<SampledObject> sampled = sampled_object(event);
  if (!sampled || sampled->object.address == 0 || !capture_.is_on()) return;
  const uint32_t level = level_.load(kRelaxed);
  const uint64_t random = random_number();
  if ((random & ((uint64_t{1} << level) - 1)) != 0) return;
  if ((followed_.fetch_add(1, kRelaxed) + 1) % kBurst == 0 && level < kMostLevel)
    level_.fetch_add(1, kRelaxed);
  const std::optional<LiveObjects::Followed> followed = objects_.follow(sampled->object.address);
  if (!followed) return capture_.lose();
  const std::array<uint64_t, 2> values{sampled->bytes << level, rounded(sampled->objects, random_number())
                                                                    << level};
  const std::array<uint64_t, 2> labels{label(*texts_, sampled->object.type), followed->number};
  if (!capture_.each(values, labels)) objects_.forget(*followed);
}

void LiveSource::pass(const Spooler::Pass& pass) {
  const base::Lock lock(sweeping_);
  if (!stopped_ && pass.now_ns - swept_ns_ >= kSweepNs) sweep(pass.now_ns);
  if (!found_) return;
  found_->time_us = pass.us(swept_ns_);
  wire::encode(*found_, pass.records);
  found_.reset();
}

wire::Sweep LiveSource::counted() const {
  wire::Sweep sweep;
  // What has ended had begun: read in this order, no more is seen to have ended than to have begun.
  sweep.ended = collections_.ended.load();
  sweep.full_ended = collections_.full_ended.load();
  sweep.begun = collections_.begun.load();
  sweep.full_begun = collections_.full_begun.load();
  return sweep;
}

void LiveSource::sweep(uint64_t now_ns) {
  wire::Sweep found = counted();
  const bool fresh = followed_.load(kRelaxed) != 0;
  const bool collected = found.begun != last_.begun || found.ended != last_.ended;
  adapt();
  swept_ns_ = now_ns;
  if (collected) objects_.sweep(found.gone);
  for (; objects_.count() > LiveObjects::kMost; ++found.halvings) objects_.halve(random_number(), found.gone);
  last_ = {.begun = found.begun, .ended = found.ended};
  std::sort(found.gone.begin(), found.gone.end());
  if (collected || fresh || found.halvings != 0 || !found.gone.empty()) found_ = std::move(found);
}

// Half of what comes is enough, or twice of it is not too much.
void LiveSource::adapt() {
  const uint32_t followed = followed_.exchange(0, kRelaxed), level = level_.load(kRelaxed);
  if (followed > kMostPerSecond && level < kMostLevel) {
    level_.fetch_add(1, kRelaxed);
  } else if (followed < kMostPerSecond / 4 && objects_.count() < LiveObjects::kMost / 4 && level > 0) {
    level_.fetch_sub(1, kRelaxed);
  }
}

}  // namespace walkabout::agent
