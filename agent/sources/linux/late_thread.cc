#include "agent/sources/linux/late_thread.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/handler/self_memory.h"
#include "agent/sources/linux/requested_sample.h"
#include "base/clock.h"
#include "clr/abi/thread_mode.h"
#include "wire/sources.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kLateNs = 1'000'000;  // from here on a stack is taken
// So many looks follow one another at that distance.
constexpr uint32_t kCloseLooks = 20;
constexpr uint64_t kAnswerLookNs = 100'000;
// While suspensions follow one another so closely the thread is not woken for each. Else it sleeps: to look
// every millisecond costs more than to be woken.
constexpr uint64_t kAwakeNs = 2'000'000;

constexpr base::SourceId kGc = wire::source_id("gc");

void sleep_ns(uint64_t ns) { ::usleep(static_cast<useconds_t>(std::max<uint64_t>(ns / 1000, 1))); }

}  // namespace

base::Status LateThread::start(const SourceContext& context, Emit emit) {
  const std::optional<uint32_t> offset = clr::mode_offset(context.runtime);
  if (!offset) return base::Status::error("how this runtime marks the threads it waits for is not known");
  if (!context.threads.host().apart())
    return base::Status::error("it needs a table of descriptors of the agent's own");
  mode_offset_ = *offset;
  emit_ = std::move(emit);
  context_ = std::make_unique<SourceContext>(context);
  blocked_ = std::make_unique<BlockedStacks>(capture_setup().code, tick_gate(), capture_setup().depth,
                                             capture_setup().async);
  for (Asked& asked : asked_) asked.request = std::make_unique<StackRequest>(context.threads, *blocked_);
  on_.store(true, std::memory_order_release);  // until the thread has no room
  base::Status started = thread_.start(
      context, "walkabout-late",
      "who comes last when all threads are stopped is not recorded: no room for one more thread",
      [this](ThreadSlot* writer) { run(writer); });
  if (!started.ok()) on_.store(false);
  return started;
}

void LateThread::stop() {
  on_.store(false);
  stops_.store(true);
  bell_.ring();
  thread_.join();
}

// REQUIRES: the runtime's object does not go away: the thread has a slot, and its end is announced in a
// callback, for which the runtime holds no suspension back.
bool LateThread::is_cooperative(const ThreadSlot& slot) const {
  const uint64_t object = slot.clr_thread.load(std::memory_order_relaxed);
  if (object == 0 || slot.tid.load(std::memory_order_relaxed) == 0) return false;
  return reinterpret_cast<const std::atomic<uint32_t>*>(object + mode_offset_)
             ->load(std::memory_order_relaxed) != 0;
}

void LateThread::starts(uint64_t reason) {
  if (!is_on()) return;
  const uint64_t number = count_.load(std::memory_order_relaxed) + 1;
  count_.store(number, std::memory_order_relaxed);
  const std::span<ThreadSlot> slots = thread_slots();
  const ThreadSlot* const own = current_slot();
  const uint32_t used = context_->threads.slot_count();
  for (uint32_t i = 0; i < used; ++i) {
    if (&slots[i] == own || !is_cooperative(slots[i])) continue;
    marks_[i].came_ns.store(0, std::memory_order_relaxed);
    marks_[i].number.store(number, std::memory_order_release);
  }
  reason_ = reason;
  suspender_.store(own == nullptr ? wire::kMaxSlots : slot_number(*own));
  last_tid_.store(0, std::memory_order_relaxed);
  unexpected_ns_.store(0, std::memory_order_relaxed);
  began_ns_.store(base::monotonic_ns(), std::memory_order_relaxed);
  under_way_.store(number, std::memory_order_release);  // partner: wait()
  bell_.ring();
}

void LateThread::came(const Place& place) {
  const uint64_t number = under_way_.load(std::memory_order_acquire);
  if (number == 0) return;
  Mark& mark = marks_[place.slot];
  const bool expected = mark.number.load(std::memory_order_relaxed) == number;
  (expected ? mark.came_ns : unexpected_ns_).store(base::monotonic_ns(), std::memory_order_release);
}

