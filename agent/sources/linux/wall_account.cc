#include "agent/sources/linux/wall_account.h"

#include <algorithm>

namespace walkabout::agent {
namespace {

// Of the time between two looks at a running thread: what is neither running nor waiting by the scheduler's
// accounts was taken by a hypervisor or by interrupts, unless it is more.
constexpr int64_t kTakenShare = 20;

}  // namespace

void WallAccount::begin(uint64_t now_ns, uint64_t cpu_ns, uint64_t period_ns) {
  *this = WallAccount();
  at_ns_ = now_ns;
  cpu_ns_ = cpu_ns;
  period_ns_ = period_ns;
}

// Returns how much time passed. The CPU clock is read a moment later: what it is ahead counts next time.
uint64_t WallAccount::advance(uint64_t now_ns, uint64_t cpu_ns) {
  const uint64_t passed = now_ns - std::min(now_ns, at_ns_);
  const uint64_t ran = std::min(cpu_ns - std::min(cpu_ns, cpu_ns_), passed);
  at_ns_ = std::max(at_ns_, now_ns);
  cpu_ns_ += ran;
  running_ += static_cast<int64_t>(ran);
  blocked_ += static_cast<int64_t>(passed - ran);
  return passed;
}

uint64_t WallAccount::stood_still(uint64_t now_ns) {
  advance(now_ns, cpu_ns_);
  leave_unseen();
  return take_blocked();
}

WallAccount::Shares WallAccount::look(const Look& look) {
  const uint64_t passed = advance(look.now_ns, look.cpu_ns);
  if (look.knows_waits && knows_waits_ && look.waited_ns > waited_ns_) {
    const auto waited = static_cast<int64_t>(look.waited_ns - waited_ns_);
    const auto unseen = static_cast<int64_t>(std::min(look.waited_ns - waited_ns_, unseen_));
    runnable_ += waited;
    unseen_ -= static_cast<uint64_t>(unseen);
    blocked_ -= waited - unseen;
  }
  if (look.blocked || !look.knows_waits || look.cpu_ns > unseen_cpu_ns_) leave_unseen();
  waited_ns_ = look.waited_ns;
  knows_waits_ = look.knows_waits;
  const bool before = was_blocked_;
  was_blocked_ = look.blocked;
  Shares shares;
  if (look.blocked) {
    shares.here = take_blocked();
    if (before && passed > period_ns_ + period_ns_ / 2) shares.before = shares.here / 2;
    shares.here -= shares.before;
  } else if (before) {
    shares.before = take_blocked();
  } else if (blocked_ > 0 && !look.knows_waits) {
    runnable_ += static_cast<int64_t>(take_blocked());
  } else if (blocked_ > 0 && blocked_ < static_cast<int64_t>(passed) / kTakenShare) {
    running_ += static_cast<int64_t>(take_blocked());
  }
  return shares;
}

void WallAccount::interrupted(uint64_t now_ns, uint64_t cpu_ns, uint64_t ns) {
  if (cpu_ns != cpu_ns_) was_blocked_ = false;
  advance(now_ns, cpu_ns);
  const uint64_t blocked = take_blocked(), unseen = std::min(blocked, ns);
  unseen_ += unseen;
  unseen_cpu_ns_ = cpu_ns_;
  return_blocked(blocked - unseen);
}

uint64_t WallAccount::end(uint64_t now_ns, uint64_t cpu_ns) {
  advance(now_ns, cpu_ns);
  leave_unseen();
  return was_blocked_ ? take_blocked() : 0;
}

WallAccount::Rider WallAccount::rider(uint64_t credit) const {
  const bool running = runnable_ <= 0 || running_ >= runnable_;
  const auto owed = static_cast<uint64_t>(std::max<int64_t>(running ? running_ : runnable_, 0));
  const auto ahead = static_cast<uint64_t>(-std::min<int64_t>(running_, 0) - std::min<int64_t>(runnable_, 0));
  return {running, std::max(owed, std::min(credit, owed + credit - std::min(ahead, credit)))};
}

uint64_t WallAccount::take_blocked() {
  if (blocked_ <= 0) return 0;
  const auto taken = static_cast<uint64_t>(blocked_);
  blocked_ = 0;
  return taken;
}

void WallAccount::settle() {
  const auto take_off = [](int64_t& from, int64_t& of) {
    if (from >= 0) return;
    const int64_t n = std::min(-from, std::max<int64_t>(of, 0));
    from += n;
    of -= n;
  };
  take_off(running_, runnable_);
  take_off(running_, blocked_);
  take_off(runnable_, running_);
  take_off(runnable_, blocked_);
  take_off(blocked_, runnable_);
  take_off(blocked_, running_);
}

}  // namespace walkabout::agent
