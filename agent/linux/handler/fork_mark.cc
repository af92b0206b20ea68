#include "agent/linux/handler/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "base/page_size.h"

namespace walkabout::agent {

ForkMark::ForkMark() : pid_(::getpid()) {
  void* page = ::mmap(nullptr, base::kPageSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return;
  if (::madvise(page, base::kPageSize, MADV_WIPEONFORK) != 0) {
    ::munmap(page, base::kPageSize);
    return;
  }
  mark_ = new (page) std::atomic<uint32_t>(1);
}

ForkMark::~ForkMark() {
  if (mark_ != nullptr) ::munmap(mark_, base::kPageSize);
}

pid_t ForkMark::number() { return ::getpid(); }

}  // namespace walkabout::agent
