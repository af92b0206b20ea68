// Code on stacks of one page, as goroutines have them, in a library that takes a signal for alternate stacks,
// as Go's runtime does: another handler's frame does not fit on such a stack.
#include <sys/mman.h>
#include <ucontext.h>

#include <csignal>

#include "hostile.h"

namespace {

constexpr size_t kPage = 4096;
thread_local ucontext_t t_caller, t_small;

void on_signal(int) {}

bool take_signal() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  struct sigaction trap = {};
  if (::sigaction(SIGURG, &action, nullptr) != 0 || ::sigaction(SIGTRAP, nullptr, &trap) != 0) return false;
  trap.sa_flags |= SA_ONSTACK;  // of who is there already
  return ::sigaction(SIGTRAP, &trap, nullptr) == 0;
}

void work() { hostile::burn(3, 200'000); }

}  // namespace

HOSTILE int hostile_small_stacks(int times) {
  static const bool taken = take_signal();
  auto* memory = static_cast<char*>(
      ::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (!taken || memory == MAP_FAILED || ::mprotect(memory, kPage, PROT_NONE) != 0) return 1;
  for (int i = 0; i < times; ++i) {
    ::getcontext(&t_small);
    t_small.uc_stack.ss_sp = memory + kPage;
    t_small.uc_stack.ss_size = kPage;
    t_small.uc_link = &t_caller;
    ::makecontext(&t_small, work, 0);
    if (::swapcontext(&t_caller, &t_small) != 0) return 2;
  }
  ::munmap(memory, 2 * kPage);
  return 0;
}
