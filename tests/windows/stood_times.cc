#include "tests/windows/stood_times.h"

#include <algorithm>

namespace walkabout::tests {
namespace {

struct Walk {
  uint32_t ours_ns, system_ns;
};
constexpr size_t kWalks = 1u << 16;
Walk walks[kWalks];
size_t count = 0;
thread_local uint64_t stands_since = 0, system_ns = 0;

uint32_t clamped(uint64_t ns) { return static_cast<uint32_t>(std::min<uint64_t>(ns, UINT32_MAX)); }

}  // namespace

uint64_t now_ns() {
  LARGE_INTEGER now, frequency;
  ::QueryPerformanceCounter(&now);
  ::QueryPerformanceFrequency(&frequency);
  return static_cast<uint64_t>(static_cast<double>(now.QuadPart) * 1e9 /
                               static_cast<double>(frequency.QuadPart));
}

void stands() {
  system_ns = 0;
  stands_since = now_ns();
}

void clr_called_the_system(uint64_t ns) {
  if (stands_since != 0) system_ns += ns;
}

void goes_on() {
  if (stands_since == 0 || count == kWalks) return;
  const uint64_t stood = now_ns() - stands_since;
  walks[count++] = {clamped(stood > system_ns ? stood - system_ns : 0), clamped(system_ns)};
  stands_since = 0;
}

void write_stood_times() {
  wchar_t path[1024] = {};
  if (::GetEnvironmentVariableW(L"WALKABOUT_SHIM_TIMES", path, 1023) == 0) return;
  HANDLE file = ::CreateFileW(path, GENERIC_WRITE, 0, nullptr, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  DWORD written = 0;
  ::WriteFile(file, walks, static_cast<DWORD>(count * sizeof walks[0]), &written, nullptr);
  ::CloseHandle(file);
}

}  // namespace walkabout::tests
