#include "base/windows/win32.h"
// after win32.h
#include "agent/shared/pages.h"

namespace walkabout::agent {

void* map_pages(size_t bytes) {
  return ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void unmap_pages(void* pages, size_t /*bytes*/) { ::VirtualFree(pages, 0, MEM_RELEASE); }

}  // namespace walkabout::agent
