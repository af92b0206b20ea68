// Reads this process's own memory without ever faulting: the kernel copies, and refuses what is not mapped.
// Async-signal-safe; one system call a read. Source: process_vm_readv(2).
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::agent {

// Fits unwind::Memory::slow; context is unused.
bool read_self(void* context, uint64_t address, void* to, size_t size);

}  // namespace walkabout::agent
