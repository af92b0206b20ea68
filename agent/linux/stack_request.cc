#include "agent/linux/stack_request.h"

#include "agent/linux/handler/capture.h"
#include "base/clock.h"

namespace walkabout::agent {
namespace {

constexpr uint64_t kLookFromOutsideNs = 1'000'000;
constexpr uint64_t kPatienceNs = 200'000'000;

}  // namespace

void StackRequest::ask(uint32_t slot, const AskedWhile& condition) {
  give_up();
  stack_ = {};
  const std::optional<ThreadTable::Living> thread = threads_.living_at(slot);
  if (!thread) return;
  thread_ = *thread;
  if (read_blocked()) return;
  asked_ = claim_asked(thread->tid, slot, condition);
  if (asked_ == nullptr) return;
  asked_ns_ = looked_ns_ = base::monotonic_ns();
  if (!threads_.open_asking_clock(*thread, asked_tick(*asked_), &clock_).ok()) give_up();
}

bool StackRequest::read_blocked() {
  const uint64_t now_ns = base::monotonic_ns();
  const BlockedStack& seen =
      blocked_.look(thread_.tid, thread_.stack_lo, thread_.stack_hi, thread_.runtime_thread);
  if (seen.standing != Standing::kBlocked) return seen.standing != Standing::kRuns;
  if (met_unreported_code({seen.frames.data(), seen.walk.frames})) return true;
  stack_.frames.assign(seen.frames.begin(), seen.frames.begin() + seen.walk.frames);
  stack_.end = seen.walk.end;
  if (seen.walk.left_out) stack_.flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  if (seen.walk.jit_compiler) stack_.flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  stack_.time_ns = now_ns;
  stack_.awaiters = seen.awaiters;
  stood_ = seen.ran;
  return true;
}

bool StackRequest::look() {
  if (asked_ == nullptr) return !stack_.frames.empty();
  const AskedStack::State state = asked_->state.load(std::memory_order_acquire);  // partner: the handler
  if (state == AskedStack::kWalked) {
    stack_.frames.assign(asked_->frame.begin(), asked_->frame.begin() + asked_->frames);
    stack_.end = asked_->end;
    stack_.flags = asked_->flags;
    stack_.time_ns = asked_->time_ns;
    stack_.awaiters.joint = asked_->async_joint;
    stack_.awaiters.unseen = asked_->async_unseen;
    stack_.awaiters.frames.assign(asked_->awaiter.begin(), asked_->awaiter.begin() + asked_->awaiters);
    stood_.reset();
  }
  if (state == AskedStack::kWalked || state == AskedStack::kRefused || waited_long_enough()) give_up();
  return !stack_.frames.empty();
}

// It may be blocked by now, without a tick.
bool StackRequest::waited_long_enough() {
  const uint64_t now_ns = base::monotonic_ns();
  if (now_ns - asked_ns_ >= kPatienceNs) return true;
  if (now_ns - looked_ns_ < kLookFromOutsideNs) return false;
  looked_ns_ = now_ns;
  return read_blocked();
}

bool StackRequest::stands_there() const { return !stood_ || ran(thread_.tid) == *stood_; }

void StackRequest::give_up() {
  if (asked_ == nullptr) return;
  close_clock(&clock_);
  free_asked(*asked_);
  asked_ = nullptr;
}

}  // namespace walkabout::agent
