#include "agent/trace/trace_emitter.h"

#include <algorithm>

#include "agent/trace/shadow_copy.h"
#include "agent/trace/thread_figures.h"
#include "wire/encode.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kMostNotEnded = 4096;  // frames of a thread
constexpr uint32_t kBucketBits = 9;
static_assert(wire::kTraceBuckets <= 1u << kBucketBits);

// Something else whenever anything was counted.
uint64_t all_together(const NodeFigures& f) {
  uint64_t sum = f.calls.get() * 3 + f.wall.get() * 5 + f.self.get() * 7 + f.off.get() * 11;
  sum += f.self_off.get() * 13 + f.waiting.get() * 17 + f.exceptions.get() * 19 + f.allocated.get() * 23;
  return sum;
}

template <typename Visit>
void each_figures(const ThreadTrace& thread, Visit&& visit) {
  uint32_t place = thread.figures.load(std::memory_order_acquire);  // partner: new_figures()
  while (place != 0) {
    NodeFigures& figures = figures_at(place);
    if (figures.node != 0) visit(figures);
    place = figures.next;
  }
}

void add_spread(const NodeFigures& figures, std::map<uint64_t, uint64_t>* calls) {
  uint32_t place = figures.spread.load(std::memory_order_acquire);  // partner: count_spread_slowly()
  while (place != 0) {
    const auto& part = *g_trace.memory.at<TraceSpreadPart>(place);
    for (uint64_t i = 0; i < 8; ++i)
      if (const uint64_t n = part.calls[i].get(); n != 0)
        (*calls)[uint64_t{figures.node} << kBucketBits | (part.group * 8 + i)] += n;
    place = part.next;
  }
}

void add_to(const ThreadTrace& thread, TraceEmitter::Sums* sums) {
  sums->kept += thread.kept.count();
  sums->not_kept += thread.kept.lost();
  sums->too_deep += thread.too_deep.get();
  sums->no_room += thread.no_room.get();
  sums->unmatched += thread.unmatched.get();
  sums->without_cpu += thread.without_cpu.get();
}

template <typename T>
void grow(std::vector<T>* to, size_t size) {
  if (to->size() < size) to->resize(size);
}

}  // namespace

uint64_t TraceEmitter::begin_ns(uint64_t ticks) const {
  const uint64_t since = ticks > begin_.ticks ? rate_.ns(ticks - begin_.ticks) : 0;
  const uint64_t at = begin_.ns + since;
  return at > start_ns_ ? at - start_ns_ : 0;
}

void TraceEmitter::begin_round(std::string* records) {
  sums_ = ended_;
  calls_ = ended_calls_;
  emit_nodes(records);
}

void TraceEmitter::emit_nodes(std::string* records) {
  const uint32_t size = g_trace.tree.size();
  if (size == nodes_) return;
  wire::TraceNodes nodes;
  for (uint32_t node = nodes_ + 1; node <= size; ++node) {
    nodes.parent.push_back(g_trace.tree.parent(node));
    nodes.method.push_back(g_trace.tree.method(node));
  }
  wire::encode(nodes, *records);
  nodes_ = size;
}

bool TraceEmitter::emit_figures(ThreadTrace& thread, uint64_t time_us, std::string* records) {
  std::vector<NodeFigures*> rows;
  bool all = true;
  each_figures(thread, [&](NodeFigures& figures) {
    if (figures.node > nodes_) {
      all = false;
      return;
    }
    const uint32_t method = g_trace.tree.method(figures.node);
    grow(&calls_, method + 1);
    calls_[method] += figures.calls.get();
    const uint64_t now = all_together(figures);
    if (now == figures.emitted) return;
    figures.emitted = now;
    rows.push_back(&figures);
    grow(&changed_, figures.node + 1);
    changed_[figures.node] = true;
  });
  if (rows.empty()) return all;
  std::sort(rows.begin(), rows.end(), [](auto* a, auto* b) { return a->node < b->node; });
  wire::TraceTimes times;
  times.time_us = time_us;
  times.thread = base::ThreadId(thread.thread.load(std::memory_order_relaxed));
  for (const NodeFigures* row : rows) {
    const uint64_t wall = row->wall.get(), self = row->self.get();
    const uint64_t off = row->off.get(), self_off = row->self_off.get();
    times.node.push_back(row->node);
    times.calls.push_back(row->calls.get());
    times.wall.push_back(rate_.ns(wall));
    times.self.push_back(rate_.ns(self));
    times.cpu.push_back(knows_cpu_ && wall > off ? rate_.ns(wall - off) : 0);
    times.self_cpu.push_back(knows_cpu_ && self > self_off ? rate_.ns(self - self_off) : 0);
    times.waiting.push_back(rate_.ns(row->waiting.get()));
    times.exceptions.push_back(row->exceptions.get());
    times.least.push_back(rate_.ns(row->least.get()));
    times.most.push_back(rate_.ns(row->most.get()));
    times.allocated.push_back(row->allocated.get());
  }
  wire::encode(times, *records);
  return all;
}

