#include "agent/linux/handler/self_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "agent/linux/handler/fork_mark.h"

namespace walkabout::agent {
namespace {

std::atomic<const ForkMark*> g_mark{nullptr};

}  // namespace

OwnProcess::OwnProcess(const ForkMark& mark) { g_mark.store(&mark, std::memory_order_release); }
OwnProcess::~OwnProcess() { g_mark.store(nullptr, std::memory_order_release); }

// acquire: the mark is complete; partner: the constructor.
pid_t OwnProcess::number() {
  const ForkMark* mark = g_mark.load(std::memory_order_acquire);
  return mark != nullptr ? mark->process() : ::getpid();
}

bool read_self(void*, uint64_t address, void* to, size_t size) {
  iovec local{to, size};
  iovec remote{reinterpret_cast<void*>(address), size};
  return ::process_vm_readv(OwnProcess::number(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(size);
}

size_t count_readable(std::span<const uint64_t> addresses) {
  constexpr size_t kAtOnce = 16;
  unsigned char bytes[kAtOnce];
  iovec local{bytes, sizeof bytes};
  iovec remote[kAtOnce];
  const size_t count = std::min(addresses.size(), kAtOnce);
  for (size_t i = 0; i < count; ++i) remote[i] = {reinterpret_cast<void*>(addresses[i]), 1};
  const ssize_t got = ::process_vm_readv(OwnProcess::number(), &local, 1, remote, count, 0);
  return got < 0 ? 0 : static_cast<size_t>(got);
}

}  // namespace walkabout::agent
