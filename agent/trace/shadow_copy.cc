#include "agent/trace/shadow_copy.h"

#include <algorithm>

#include "agent/trace/trace_process.h"

namespace walkabout::agent {
namespace {

constexpr int kMostReadings = 8;

// False: it is not there, or changed meanwhile.
bool read_frame(const TraceFrame& frame, ShadowFrame* out) {
  out->number = frame.number.load(std::memory_order_acquire);  // partner: publish()
  if (out->number == 0) return false;
  out->begin = frame.begin.load(std::memory_order_relaxed);
  out->method = frame.method.load(std::memory_order_relaxed);
  out->node = frame.node.load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);  // partner: unpublish()
  return frame.number.load(std::memory_order_relaxed) == out->number;
}

// From `first` on; how many stand there then.
uint32_t read_frames(const ThreadTrace& thread, uint32_t first, std::span<ShadowFrame> out, bool* cut) {
  uint32_t n = first;
  while (n < out.size() && n + 1 < thread.most_frames && read_frame(thread.frames[n + 1], &out[n])) ++n;
  *cut = n == out.size() && n + 1 < thread.most_frames &&
         thread.frames[n + 1].number.load(std::memory_order_relaxed) != 0;
  return n;
}

uint32_t unchanged(const ThreadTrace& thread, std::span<const ShadowFrame> frames) {
  uint32_t n = 0;
  while (n < frames.size() && thread.frames[n + 1].number.load(std::memory_order_relaxed) == frames[n].number)
    ++n;
  return n;
}

}  // namespace

// What stands there unchanged is not read again: only what is above it can differ.
ShadowCopy copy_shadow_stack(const ThreadTrace& thread, std::span<ShadowFrame> out) {
  ShadowCopy copy;
  for (int i = 0; i < kMostReadings; ++i) {
    const uint64_t before =
        thread.changes.load(std::memory_order_acquire);  // partner: publish(), unpublish()
    copy.certain = unchanged(thread, out.first(copy.certain));
    copy.frames = read_frames(thread, copy.certain, out, &copy.cut);
    std::atomic_thread_fence(std::memory_order_acquire);
    copy.whole = thread.changes.load(std::memory_order_relaxed) == before;
    if (copy.whole) {
      copy.certain = copy.frames;
      return copy;
    }
    copy.certain = unchanged(thread, out.first(copy.frames));
  }
  return copy;
}

ShadowCopy copy_own_shadow_stack(std::span<ShadowFrame> out) {
  const ThreadTrace* thread = t_trace;
  if (thread == nullptr ||
      thread->recording.load(std::memory_order_relaxed) != g_trace.recording.load(std::memory_order_relaxed))
    return {};
  return copy_shadow_stack(*thread, out);
}

}  // namespace walkabout::agent
