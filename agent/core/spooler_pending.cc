// How the spooler emits the async methods that wait: each snapshot as samples of the source "async", a stack
// and how many operations stand there.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>

#include "agent/core/pending_forest.h"
#include "agent/core/pending_snapshots.h"
#include "agent/core/spooler.h"
#include "wire/encode.h"
#include "wire/sources.h"

namespace walkabout::agent {
namespace {

constexpr base::SourceId kAsync = wire::kAsyncRow.id;
constexpr uint64_t kReportWaitAfterNs = 5'000'000'000;
constexpr uint64_t kClassLooksNs[] = {0, 1'000'000'000, 5'000'000'000};  // after the begin
constexpr uint64_t kMostValue = uint64_t{1} << 52;                       // of a sample (recording/format.md)
constexpr char kThreadName[] = "(async operations)";

const wire::Source* async_source(const std::vector<wire::Source>& sources) {
  const auto at = std::find_if(sources.begin(), sources.end(),
                               [](const wire::Source& source) { return source.id == kAsync; });
  return at == sources.end() ? nullptr : &*at;
}

}  // namespace

[[gnu::cold]] void Spooler::spool_pending(uint64_t now_ns) {
  if (pending_ == nullptr) return;
  const wire::Source* source = async_source(sources_);
  if (source == nullptr) return find_classes(now_ns);
  if (pending_due_ns_ == 0) pending_due_ns_ = session_.attached ? now_ns : now_ns + source->period;
  if (now_ns < pending_due_ns_) return;
  switch (pending_->take()) {
    case PendingSnapshots::Progress::kTaken:
      emit_pending(source->period);
      pending_due_ns_ = std::max(pending_due_ns_ + source->period, pending_->time_ns() + source->period / 2);
      if (pending_->is_free()) reported_pending_ = false;
      break;
    case PendingSnapshots::Progress::kWaits:
      if ((!pending_->is_free() || now_ns - pending_due_ns_ >= kReportWaitAfterNs) &&
          !std::exchange(reported_pending_, true))
        report(
            wire::Severity::kInfo,
            pending_->is_free()
                ? "async methods that wait are not looked for while the runtime collects in the background"
                : "this runtime shows its objects at the end of a collection only: async methods that wait "
                  "are found at the program's next one");
      break;
    case PendingSnapshots::Progress::kRefused:
      if (!std::exchange(reported_pending_, true))
        report(wire::Severity::kWarning, "the runtime did not show its objects: no async methods that wait");
      pending_due_ns_ = now_ns + source->period;
      break;
  }
}

void Spooler::end_pending() { pending_->end(); }

// For the stacks of samples: what async methods there are, as far as there are objects of them. Some have
// their first a little later.
[[gnu::cold]] void Spooler::find_classes(uint64_t now_ns) {
  if (class_looks_ == std::size(kClassLooksNs)) return;
  if (pending_due_ns_ == 0) pending_due_ns_ = now_ns;
  if (now_ns - pending_due_ns_ < kClassLooksNs[class_looks_]) return;
  if (pending_->take() == PendingSnapshots::Progress::kTaken) ++class_looks_;
}

// Each snapshot stands for the time since the one before, the first for one period.
[[gnu::cold]] void Spooler::emit_pending(uint64_t period_ns) {
  const uint64_t stands_for_ns = pending_taken_ns_ == 0 ? period_ns : pending_->time_ns() - pending_taken_ns_;
  pending_taken_ns_ = pending_->time_ns();
  const std::span<const PendingOperation> found = pending_->walk().found();
  if (tree_.size() > options_.most_nodes / 2) {
    emit_batches();
    begin_new_tree();
  }
  PendingForest forest(found);
  struct Stack {
    uint64_t operations = 0;
    uint64_t since_us = 0;  // the earliest; 0: none is known
  };
  std::map<base::StackId, Stack> stacks;
  uint64_t operations = 0;
  forest.name_leaves([this](const PendingOperation& outermost) { return root_of(outermost); },
                     [this](base::StackId parent, const PendingOperation& one) {
                       const wire::Frame frame = wire::Frame::in_code(wire::FrameKind::kJitted, one.method,
                                                                      static_cast<uint32_t>(one.state));
                       return child(parent, frame, false);
                     },
                     [&](const PendingOperation&, size_t i, base::StackId node) {
                       Stack& stack = stacks[node];
                       ++stack.operations;
                       ++operations;
                       const uint64_t since_ns = pending_->since_ns(i);
                       if (since_ns == 0) return;
                       const uint64_t since_us = std::max<uint64_t>(us(since_ns), 1);
                       stack.since_us = stack.since_us == 0 ? since_us : std::min(stack.since_us, since_us);
                     });
  flush_nodes();
  const uint64_t time_us = us(pending_->time_ns());
  if (!pending_thread_.valid()) {
    pending_thread_ = threads_.new_id();
    wire::Thread thread;
    thread.id = pending_thread_;
    thread.managed_name = kThreadName;
    thread.kind = wire::ThreadKind::kManaged;
    wire::encode(thread, buffer_);
  }
  wire::Samples samples;
  samples.thread = pending_thread_;
  samples.source = kAsync;
  samples.origin = wire::SampleOrigin::kTally;
  const uint64_t each_ns = std::clamp<uint64_t>(stands_for_ns / 1000 * 1000, 1000, kMostValue);
  std::vector<uint64_t> operations_of;
  for (const auto& [node, stack] : stacks) {
    // As many samples as its time needs: there is a bound for one.
    for (uint64_t left = stack.operations; left != 0; left -= operations_of.back()) {
      operations_of.push_back(std::min(left, kMostValue / each_ns));
      samples.time_us.push_back(time_us);
      samples.stack.push_back(node);
      samples.values.push_back(operations_of.back() * each_ns);
      samples.labels.push_back(stack.since_us);
    }
  }
  samples.values.insert(samples.values.end(), operations_of.begin(), operations_of.end());
  if (!stacks.empty()) wire::encode(samples, buffer_);
  wire::encode(wire::Snapshot{time_us, pending_->pause_ns(), pending_->walk().objects(), found.size(),
                              operations, pending_->walk().whole(), pending_->cpu_ns()},
               buffer_);
  summed_[kAsync.value - 1] += operations_of.size();
  sampled_ = true;
}

base::StackId Spooler::root_of(const PendingOperation& outermost) {
  switch (outermost.end) {
    case unwind::AsyncEnd::kRoot:
      return {};
    case unwind::AsyncEnd::kCompleted:
      return child({}, wire::Frame::async_completed(), false);
    case unwind::AsyncEnd::kUnknown:
      return child({}, wire::Frame::async_unknown(outermost.why), false);
    case unwind::AsyncEnd::kTooDeep:  // there is one that was not found
      break;
  }
  return child({}, wire::Frame::async_unknown(wire::AsyncUnknown::kLeftOut), false);
}

}  // namespace walkabout::agent