bool TraceEmitter::know_thread(ThreadTrace& thread) {
  if (thread.thread.load(std::memory_order_relaxed) != 0) return true;
  const base::ThreadId id = reader_.thread_of(thread.tid.load(std::memory_order_relaxed));
  thread.thread.store(id.value, std::memory_order_relaxed);
  return id.valid();
}

bool TraceEmitter::emit_thread(ThreadTrace& thread, uint64_t time_us, std::string* records) {
  add_to(thread, &sums_);
  if (!know_thread(thread)) return false;
  const bool all = emit_figures(thread, time_us, records);
  emit_kept(thread, records);
  return all;
}

bool TraceEmitter::emit_ended(ThreadTrace& thread, uint64_t time_us, std::string* records) {
  if (!emit_thread(thread, time_us, records) && thread.thread.load(std::memory_order_relaxed) != 0)
    return false;
  add_to(thread, &ended_);
  const bool known = thread.thread.load(std::memory_order_relaxed) != 0;
  each_figures(thread, [&](const NodeFigures& figures) {
    if (!known) {
      ended_.no_room += figures.calls.get();
      sums_.no_room += figures.calls.get();
      return;
    }
    const uint32_t method = g_trace.tree.method(figures.node);
    grow(&ended_calls_, method + 1);
    ended_calls_[method] += figures.calls.get();
    add_spread(figures, &past_);
  });
  return true;
}

void TraceEmitter::emit_spreads(std::string* records) {
  std::map<uint64_t, uint64_t> calls;
  for (const auto& [key, n] : past_)
    if (const uint64_t node = key >> kBucketBits; node < changed_.size() && changed_[node]) calls[key] = n;
  const uint32_t recording = g_trace.last_recording;
  for (const std::atomic<ThreadTrace*>& entry : g_trace.threads) {
    const ThreadTrace* thread = entry.load(std::memory_order_acquire);
    if (thread == nullptr) break;
    if (thread->recording.load(std::memory_order_acquire) != recording) continue;
    each_figures(*thread, [&](const NodeFigures& figures) {
      if (figures.node < changed_.size() && changed_[figures.node]) add_spread(figures, &calls);
    });
  }
  for (auto at = calls.begin(); at != calls.end();) {
    wire::TraceSpread spread;
    spread.node = at->first >> kBucketBits;
    for (; at != calls.end() && at->first >> kBucketBits == spread.node; ++at) {
      spread.bucket.push_back(at->first & ((1u << kBucketBits) - 1));
      spread.calls.push_back(at->second);
    }
    wire::encode(spread, *records);
  }
  changed_.clear();
}

void TraceEmitter::emit_call(const KeptCall& call, std::span<const uint8_t> values, std::string* records) {
  wire::TracedCall out;
  out.call = call.call;
  out.caller = call.caller;
  out.node = call.node;
  out.begin_ns = begin_ns(call.begin);
  out.wall_ns = rate_.ns(call.wall);
  out.cpu_ns = knows_cpu_ && call.wall > call.off ? rate_.ns(call.wall - call.off) : 0;
  out.waiting_ns = rate_.ns(call.waiting);
  out.thread = base::ThreadId(call.thread);
  out.ended_in = base::ThreadId(call.ended_in);
  out.outcome = call.outcome;
  reader_.describe(g_trace.tree.method(call.node), values, &out);
  wire::encode(out, *records);
}

