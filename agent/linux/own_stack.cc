#include "agent/linux/own_stack.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace walkabout::agent {

void measure_own_stack(ThreadTable& threads) {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
  void* lowest = nullptr;
  size_t size = 0;
  if (::pthread_attr_getstack(&attributes, &lowest, &size) == 0 && size != 0) {
    const auto lo = reinterpret_cast<uint64_t>(lowest);
    threads.set_stack(static_cast<pid_t>(::syscall(SYS_gettid)), lo, lo + size);
  }
  ::pthread_attr_destroy(&attributes);
}

}  // namespace walkabout::agent