// Of those whom the last look found; before the first look, of all that were expected. Who stands says so a
// moment after the suspending thread can see it: one that has said nothing yet is the last where no other can
// be.
uint32_t LateThread::last_of(uint64_t number) const {
  const uint64_t looked = looked_.load(std::memory_order_acquire);  // partner: watch()
  const bool any_look = looked > look_of(number, 0);
  const uint32_t used = context_->threads.slot_count();
  uint32_t last = wire::kMaxSlots, silent = 0, came = 0;
  uint64_t last_ns = 0;
  for (uint32_t i = 0; i < used; ++i) {
    const Mark& mark = marks_[i];
    if (mark.number.load(std::memory_order_relaxed) != number) continue;
    if (any_look && mark.looked_at.load(std::memory_order_relaxed) < looked) continue;
    const uint64_t came_ns = mark.came_ns.load(std::memory_order_acquire);
    if (came_ns == 0) ++silent;
    if (came_ns != 0) ++came;
    if (came_ns < last_ns) continue;
    last_ns = came_ns;
    last = i;
  }
  const uint64_t unexpected_ns = unexpected_ns_.load(std::memory_order_acquire);
  if (!any_look && unexpected_ns != 0 && unexpected_ns >= last_ns) return wire::kMaxSlots;
  return silent > 1 || (silent == 1 && came != 0) ? wire::kMaxSlots : last;
}

void LateThread::all_stand() {
  const uint64_t number = under_way_.load(std::memory_order_relaxed);
  if (!is_on() || number == 0) return;
  LateThreadFound found;
  found.number = number;
  found.ended_ns = base::monotonic_ns();
  found.waited_ns = found.ended_ns - std::min(began_ns_.load(std::memory_order_relaxed), found.ended_ns);
  found.reason = reason_;
  found.slot = last_of(number);
  under_way_.store(0, std::memory_order_release);
  if (found.slot == wire::kMaxSlots) return;
  const ThreadSlot& slot = thread_slots()[found.slot];
  found.tid = slot.tid.load(std::memory_order_relaxed);
  if (slot.shared != nullptr)
    found.thread = base::ThreadId(slot.shared->thread.load(std::memory_order_relaxed));
  last_tid_.store(found.tid, std::memory_order_relaxed);
  if (found.waited_ns < kLateNs || !found.thread.valid()) return;
  const uint64_t at = found_count_.load(std::memory_order_relaxed);
  if (at - taken_count_.load(std::memory_order_acquire) >= kMostFound) return context_->tally.lose(kGc);
  found_[at % kMostFound] = found;
  found_count_.store(at + 1, std::memory_order_release);  // partner: emit_found()
  bell_.ring();
}

void LateThread::run(ThreadSlot* writer) {
  if (writer == nullptr) return on_.store(false);
  writer_ = writer;
  uint64_t seen = 0, started = 0, active_ns = 0;
  while (!stops_.load()) {
    const uint64_t now_started = count_.load(std::memory_order_relaxed);
    if (std::exchange(started, now_started) != now_started) active_ns = base::monotonic_ns();
    emit_found();
    bell_.listen();
    const uint64_t number = under_way_.load(std::memory_order_acquire);  // partner: starts()
    const bool idle =
        count_.load() == started && found_count_.load() == taken_count_.load() && !stops_.load();
    if (number != 0 && number != seen) {
      bell_.stop_listening();
      seen = number;
      watch(number);
    } else if (idle && base::monotonic_ns() - active_ns >= kAwakeNs) {
      bell_.sleep();
    } else {
      bell_.stop_listening();
      sleep_ns(kLateNs);
    }
  }
  emit_found();
  forget_requests();
}

