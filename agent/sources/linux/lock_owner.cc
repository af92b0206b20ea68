#include "agent/sources/linux/lock_owner.h"

#include <unistd.h>

#include <algorithm>
#include <utility>

#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/handler.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kLastsNs = 1'000'000;  // such a wait
constexpr uint64_t kPassNs = 1'000'000;
// Where waits are short, or last for long, it is looked more rarely.
constexpr uint64_t kRarePassNs = 5'000'000;
constexpr uint64_t kRareAfterNs = 50'000'000;
// What was seen held counts as held so much longer at most, until a later look.
constexpr uint64_t kLateLookNs = 20'000'000;
constexpr uint64_t kMostShare = 50;  // of a processor, 1 in so many
constexpr uint64_t kLongestRestNs = 1'000'000'000;

}  // namespace

base::Status LockOwners::start(const SourceContext& context, Emit emit) {
  if (!context.threads.host().apart())
    return base::Status::error("it needs a table of descriptors of the agent's own");
  emit_ = std::move(emit);
  context_ = std::make_unique<SourceContext>(context);
  blocked_ = std::make_unique<BlockedStacks>(capture_setup().code, tick_gate(), capture_setup().depth,
                                             capture_setup().async);
  for (Asked& asked : asked_) asked.request = std::make_unique<StackRequest>(context.threads, *blocked_);
  on_.store(true, std::memory_order_release);  // until the thread has no room
  base::Status started = thread_.start(
      context, "walkabout-locks", "the stacks of locks' owners are not recorded: no room for one more thread",
      [this](ThreadSlot* writer) { run(writer); });
  if (!started.ok()) on_.store(false);
  return started;
}

void LockOwners::stop() {
  on_.store(false);
  stops_.store(true);
  bell_.ring();
  thread_.join();
}

void LockOwners::begins(const Place& place, const clr::ContentionStart& start, uint64_t now_ns) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  if (!on_.load(kRelaxed)) return;
  Wait& wait = waits_[place.slot];
  const uint64_t number = wait.number.load(kRelaxed);
  // While it is written it does not last. One that lasted still was left without a word: its number's
  // successor would say when it ended.
  const uint64_t written = number + 2 + (number & 1);
  wait.number.store(written, kRelaxed);
  std::atomic_thread_fence(std::memory_order_release);  // partner: read()
  wait.lock.store(start.lock, kRelaxed);
  wait.object.store(start.object, kRelaxed);
  wait.owner.store(start.owner, kRelaxed);
  wait.began_ns.store(now_ns, kRelaxed);
  wait.suspensions.store(locks_.suspensions_of_addresses(), kRelaxed);
  wait.thread.store(place.thread.value, kRelaxed);
  wait.number.store(written + 1, std::memory_order_release);
  bell_.ring();
}

void LockOwners::ends(const Place& place, uint64_t now_ns) {
  Wait& wait = waits_[place.slot];
  const uint64_t number = wait.number.load(std::memory_order_relaxed);
  if ((number & 1) == 0) return;
  wait.ended_ns.store(now_ns, std::memory_order_relaxed);
  wait.number.store(number + 1, std::memory_order_release);  // partner: end_watch()
}

void LockOwners::leaves(size_t slot) {
  Wait& wait = waits_[slot];
  const uint64_t number = wait.number.load(std::memory_order_relaxed);
  if ((number & 1) != 0) wait.number.store(number + 3, std::memory_order_release);
}

void LockOwners::run(ThreadSlot* writer) {
  if (writer == nullptr) return on_.store(false);
  writer_ = writer;
  while (!stops_.load()) {
    bell_.listen();
    if (!anybody_waits() && !stops_.load()) {
      bell_.sleep();
      continue;
    }
    bell_.stop_listening();
    const uint64_t begun_ns = base::thread_cpu_ns();
    pass();
    rest(base::thread_cpu_ns() - begun_ns);
  }
  for (Watch& watch : watches_) {
    if (watch.stage == Stage::kHeld) emit(watch, watch.held_until_ns);
  }
  for (Asked& asked : asked_) asked.request->give_up();
}

