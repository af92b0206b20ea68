#include "agent/linux/stack_request.h"

#include "agent/linux/handler/capture.h"
#include "base/clock.h"

namespace walkabout::agent {

void StackRequest::ask(uint32_t slot) {
  give_up();
  stack_ = {};
  const std::optional<ThreadTable::Living> thread = threads_.living_at(slot);
  if (!thread || read_blocked(*thread)) return;
  asked_ = claim_asked(thread->tid, slot);
  if (asked_ == nullptr) return;
  if (!threads_.open_asking_clock(*thread, asked_tick(*asked_), &clock_).ok()) give_up();
}

bool StackRequest::read_blocked(const ThreadTable::Living& thread) {
  const uint64_t now_ns = base::monotonic_ns();
  const BlockedStack& seen =
      blocked_.look(thread.tid, thread.stack_lo, thread.stack_hi, thread.runtime_thread);
  if (seen.standing != Standing::kBlocked) return seen.standing != Standing::kRuns;
  if (met_unreported_code({seen.frames.data(), seen.walk.frames})) return true;
  stack_.frames.assign(seen.frames.begin(), seen.frames.begin() + seen.walk.frames);
  stack_.end = seen.walk.end;
  if (seen.walk.left_out) stack_.flags |= static_cast<uint8_t>(wire::SampleFlag::kLeftOut);
  if (seen.walk.jit_compiler) stack_.flags |= static_cast<uint8_t>(wire::SampleFlag::kInJit);
  stack_.time_ns = now_ns;
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
  }
  if (state == AskedStack::kWalked || state == AskedStack::kRefused) give_up();
  return !stack_.frames.empty();
}

void StackRequest::give_up() {
  if (asked_ == nullptr) return;
  close_clock(&clock_);
  free_asked(*asked_);
  asked_ = nullptr;
}

}  // namespace walkabout::agent
