// Whether this is still the process that made the mark, or a child that it forked; without a system call: the
// mark is a page that a child finds wiped (madvise(2), MADV_WIPEONFORK). Where the kernel knows no such page,
// the process's number tells. Any thread.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>

namespace walkabout::agent {

class ForkMark {
 public:
  ForkMark();
  ~ForkMark();
  ForkMark(const ForkMark&) = delete;
  ForkMark& operator=(const ForkMark&) = delete;

  bool is_own_process() const { return is_marked() || (mark_ == nullptr && number() == pid_); }
  // The number of the process that asks, which only a child has to ask the kernel for.
  pid_t process() const { return is_marked() ? pid_ : number(); }

 private:
  bool is_marked() const { return mark_ != nullptr && mark_->load(std::memory_order_relaxed) != 0; }
  static pid_t number();

  const pid_t pid_;
  std::atomic<uint32_t>* mark_ = nullptr;  // null: there is no such page
};

}  // namespace walkabout::agent
