#include "agent/linux/session/detach_watch.h"

#include <utility>

namespace walkabout::agent {

DetachWatch::~DetachWatch() {
  out_.unwatch();
  cancel();
  thread_.join();
}

base::Status DetachWatch::start(std::function<void()> leave) {
  base::Status started =
      thread_.start("walkabout-leave", &tid_, [this, leave = std::move(leave)] { run(leave); });
  if (!started.ok()) return started;
  const bool watched = out_.watch([this] {
    const base::Lock lock(mutex_);
    gone_ = true;
    wake_.notify_all();
  });
  if (!watched) return base::Status::error("there is no collector whose end could be seen");
  out_.hold_open();
  return {};
}

void DetachWatch::cancel() {
  const base::Lock lock(mutex_);
  cancelled_ = true;
  wake_.notify_all();
}

void DetachWatch::run(const std::function<void()>& leave) {
  {
    base::Lock lock(mutex_);
    wake_.wait(lock.waiting(), [this]() WALKABOUT_REQUIRES(mutex_) { return gone_ || cancelled_; });
    if (cancelled_) return;
  }
  leave();
}

}  // namespace walkabout::agent