void LockOwners::rest(uint64_t pass_cpu_ns) const {
  const bool rare = base::monotonic_ns() - lasting_ns_ > kRareAfterNs;
  const uint64_t least_ns = rare ? kRarePassNs : kPassNs;
  const uint64_t rest_ns = std::clamp(pass_cpu_ns * kMostShare, least_ns, kLongestRestNs);
  for (uint64_t rested_ns = 0; rested_ns < rest_ns && !stops_.load(); rested_ns += kRarePassNs)
    ::usleep(static_cast<useconds_t>(std::min(rest_ns - rested_ns, kRarePassNs) / 1000));
}

// The number of the wait of that slot's thread.
uint64_t LockOwners::wait_of(uint32_t slot) const {
  const uint64_t number = waits_[slot].number.load(std::memory_order_acquire);  // partner: begins()
  if ((number & 1) == 0) return number;
  const wire::SlotHeader* shared = thread_slots()[slot].shared;
  const uint32_t thread = waits_[slot].thread.load(std::memory_order_relaxed);
  return shared != nullptr && shared->thread.load(std::memory_order_relaxed) == thread ? number : 0;
}

// Or waited, and is watched still. Of a wait whose watch is over nothing more is to be seen.
bool LockOwners::anybody_waits() const {
  const uint32_t used = context_->threads.slot_count();
  for (uint32_t i = 0; i < used; ++i) {
    const uint64_t number = wait_of(i);
    const Watch* watch = i < watches_.size() ? &watches_[i] : nullptr;
    const uint64_t watched = watch != nullptr ? watch->number : 0;
    if (watched == number && watched != 0 && watch->stage == Stage::kOver) continue;
    if ((number & 1) != 0 || watched != 0) return true;
  }
  return false;
}

void LockOwners::pass() {
  const uint32_t used = context_->threads.slot_count();
  if (watches_.size() < used) watches_.resize(used);
  take_answers();
  for (uint32_t i = 0; i < used; ++i) look(i);
}

void LockOwners::look(uint32_t slot) {
  Watch& watch = watches_[slot];
  const uint64_t number = wait_of(slot);
  if (watch.number != 0 && watch.number != number) end_watch(slot, watch);
  if ((number & 1) == 0) return;
  const uint64_t now_ns = base::monotonic_ns();
  if (watch.number == 0) {
    if (!read(slot, number, &watch)) return;
    watch.number = number;
    (void)locks_.look(watch.lock);  // before anything moves
  }
  if (now_ns - std::min(watch.began_ns, now_ns) < kLastsNs) return;
  if (now_ns - watch.began_ns < kRareAfterNs) lasting_ns_ = now_ns;
  if (watch.stage == Stage::kSeen) begin_watch(slot, watch);
  if (watch.stage != Stage::kHeld) return;
  const Holding holding = locks_.look(watch.lock);
  if (holding == Holding::kHeld) watch.held_until_ns = now_ns;
  if (holding == Holding::kLetGo) emit(watch, now_ns);
}

// A look comes late where there is much to look at, and the lock may have been another one's since.
uint64_t LockOwners::held_until(const Watch& watch, uint64_t at_most_ns) {
  return std::clamp(at_most_ns, watch.held_until_ns, watch.held_until_ns + kLateLookNs);
}

bool LockOwners::read(uint32_t slot, uint64_t number, Watch* watch) const {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  const Wait& wait = waits_[slot];
  *watch = Watch();
  watch->lock.lock = wait.lock.load(kRelaxed);
  watch->lock.object = wait.object.load(kRelaxed);
  watch->lock.suspensions = wait.suspensions.load(kRelaxed);
  watch->lock.owner = static_cast<pid_t>(wait.owner.load(kRelaxed));
  watch->lock.waiter = thread_slots()[slot].tid.load(kRelaxed);
  watch->began_ns = wait.began_ns.load(kRelaxed);
  std::atomic_thread_fence(std::memory_order_acquire);  // partner: begins()
  return wait.number.load(kRelaxed) == number;
}

