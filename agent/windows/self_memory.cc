#include "base/windows/win32.h"
// after win32.h
#include "agent/windows/self_memory.h"

namespace walkabout::agent {

bool read_self(void*, uint64_t address, void* to, size_t size) {
  SIZE_T copied = 0;
  return ::ReadProcessMemory(::GetCurrentProcess(), reinterpret_cast<const void*>(address), to, size,
                             &copied) &&
         copied == size;
}

}  // namespace walkabout::agent
