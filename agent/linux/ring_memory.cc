#include "agent/linux/ring_memory.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <new>

#include "base/system_error.h"

namespace walkabout::agent {
RingMemory::~RingMemory() {
  if (memory_ != nullptr) ::munmap(memory_, wire::mapping_size(ring_size_));
}

base::Status RingMemory::map(uint32_t ring_size, uint64_t monotonic_start_ns) {
  const uint64_t size = wire::mapping_size(ring_size);
  // Growing a file beyond the limit sends a signal that ends programs not prepared for it.
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < size) {
    return base::Status::error("no ring memory: the file size limit (ulimit -f) is below " +
                               std::to_string(size >> 20) + " MiB");
  }
  fd_ = base::Fd(::memfd_create("walkabout-rings", MFD_CLOEXEC));
  if (!fd_.valid())
    return base::Status::error(std::string("cannot create ring memory (memfd_create: ") + strerror(errno) +
                               ")");
  if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0) {
    return base::system_error("cannot size ring memory");
  }
  void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
  if (memory == MAP_FAILED) return base::system_error("cannot map ring memory");
  memory_ = static_cast<uint8_t*>(memory);
  ring_size_ = ring_size;
  if (::fallocate(fd_.get(), 0, 0, wire::kSlotHeaderSize) != 0) {
    return base::system_error("no memory for the rings");
  }
  auto* header = new (memory_) wire::RingHeader;
  header->ring_size = ring_size;
  header->monotonic_start_ns = monotonic_start_ns;
  return {};
}

base::Status RingMemory::back(uint32_t index) {
  // It counts against the program's container: better a thread without samples than a program out of memory.
  if (uint64_t{index + 1} * (wire::kSlotHeaderSize + ring_size_) > wire::kRingBudget) {
    return base::Status::error("rings may take " + std::to_string(wire::kRingBudget >> 20) + " MiB, which " +
                               std::to_string(index) + " threads do");
  }
  const auto offset = static_cast<off_t>(wire::slot_offset(index, ring_size_));
  if (::fallocate(fd_.get(), 0, offset, wire::kSlotHeaderSize + ring_size_) != 0) {
    return base::system_error("no memory for another thread's ring");
  }
  auto* header = new (memory_ + offset) wire::SlotHeader;
  header->ring_size = ring_size_;
  return {};
}

void RingMemory::give_back(uint32_t index) {
  ::fallocate(fd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(wire::slot_offset(index, ring_size_)), wire::kSlotHeaderSize + ring_size_);
}

wire::SlotHeader* RingMemory::slot(uint32_t index) const {
  return reinterpret_cast<wire::SlotHeader*>(memory_ + wire::slot_offset(index, ring_size_));
}

}  // namespace walkabout::agent