void TraceEmitter::emit_kept(ThreadTrace& thread, std::string* records) {
  if (!know_thread(thread)) return;
  std::span<const uint8_t> values;
  const uint32_t own = thread.thread.load(std::memory_order_relaxed);
  while (const KeptCall* next = thread.kept.next(&values)) {
    if (next->node > nodes_) return;  // the next time
    KeptCall call = *next;
    if (call.thread == 0) call.thread = own;
    if (call.ended_in == 0) call.ended_in = own;
    emit_call(call, values, records);
    thread.kept.drop_next();
  }
}

void TraceEmitter::emit_not_ended(const ThreadTrace& thread, uint64_t now, std::string* records) {
  std::vector<ShadowFrame> frames(kMostNotEnded);
  const ShadowCopy copy = copy_shadow_stack(thread, frames);
  const uint64_t latency = g_trace.latency.load(std::memory_order_relaxed);
  uint32_t caller = 0;
  for (uint32_t i = 0; i < copy.certain; ++i) {
    const TraceFrame& frame = thread.frames[i + 1];
    const uint16_t flags = frame.flags.load(std::memory_order_relaxed);
    KeptCall call;
    call.caller = caller;
    call.node = frames[i].node;
    call.begin = frames[i].begin;
    call.call = frame.call.load(std::memory_order_relaxed);
    call.thread = call.ended_in = thread.thread.load(std::memory_order_relaxed);
    call.outcome = static_cast<uint32_t>(wire::CallOutcome::kNotEnded);
    if ((flags & (TraceFrame::kUntimed | TraceFrame::kBlank | TraceFrame::kUnseen)) != 0 || call.node == 0 ||
        call.node > nodes_)
      continue;
    std::span<const uint8_t> values(thread.values + frame.values.load(std::memory_order_relaxed),
                                    frame.value_bytes.load(std::memory_order_relaxed));
    if ((flags & TraceFrame::kAsync) != 0) {
      const OpenCall& open = g_trace.open.at(frame.open.load(std::memory_order_relaxed));
      call.begin = open.begin;
      call.caller = open.caller;
      call.waiting = open.waiting;
      call.thread = open.thread;
      values = {open.values, std::min(open.value_bytes, kMostValueBytes)};
    }
    call.wall = call.off = now > call.begin ? now - call.begin : 0;
    if (call.wall < latency) continue;
    if (call.call == 0) call.call = g_trace.last_call.fetch_add(1, std::memory_order_relaxed) + 1;
    if (frame.number.load(std::memory_order_acquire) != frames[i].number) return;
    caller = call.call;
    sums_.kept += 1;
    emit_call(call, values, records);
  }
}

void TraceEmitter::emit_waiting(uint64_t now, std::string* records) {
  const uint64_t latency = g_trace.latency.load(std::memory_order_relaxed);
  for (uint32_t slot = 0; slot < OpenCalls::kSlots; ++slot) {
    const uint32_t number = g_trace.open.waiting_at(slot);
    if (number == 0) continue;
    const OpenCall& open = g_trace.open.at(number);
    KeptCall call;
    call.wall = call.off = now > open.begin ? now - open.begin : 0;
    if (call.wall < latency || open.node == 0 || open.node > nodes_) continue;
    call.call = open.call != 0 ? open.call : g_trace.last_call.fetch_add(1, std::memory_order_relaxed) + 1;
    call.caller = open.caller;
    call.node = open.node;
    call.begin = open.begin;
    call.off = std::min(call.wall, open.off + (call.wall - std::min(call.wall, open.wall)));
    call.waiting = call.wall - std::min(call.wall, open.wall);
    call.thread = call.ended_in = open.thread;
    call.outcome = static_cast<uint32_t>(wire::CallOutcome::kNotEnded);
    sums_.kept += 1;
    emit_call(call, {open.values, std::min(open.value_bytes, kMostValueBytes)}, records);
  }
}

}  // namespace walkabout::agent
