// Reads this process's own memory without ever faulting: the kernel copies, and refuses what is not mapped.
// Async-signal-safe; one system call a read. Source: process_vm_readv(2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace walkabout::agent {

// Fits unwind::Memory::slow; context is unused.
bool read_self(void* context, uint64_t address, void* to, size_t size);

// How many of these addresses, from the first on, have a byte that can be read: the next one has none, or was
// not asked about.
size_t count_readable(std::span<const uint64_t> addresses);

}  // namespace walkabout::agent
