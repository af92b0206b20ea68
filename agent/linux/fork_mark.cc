#include "agent/linux/fork_mark.h"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "agent/shared/pages.h"

namespace walkabout::agent {
namespace {

constexpr size_t kPage = 4096;

}  // namespace

ForkMark::ForkMark() : pid_(::getpid()) {
  void* page = map_pages(kPage);
  if (page == nullptr) return;
  if (::madvise(page, kPage, MADV_WIPEONFORK) != 0) {
    unmap_pages(page, kPage);
    return;
  }
  mark_ = new (page) std::atomic<uint32_t>(1);
}

ForkMark::~ForkMark() {
  if (mark_ != nullptr) unmap_pages(mark_, kPage);
}

bool ForkMark::has_own_number() const { return pid_ == ::getpid(); }

}  // namespace walkabout::agent
