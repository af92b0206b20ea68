#include "base/windows/win32.h"
// after win32.h
#include "agent/windows/dynamic_function.h"
#include "agent/windows/self_memory.h"

namespace walkabout::agent {

bool find_dynamic_function(uint64_t pc, unwind::DynamicFunction* function) {
  DWORD64 base = 0;
  unwind::RuntimeFunction entry;
  const PRUNTIME_FUNCTION found = ::RtlLookupFunctionEntry(pc, &base, nullptr);
  if (found == nullptr || !read_self(nullptr, reinterpret_cast<uint64_t>(found), &entry, sizeof entry))
    return false;
  const uint64_t info = base + entry.unwind;
  if (entry.end <= entry.begin || pc < base + entry.begin || pc >= base + entry.end) return false;
  if (!read_self(nullptr, info, function->info, unwind::kUnwindHeaderSize)) return false;
  const uint32_t size = static_cast<uint32_t>(unwind::kUnwindHeaderSize) + function->info[2] * 2u;
  if ((function->info[0] >> 3 & unwind::kUnwindFlagChained) != 0) return false;
  if (!read_self(nullptr, info, function->info, size)) return false;
  function->begin = base + entry.begin;
  function->size = entry.end - entry.begin;
  function->info_size = size;
  return unwind::unwind_info_size({function->info, size}) == size;
}

}  // namespace walkabout::agent
