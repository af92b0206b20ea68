// A function of a system library that is in no import library, by its name. After base/windows/win32.h. Any
// thread.
#pragma once

namespace walkabout::base {

// Null if this Windows has none of that name. REQUIRES: the library is loaded, as kernel32 and ntdll are.
template <typename F>
F win32_function(const wchar_t* library, const char* name) {
  return reinterpret_cast<F>(reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(library), name)));
}

}  // namespace walkabout::base
