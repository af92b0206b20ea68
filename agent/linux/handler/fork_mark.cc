#include "agent/linux/handler/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "agent/shared/pages.h"
#include "base/page_size.h"

namespace walkabout::agent {
ForkMark::ForkMark() : pid_(::getpid()) {
  void* page = map_pages(base::kPageSize);
  if (page == nullptr) return;
  if (::madvise(page, base::kPageSize, MADV_WIPEONFORK) != 0) {
    unmap_pages(page, base::kPageSize);
    return;
  }
  mark_ = new (page) std::atomic<uint32_t>(1);
}

ForkMark::~ForkMark() {
  if (mark_ != nullptr) unmap_pages(mark_, base::kPageSize);
}

pid_t ForkMark::number() { return ::getpid(); }
bool ForkMark::has_own_number() const { return pid_ == number(); }

}  // namespace walkabout::agent
