#include "agent/linux/calls/traced_suspension.h"

#include <sched.h>
#include <unistd.h>

#include <atomic>

#include "agent/trace/trace_process.h"
#include "agent/trace/traced_call.h"

namespace walkabout::agent {
namespace {

constexpr int kYields = 64;
constexpr useconds_t kWaitUs = 50;
constexpr int kMostWaits = 40'000;  // two seconds: a thread that comes no further

// By method; several share one, and wait for one another.
constexpr uint64_t kCounts = 1024;
constinit std::atomic<uint32_t> g_pausing[kCounts] = {};

bool is_early(uint64_t method, uint64_t identity) {
  return identity != 0 && g_pausing[method % kCounts].load() != 0 &&
         !g_trace.open.waits(static_cast<uint32_t>(method), static_cast<uint32_t>(identity));
}

}  // namespace

extern "C" {

void walkabout_trace_pausing(uint64_t method) { g_pausing[method % kCounts].fetch_add(1); }

void walkabout_trace_paused(uint64_t token, uint64_t outcome, uint64_t identity, uint64_t pausing) {
  walkabout_trace_pause(token, outcome, identity);
  if (pausing != 0) g_pausing[(pausing - 1) % kCounts].fetch_sub(1);
}

uint64_t walkabout_trace_is_early(uint64_t method, uint64_t identity) {
  return is_early(method, identity) ? 1 : 0;
}

void walkabout_trace_await(uint64_t method, uint64_t identity) {
  for (int i = 0; i < kYields + kMostWaits && is_early(method, identity); ++i) {
    if (i < kYields)
      ::sched_yield();
    else
      ::usleep(kWaitUs);
  }
}

}  // extern "C"

}  // namespace walkabout::agent
