#include "agent/linux/handler/alternate_stack.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

#include "agent/linux/handler/self_memory.h"

namespace walkabout::agent {
namespace {

bool is_mapped_with_guard(const stack_t& stack, size_t page) {
  const auto begin = reinterpret_cast<uint64_t>(stack.ss_sp);
  uint8_t byte = 0;
  return begin % page == 0 && stack.ss_size % page == 0 && stack.ss_size > page &&
         !read_self(nullptr, begin, &byte, 1) && read_self(nullptr, begin + page, &byte, 1);
}

bool holds(const stack_t& stack, uint64_t sp) {
  const auto begin = reinterpret_cast<uint64_t>(stack.ss_sp);
  return sp >= begin && sp - begin <= stack.ss_size;
}

// sp: of the code that needs the old one. A handler that runs on it for other code replaces it by its end.
AlternateStack replace(stack_t* old_stack, stack_t* new_stack, uint64_t sp) {
  const auto page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  stack_t& old = *old_stack;
  if (::sigaltstack(nullptr, &old) != 0 || (old.ss_flags & SS_DISABLE) != 0) return AlternateStack::kKept;
  if (old.ss_size >= kAlternateStackBytes) return AlternateStack::kKept;
  const bool in_use = (old.ss_flags & SS_ONSTACK) != 0;
  if (in_use && holds(old, sp)) return AlternateStack::kInUse;
  if (!is_mapped_with_guard(old, page)) return AlternateStack::kKept;
  void* memory = ::mmap(nullptr, kAlternateStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return AlternateStack::kKept;
  stack_t& larger = *new_stack;
  larger.ss_sp = memory;
  larger.ss_size = kAlternateStackBytes;
  if (::mprotect(memory, page, PROT_NONE) != 0 || (!in_use && ::sigaltstack(&larger, nullptr) != 0)) {
    ::munmap(memory, kAlternateStackBytes);
    return AlternateStack::kKept;
  }
  return AlternateStack::kEnlarged;
}

}  // namespace

AlternateStack enlarge_alternate_stack() {
  stack_t before{}, after{};
  const AlternateStack outcome =
      replace(&before, &after, reinterpret_cast<uint64_t>(__builtin_frame_address(0)));
  if (outcome == AlternateStack::kEnlarged) ::munmap(before.ss_sp, before.ss_size);
  return outcome;
}

AlternateStack enlarge_alternate_stack_of(stack_t* frame_stack, uint64_t sp) {
  stack_t before{}, after{};
  const AlternateStack outcome = replace(&before, &after, sp);
  if (outcome == AlternateStack::kEnlarged) *frame_stack = after;
  return outcome;
}

void free_alternate_stack() {
  stack_t none{}, old{};
  none.ss_flags = SS_DISABLE;
  if (::sigaltstack(&none, &old) == 0 && (old.ss_flags & SS_DISABLE) == 0) ::munmap(old.ss_sp, old.ss_size);
}

}  // namespace walkabout::agent