void LockOwners::begin_watch(uint32_t slot, Watch& watch) {
  const Holding holding = locks_.look(watch.lock);
  if (holding == Holding::kUnknown) return;  // in the next pass
  if (holding == Holding::kLetGo || !find_owner(watch.lock.owner, &watch.owner)) {
    watch.stage = Stage::kOver;
    return;
  }
  if (share_stack(watch)) return;
  const auto free =
      std::find_if(asked_.begin(), asked_.end(), [](const Asked& asked) { return asked.number == 0; });
  if (free == asked_.end()) return;  // in the next pass
  watch.stage = Stage::kAsked;
  free->waiter = slot;
  free->number = watch.number;
  free->request->ask(static_cast<uint32_t>(watch.owner.slot),
                     {watch.lock.held_at, static_cast<uint32_t>(watch.lock.owner)});
  watch.asked += free->request->waits() ? 1 : 0;
  take_answers();
}

// Of another one that waits for the same.
bool LockOwners::share_stack(Watch& watch) const {
  for (const Watch& other : watches_) {
    const bool same = other.lock.lock == watch.lock.lock && other.owner.thread == watch.owner.thread;
    if (!same || other.stage != Stage::kHeld || other.stack->time_ns < watch.began_ns) continue;
    took(watch, *other.stack);
    watch.stack = other.stack;
    return true;
  }
  return false;
}

void LockOwners::take_answers() {
  for (Asked& asked : asked_) {
    if (asked.number == 0) continue;
    Watch& watch = watches_[asked.waiter];
    const bool wanted = watch.number == asked.number && watch.stage == Stage::kAsked;
    const bool there = asked.request->look();
    if (wanted && !there && asked.request->waits()) continue;
    if (wanted) answered(asked, there, watch);
    asked.request->give_up();
    asked.number = 0;
  }
}

// Where the stack is not there, or not the owner's, the next pass asks again, while the owner holds the lock.
void LockOwners::answered(const Asked& asked, bool there, Watch& watch) {
  watch.stage = Stage::kSeen;
  const Holding holding = locks_.look(watch.lock);
  if (holding == Holding::kLetGo) {
    watch.stage = Stage::kOver;
  } else if (there && holding == Holding::kHeld && asked.request->stands_there()) {
    watch.stack = std::make_shared<RequestedStack>(asked.request->stack());
    took(watch, *watch.stack);
  } else if (watch.asked >= kMostAskedFor) {
    give_up_owner(watch.lock.lock, watch.owner);
  }
}

// Nor would it answer for the others. Their time with it has no stack.
void LockOwners::give_up_owner(uint64_t lock, const Place& owner) {
  const auto none = std::make_shared<const RequestedStack>();
  for (Watch& watch : watches_) {
    if (watch.number == 0 || watch.stage != Stage::kSeen || watch.lock.lock != lock ||
        watch.owner.thread != owner.thread)
      continue;
    took(watch, *none);
    watch.stack = none;
  }
}

void LockOwners::took(Watch& watch, const RequestedStack& stack) {
  watch.stage = Stage::kHeld;
  watch.held_until_ns = std::max(stack.time_ns, watch.began_ns);
}

// Who waited had the lock when the owner let it go.
void LockOwners::end_watch(uint32_t slot, Watch& watch) {
  const Wait& wait = waits_[slot];
  const bool known = wait.number.load(std::memory_order_acquire) == watch.number + 1;  // partner: ends()
  const uint64_t ended_ns = wait.ended_ns.load(std::memory_order_relaxed);
  const bool still_known = known && wait.number.load(std::memory_order_relaxed) == watch.number + 1;
  if (watch.stage == Stage::kHeld) emit(watch, still_known ? ended_ns : watch.held_until_ns);
  watch = Watch();
}

void LockOwners::emit(Watch& watch, uint64_t at_most_ns) {
  const uint64_t until_ns = held_until(watch, at_most_ns);
  emitted_ns_ = std::max(emitted_ns_, until_ns);  // a writer's samples are in the order of time
  emit_(*writer_, {watch.lock.lock, watch.lock.owner, watch.owner, until_ns - watch.began_ns, emitted_ns_},
        *watch.stack);
  watch.stage = Stage::kOver;
}

bool LockOwners::find_owner(pid_t tid, Place* place) const {
  const uint32_t used = context_->threads.slot_count();
  for (uint32_t i = 0; tid != 0 && i < used; ++i) {
    if (thread_slots()[i].tid.load(std::memory_order_acquire) != tid) continue;
    const std::optional<ThreadTable::Living> living = context_->threads.living_at(i);
    if (!living || living->tid != tid) return false;
    *place = {i, living->id};
    return true;
  }
  return false;
}

}  // namespace walkabout::agent
