#include "agent/linux/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "agent/shared/pages.h"

namespace walkabout::agent {
namespace {

constexpr size_t kMarkSize = 4096;

}  // namespace

ForkMark::ForkMark() : pid_(::getpid()) {
  void* page = map_pages(kMarkSize);
  if (page == nullptr) return;
  if (::madvise(page, kMarkSize, MADV_WIPEONFORK) != 0) {
    unmap_pages(page, kMarkSize);
    return;
  }
  mark_ = new (page) std::atomic<uint32_t>(1);
}

ForkMark::~ForkMark() {
  if (mark_ != nullptr) unmap_pages(mark_, kMarkSize);
}

bool ForkMark::has_own_number() const { return pid_ == ::getpid(); }

}  // namespace walkabout::agent
