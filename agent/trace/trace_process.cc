#include "agent/trace/trace_process.h"

#include <cstring>

#include "agent/trace/thread_cpu.h"
#include "agent/trace/thread_figures.h"
#include "agent/trace/trace_pages.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kMapBytes = (CallTree::kMostNodes / ThreadTrace::kMapBlock + 1) * sizeof(uint32_t);

constexpr size_t whole_pages(size_t bytes) { return (bytes + 4095) & ~size_t{4095}; }

void end_thread_trace(void* thread) {
  t_trace = nullptr;
  static_cast<ThreadTrace*>(thread)->state.store(static_cast<uint32_t>(ThreadTrace::State::kEnded),
                                                 std::memory_order_release);  // partner: who emits
}

bool become(ThreadTrace& thread, ThreadTrace::State from, ThreadTrace::State to) {
  auto expected = static_cast<uint32_t>(from);
  return thread.state.load(std::memory_order_relaxed) == expected &&
         thread.state.compare_exchange_strong(expected, static_cast<uint32_t>(to), std::memory_order_acq_rel);
}

ThreadTrace* take_free_one() {
  for (std::atomic<ThreadTrace*>& entry : g_trace.threads) {
    ThreadTrace* thread = entry.load(std::memory_order_acquire);
    if (thread == nullptr) return nullptr;
    if (become(*thread, ThreadTrace::State::kFree, ThreadTrace::State::kUsed)) return thread;
  }
  return nullptr;
}

// One mapping: this, the map, values, slow calls, frames, stack pointers.
ThreadTrace* make_one() {
  const size_t own = whole_pages(sizeof(ThreadTrace)), map = whole_pages(kMapBytes);
  const uint32_t most_frames = most_trace_frames();
  const size_t bytes = own + map + kMostThreadValueBytes + KeptCalls::kBytes +
                       size_t{most_frames} * (sizeof(TraceFrame) + sizeof(uint64_t));
  auto* pages = static_cast<uint8_t*>(reserve_trace_pages(bytes));
  if (pages == nullptr) return nullptr;
  auto* thread = reinterpret_cast<ThreadTrace*>(pages);
  thread->map = reinterpret_cast<uint32_t*>(pages + own);
  thread->map_size = kMapBytes / sizeof(uint32_t);
  thread->values = pages + own + map;
  thread->kept.init(thread->values + kMostThreadValueBytes);
  thread->frames = reinterpret_cast<TraceFrame*>(thread->values + kMostThreadValueBytes + KeptCalls::kBytes);
  thread->stack_pointers = reinterpret_cast<uint64_t*>(thread->frames + most_frames);
  thread->most_frames = most_frames;
  thread->bytes.store(bytes);
  thread->state.store(static_cast<uint32_t>(ThreadTrace::State::kUsed));
  for (std::atomic<ThreadTrace*>& entry : g_trace.threads) {
    ThreadTrace* none = nullptr;
    if (entry.load(std::memory_order_relaxed) == nullptr &&
        entry.compare_exchange_strong(none, thread, std::memory_order_acq_rel))
      return thread;
  }
  free_trace_pages(pages, bytes);
  return nullptr;
}

// The frames that an earlier recording left there, so that nobody takes them for what is on.
void forget_frames(ThreadTrace& thread) {
  for (uint32_t place = 1; place < thread.most_frames; ++place) {
    TraceFrame& frame = thread.frames[place];
    if (frame.number.load(std::memory_order_relaxed) == 0) break;
    frame.number.store(0, std::memory_order_relaxed);
  }
  thread.depth = 0;
  thread.beyond = 0;
  thread.frames[0].values.store(0, std::memory_order_relaxed);
  thread.frames[0].value_bytes.store(0, std::memory_order_relaxed);
}

void give_back_units(ThreadTrace& thread) {
  g_trace.memory.give_back_units(thread.units);
  thread.units = thread.bump = thread.bump_end = 0;
  clear_trace_pages(thread.map, whole_pages(kMapBytes));
}

}  // namespace

constinit TraceProcess g_trace;
constinit thread_local ThreadTrace* t_trace = nullptr;

void empty_thread_trace(ThreadTrace& thread) {
  forget_frames(thread);
  give_back_units(thread);
  thread.figures.store(0, std::memory_order_relaxed);
  thread.too_deep.set(0);
  thread.no_room.set(0);
  thread.unmatched.set(0);
  thread.kept.clear();
  thread.thread.store(0, std::memory_order_relaxed);
  thread.without_cpu.set(0);
  forget_cpu_clock(thread);
}

ThreadTrace* begin_thread_trace() {
  if (g_trace.recording.load(std::memory_order_relaxed) == 0 ||
      g_trace.process.load(std::memory_order_relaxed) != this_trace_process())
    return nullptr;
  ThreadTrace* thread = t_trace;
  if (thread == nullptr) {
    thread = take_free_one();
    if (thread == nullptr) thread = make_one();
    if (thread != nullptr && !watch_trace_thread(end_thread_trace, thread)) {
      thread->state.store(static_cast<uint32_t>(ThreadTrace::State::kFree), std::memory_order_release);
      thread = nullptr;
    }
    if (thread == nullptr) {
      g_trace.no_thread.fetch_add(1, std::memory_order_relaxed);
      return nullptr;
    }
    t_trace = thread;
  }
  const WhileTracing tracing(*thread);
  if (tracing.recording() == 0) return nullptr;
  empty_thread_trace(*thread);
  thread->tid.store(this_trace_thread(), std::memory_order_relaxed);
  thread->thread.store(g_trace.reader->this_thread().value, std::memory_order_relaxed);
  begin_cpu_clock(*thread);
  thread->frames[0].figures = new_figures(*thread, 0);
  if (thread->frames[0].figures == 0) {
    g_trace.no_thread.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
  }
  thread->recording.store(tracing.recording(), std::memory_order_release);  // partner: who emits
  return thread;
}

}  // namespace walkabout::agent
