// Reads this process's own memory without ever faulting: the kernel copies, and refuses what is not mapped.
// Async-signal-safe; one system call a read, with an OwnProcess. Source: process_vm_readv(2).
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace walkabout::agent {

class ForkMark;

// As long as it exists the mark tells the number of this process, which each read needs: a system call less.
// One at a time; outlives every read by another thread.
class OwnProcess {
 public:
  explicit OwnProcess(const ForkMark& mark);
  ~OwnProcess();
  OwnProcess(const OwnProcess&) = delete;
  OwnProcess& operator=(const OwnProcess&) = delete;

  // Any thread, with one or without.
  static pid_t number();
};

// Fits unwind::Memory::slow; context is unused.
bool read_self(void* context, uint64_t address, void* to, size_t size);

// How many of these addresses, from the first on, have a byte that can be read: the next one has none, or was
// not asked about.
size_t count_readable(std::span<const uint64_t> addresses);

}  // namespace walkabout::agent
