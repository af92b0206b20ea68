#include "base/windows/win32.h"
// after win32.h
#include "agent/windows/ring_memory.h"
#include "base/windows/win32_error.h"

namespace walkabout::agent {

RingMemory::~RingMemory() {
  if (memory() != nullptr) ::UnmapViewOfFile(memory());
  if (section_ != nullptr) ::CloseHandle(section_);
}

base::Status RingMemory::map(uint32_t ring_size, uint64_t monotonic_start_ns) {
  const uint64_t size = wire::mapping_size(ring_size);
  section_ = ::CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE | SEC_RESERVE,
                                  static_cast<DWORD>(size >> 32), static_cast<DWORD>(size), nullptr);
  if (section_ == nullptr) return base::win32_error("no room for ring memory");
  void* memory = ::MapViewOfFile(section_, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, size);
  if (memory == nullptr) return base::win32_error("cannot map ring memory");
  return begin(static_cast<uint8_t*>(memory), ring_size, monotonic_start_ns);
}

base::Status RingMemory::commit(uint64_t offset, uint64_t size) {
  if (::VirtualAlloc(memory() + offset, size, MEM_COMMIT, PAGE_READWRITE) != nullptr) return {};
  return base::win32_error("no memory for the rings");
}

}  // namespace walkabout::agent
