#include "agent/linux/own_stack.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "agent/linux/handler/handler.h"

namespace walkabout::agent {

StackBounds own_stack() {
  pthread_attr_t attributes;
  if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return {};
  void* lowest = nullptr;
  size_t size = 0;
  const bool known = ::pthread_attr_getstack(&attributes, &lowest, &size) == 0 && size != 0;
  ::pthread_attr_destroy(&attributes);
  const auto lo = reinterpret_cast<uint64_t>(lowest);
  return known ? StackBounds{lo, lo + size} : StackBounds{};
}

void measure_own_stack(ThreadTable& threads) {
  const StackBounds stack = own_stack();
  if (stack.hi == 0) return;
  keep_stack_end(stack.lo);
  threads.set_stack(static_cast<pid_t>(::syscall(SYS_gettid)), stack.lo, stack.hi, stack.lo);
}

}  // namespace walkabout::agent
