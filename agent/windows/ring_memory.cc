#include "base/win32.h"
// after win32.h
#include <new>
#include <string>

#include "agent/windows/ring_memory.h"

namespace walkabout::agent {
namespace {
base::Status failed(const char* what) {
  return base::Status::error(std::string(what) + " (error " + std::to_string(::GetLastError()) + ")");
}
}  // namespace

RingMemory::~RingMemory() {
  if (memory_ != nullptr) ::UnmapViewOfFile(memory_);
  if (section_ != nullptr) ::CloseHandle(section_);
}

bool RingMemory::commit(uint64_t offset, uint64_t size) {
  return ::VirtualAlloc(memory_ + offset, size, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

base::Status RingMemory::map(uint32_t ring_size, uint64_t monotonic_start_ns) {
  const uint64_t size = wire::mapping_size(ring_size);
  section_ = ::CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE | SEC_RESERVE,
                                  static_cast<DWORD>(size >> 32), static_cast<DWORD>(size), nullptr);
  if (section_ == nullptr) return failed("no room for ring memory");
  memory_ = static_cast<uint8_t*>(::MapViewOfFile(section_, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, size));
  if (memory_ == nullptr) return failed("cannot map ring memory");
  ring_size_ = ring_size;
  if (!commit(0, wire::kSlotHeaderSize)) return failed("no memory for the rings");
  auto* header = new (memory_) wire::RingHeader;
  header->ring_size = ring_size;
  header->monotonic_start_ns = monotonic_start_ns;
  return {};
}

base::Status RingMemory::back(uint32_t index) {
  if (uint64_t{index + 1} * (wire::kSlotHeaderSize + ring_size_) > wire::kRingBudget) {
    return base::Status::error("rings may take " + std::to_string(wire::kRingBudget >> 20) + " MiB, which " +
                               std::to_string(index) + " threads do");
  }
  const uint64_t offset = wire::slot_offset(index, ring_size_);
  if (!commit(offset, wire::kSlotHeaderSize + ring_size_))
    return failed("no memory for another thread's ring");
  auto* header = new (memory_ + offset) wire::SlotHeader;
  header->ring_size = ring_size_;
  return {};
}

wire::SlotHeader* RingMemory::slot(uint32_t index) const {
  return reinterpret_cast<wire::SlotHeader*>(memory_ + wire::slot_offset(index, ring_size_));
}

}  // namespace walkabout::agent
