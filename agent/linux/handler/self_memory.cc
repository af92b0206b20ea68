#include "agent/linux/handler/self_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>

namespace walkabout::agent {

bool read_self(void*, uint64_t address, void* to, size_t size) {
  iovec local{to, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  return ::process_vm_readv(::getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

size_t count_readable(std::span<const uint64_t> addresses) {
  constexpr size_t kAtOnce = 16;
  unsigned char bytes[kAtOnce];
  iovec local{bytes, sizeof bytes};
  iovec remote[kAtOnce];
  const size_t count = std::min(addresses.size(), kAtOnce);
  for (size_t i = 0; i < count; ++i) remote[i] = {reinterpret_cast<void*>(addresses[i]), 1};
  const ssize_t got = ::process_vm_readv(::getpid(), &local, 1, remote, count, 0);
  return got < 0 ? 0 : static_cast<size_t>(got);
}

}  // namespace walkabout::agent
