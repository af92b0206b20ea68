#include "agent/linux/ring_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "agent/linux/proc_self.h"
#include "base/system_error.h"
#include "wire/ring_size.h"

namespace walkabout::agent {

base::Status RingMemory::leaves_room(uint32_t ring_size, uint64_t behind) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return {};
  const uint64_t all = limit.rlim_cur;
  const uint64_t used = address_space();
  const uint64_t left = used < all ? all - used : 0;
  const uint64_t needed = wire::address_space_needed(ring_size, all) + behind;
  if (left >= needed) return {};
  return base::Status::error(
      "of its limit of address space (ulimit -v) " + std::to_string(left >> 20) + " MiB are left, and " +
      std::to_string(needed >> 20) +
      " are needed so that the program does not run short of it; raise the limit (of a "
      "process that runs: prlimit --as)");
}

RingMemory::~RingMemory() {
  if (memory() != nullptr) ::munmap(memory(), wire::mapping_size(ring_size()));
}

// Growing a file beyond the limit sends a signal that ends programs not prepared for it.
base::Status RingMemory::may_grow_to(uint64_t size) const {
  rlimit limit{};
  if (::getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= size)
    return {};
  return base::Status::error("no ring memory: the file size limit (ulimit -f) is below " +
                             std::to_string(size >> 20) +
                             " MiB; raise it (of a process that runs: prlimit --fsize)");
}

base::Status RingMemory::map_at(void* address, uint64_t offset, uint64_t size) {
  if (size == 0) return {};
  return host_.try_call([&]() -> base::Status {
    if (!fd_.is_ours()) return base::Status::error("the program has closed the rings' descriptor");
    if (::fallocate(fd_.get(), 0, static_cast<off_t>(offset), static_cast<off_t>(size)) != 0 ||
        ::mmap(address, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED | MAP_NORESERVE, fd_.get(),
               static_cast<off_t>(offset)) == MAP_FAILED)
      return base::system_error("no memory for counters of calls");
    ::madvise(address, size, MADV_DONTDUMP);
    return {};
  });
}

base::Status RingMemory::map(uint32_t ring_size, uint64_t monotonic_start_ns) {
  const uint64_t size = wire::mapping_size(ring_size);
  if (base::Status s = may_grow_to(size); !s.ok()) return s;
  void* memory = MAP_FAILED;
  base::Status made = host_.try_call([&]() -> base::Status {
    const int fd = ::memfd_create("walkabout-rings", MFD_CLOEXEC);
    if (fd < 0) return base::system_error("cannot create ring memory (memfd_create)");
    fd_.take(fd);
    if (::ftruncate(fd_.get(), static_cast<off_t>(size)) != 0)
      return base::system_error("cannot size ring memory");
    memory = ::mmap(nullptr, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, fd_.get(), 0);
    return memory == MAP_FAILED ? base::system_error("cannot map ring memory") : base::Status();
  });
  if (!made.ok()) return made;
  ::madvise(memory, size, MADV_DONTDUMP);
  return begin(static_cast<uint8_t*>(memory), ring_size, monotonic_start_ns);
}

base::Status RingMemory::commit(uint64_t offset, uint64_t size) {
  return host_.try_call([&]() -> base::Status {
    if (!fd_.is_ours()) return base::Status::error("the program has closed the rings' descriptor");
    if (::fallocate(fd_.get(), 0, static_cast<off_t>(offset), static_cast<off_t>(size)) == 0 &&
        ::mprotect(memory() + offset, size, PROT_READ | PROT_WRITE) == 0)
      return {};
    return base::system_error("no memory for the rings");
  });
}

// By its address, without the descriptor: nobody waits for the host.
void RingMemory::drop(uint64_t offset, uint64_t size) {
  ::madvise(memory() + offset, size, MADV_REMOVE);
  ::mprotect(memory() + offset, size, PROT_NONE);
}

}  // namespace walkabout::agent
