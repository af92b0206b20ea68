#include "agent/linux/handler/asked_stack.h"

#include <sys/syscall.h>
#include <unistd.h>

#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/self_memory.h"
#include "base/clock.h"
#include "base/linux/tick_trap.h"
#include "unwind/machine/signal_context_x64.h"

namespace walkabout::agent {
namespace {

constinit AskedStack g_asked[kMostAsked];
// Its claimer has gone while it was being written.
constinit std::atomic<bool> g_forsaken[kMostAsked] = {};

uint32_t number_of(const AskedStack& entry) { return static_cast<uint32_t>(&entry - g_asked); }

uint8_t bit(const AskedStack& entry) { return static_cast<uint8_t>(1u << number_of(entry)); }

bool condition_holds(const AskedStack& entry) {
  const uint64_t at = entry.while_at.load(std::memory_order_relaxed);
  uint32_t is = 0;
  return at == 0 ||
         (read_self(nullptr, at, &is, sizeof is) && is == entry.while_is.load(std::memory_order_relaxed));
}

void write(AskedStack& entry, ThreadSlot& slot, const ucontext_t& context) {
  if (!condition_holds(entry)) return entry.state.store(AskedStack::kRefused, std::memory_order_release);
  const WalkedStack walked =
      walk_for(slot, unwind::registers_of(context), {entry.frame, entry.awaiter, entry.stack_pointer});
  entry.frames = walked.frames;
  entry.end = walked.end;
  entry.flags = walked.flags;
  entry.async_joint = walked.async_joint;
  entry.async_unseen = walked.async_unseen;
  entry.awaiters = walked.awaiters;
  entry.time_ns = base::monotonic_ns();
  entry.state.store(walked.trusted ? AskedStack::kWalked : AskedStack::kRefused,
                    std::memory_order_release);  // partner: who asked
}

// What its claimer left while somebody had it: whoever wrote it, or a tick of another thread's, which left it
// asked as it was.
void take_back(AskedStack& entry) {
  AskedStack::State state = entry.state.load(std::memory_order_acquire);
  if (state == AskedStack::kFree || state == AskedStack::kWalks) return;
  std::atomic<bool>& forsaken = g_forsaken[number_of(entry)];
  if (!forsaken.exchange(false)) return;
  if (!entry.state.compare_exchange_strong(state, AskedStack::kFree)) forsaken.store(true);
}

}  // namespace

AskedStack* claim_asked(pid_t tid, uint32_t slot, const AskedWhile& condition) {
  for (AskedStack& entry : g_asked) {
    take_back(entry);
    AskedStack::State state = entry.state.load(std::memory_order_acquire);
    // kWalks while it is made ready: nobody answers, nobody else claims it.
    if (state != AskedStack::kFree || !entry.state.compare_exchange_strong(state, AskedStack::kWalks))
      continue;
    entry.tid.store(tid, std::memory_order_relaxed);
    entry.slot.store(slot, std::memory_order_relaxed);
    entry.while_at.store(condition.at, std::memory_order_relaxed);
    entry.while_is.store(condition.is, std::memory_order_relaxed);
    entry.state.store(AskedStack::kAsked, std::memory_order_release);  // partner: answer()
    thread_slots()[slot].asked.fetch_or(bit(entry),
                                        std::memory_order_release);  // partner: answer_all_asked()
    return &entry;
  }
  return nullptr;
}

uint32_t asked_tick(const AskedStack& entry) { return kAskedTick + number_of(entry); }

void free_asked(AskedStack& entry) {
  thread_slots()[entry.slot].asked.fetch_and(static_cast<uint8_t>(~bit(entry)));
  AskedStack::State state = AskedStack::kAsked;
  if (entry.state.compare_exchange_strong(state, AskedStack::kFree)) return;
  if (state != AskedStack::kWalks) return entry.state.store(AskedStack::kFree);
  g_forsaken[number_of(entry)].store(true);
}

namespace {

void answer(AskedStack& entry, const ucontext_t& context) {
  AskedStack::State state = AskedStack::kAsked;
  if (!entry.state.compare_exchange_strong(state, AskedStack::kWalks)) return;  // late, or answered before
  ThreadSlot& slot = thread_slots()[entry.slot.load(std::memory_order_relaxed)];
  const auto tid = static_cast<pid_t>(::syscall(SYS_gettid));
  const bool asked = entry.tid.load(std::memory_order_relaxed) == tid;
  if (!asked || slot.tid.load(std::memory_order_acquire) != tid || captures_stopped()) {
    // Of another thread: this one's entry is still to be answered.
    entry.state.store(asked ? AskedStack::kRefused : AskedStack::kAsked);
  } else {
    write(entry, slot, context);
  }
}

}  // namespace

bool answer_asked(const siginfo_t& info, const ucontext_t& context) {
  uint32_t tick = 0;
  const bool ours = base::is_tick_trap(info, &tick) ||
                    (info.si_code == SI_TIMER &&
                     base::read_tick_data(reinterpret_cast<uint64_t>(info.si_value.sival_ptr), &tick));
  if (!ours || tick < kAskedTick || tick - kAskedTick >= kMostAsked) return false;
  answer(g_asked[tick - kAskedTick], context);
  return true;
}

void answer_all_asked(ThreadSlot& slot, const ucontext_t& context) {
  const uint8_t asked = slot.asked.load(std::memory_order_acquire);  // partner: claim_asked()
  for (uint32_t i = 0; i < kMostAsked; ++i) {
    if ((asked >> i & 1) != 0 && &thread_slots()[g_asked[i].slot] == &slot) answer(g_asked[i], context);
  }
}

}  // namespace walkabout::agent