void LateThread::watch(uint64_t number) {
  const uint64_t age_ns = base::monotonic_ns() - began_ns_.load(std::memory_order_relaxed);
  if (age_ns < kLateNs) sleep_ns(kLateNs - age_ns);
  for (uint32_t turn = 1; is_under_way(number); ++turn) {
    look(number, turn);
    looked_.store(look_of(number, turn), std::memory_order_release);  // partner: last_of()
    const uint64_t next_ns =
        base::monotonic_ns() + (turn < kCloseLooks ? kLateNs : kCloseLooks * kLateNs / 4);
    while (is_under_way(number) && base::monotonic_ns() < next_ns) {
      bool waits = false;
      for (Asked& asked : asked_) {
        if (asked.of == number) asked.request->look();
        waits = waits || asked.request->waits();
      }
      sleep_ns(waits ? kAnswerLookNs : kLateNs / 2);
    }
  }
}

// Who runs still. The first look sees threads too that came to be waited for as the suspension started.
void LateThread::look(uint64_t number, uint32_t turn) {
  const uint32_t used = context_->threads.slot_count();
  const uint32_t suspender = suspender_.load();
  for (uint32_t i = 0; i < used && is_under_way(number); ++i) {
    Mark& mark = marks_[i];
    uint64_t marked = mark.number.load(std::memory_order_relaxed);
    const bool expected = marked == number;
    if (i == suspender || (!expected && turn != 1) || (expected && mark.came_ns.load() != 0)) continue;
    if (!may_be_cooperative(i)) continue;
    // Not over the mark of the next suspension.
    if (!expected && (marked > number || !mark.number.compare_exchange_strong(marked, number))) continue;
    if (!expected) mark.came_ns.store(0, std::memory_order_relaxed);
    mark.looked_at.store(look_of(number, turn), std::memory_order_relaxed);
    ask(number, i);
  }
}

// As is_cooperative(), also where the object goes away meanwhile.
bool LateThread::may_be_cooperative(uint32_t slot) const {
  const uint64_t object = thread_slots()[slot].clr_thread.load(std::memory_order_relaxed);
  uint32_t mode = 0;
  return object != 0 && read_self(nullptr, object + mode_offset_, &mode, sizeof mode) && mode != 0;
}

void LateThread::ask(uint64_t number, uint32_t slot) {
  Asked* free = nullptr;
  for (Asked& asked : asked_) {
    const bool same = asked.of == number && asked.slot == slot;
    if (same && (asked.request->waits() || !asked.request->stack().frames.empty())) return;
    if (same || asked.of != number) free = &asked;
    if (same) break;
  }
  if (free == nullptr) return;
  free->request->ask(slot);
  free->of = number;
  free->slot = slot;
  // Where it was blocked: because it stands, by now?
  if (!free->request->waits() && !may_be_cooperative(slot)) free->of = 0;
}

// What the ring has no room for waits; but for the last of a recording.
void LateThread::emit_found() {
  const RequestedStack none;
  const uint64_t all = found_count_.load(std::memory_order_acquire);  // partner: all_stand()
  for (uint64_t at = taken_count_.load(std::memory_order_relaxed); at != all; ++at) {
    if (!has_room_for_amounts(*writer_) && !stops_.load()) break;
    const LateThreadFound found = found_[at % kMostFound];
    taken_count_.store(at + 1, std::memory_order_release);
    const RequestedStack* stack = &none;
    for (Asked& asked : asked_) {
      if (asked.of != found.number || asked.slot != found.slot) continue;
      if (asked.request->look() && asked.request->stack().time_ns <= found.ended_ns)
        stack = &asked.request->stack();
    }
    emit_(*writer_, found, *stack);
  }
  if (under_way_.load(std::memory_order_relaxed) == 0) forget_requests();
}

void LateThread::forget_requests() {
  for (Asked& asked : asked_) {
    asked.request->give_up();
    asked.of = 0;
  }
}

}  // namespace walkabout::agent
