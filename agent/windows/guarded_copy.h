// Copies memory that may not be there: what another thread's stack was, once it runs again. A fault ends the
// copy instead of the program. Allocates nothing and takes no lock of ours; where nothing faults it costs
// what memcpy does, which ReadProcessMemory does not (a call of the system, under Wine of its server).
//
// Any thread, while an object of this class exists. Source: AddVectoredExceptionHandler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace walkabout::agent {

class GuardedCopy {
 public:
  GuardedCopy();
  ~GuardedCopy();
  GuardedCopy(const GuardedCopy&) = delete;
  GuardedCopy& operator=(const GuardedCopy&) = delete;

  // Returns how many bytes were copied: `size` unless a page was missing. Touches none before `from`.
  size_t copy(void* to, uint64_t from, size_t size) const;

 private:
  void* handler_;
};

}  // namespace walkabout::agent
