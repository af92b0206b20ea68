#include "base/windows/win32.h"
// after win32.h
#include <tlhelp32.h>

#include "agent/windows/process_self.h"
#include "agent/windows/thread_handle.h"
#include "base/windows/wide_text.h"
#include "base/windows/win32_function.h"

namespace walkabout::agent {
namespace {

// Of Windows 10 1607; not in the import libraries.
using GetDescription = HRESULT(WINAPI*)(HANDLE thread, PWSTR* text);
using SetDescription = HRESULT(WINAPI*)(HANDLE thread, PCWSTR text);
}  // namespace

pid_t current_tid() { return static_cast<pid_t>(::GetCurrentThreadId()); }

std::vector<pid_t> thread_ids() {
  std::vector<pid_t> ids;
  HANDLE listing = ::CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
  if (listing == INVALID_HANDLE_VALUE) return ids;
  THREADENTRY32 entry{};
  entry.dwSize = sizeof entry;
  for (BOOL more = ::Thread32First(listing, &entry); more; more = ::Thread32Next(listing, &entry)) {
    if (entry.th32OwnerProcessID == ::GetCurrentProcessId())
      ids.push_back(static_cast<pid_t>(entry.th32ThreadID));
  }
  ::CloseHandle(listing);
  return ids;
}

std::string thread_name(pid_t tid) {
  static const auto description =
      base::win32_function<GetDescription>(L"kernel32.dll", "GetThreadDescription");
  const ThreadHandle thread(tid);
  wchar_t* name = nullptr;
  if (!thread.valid() || description == nullptr || FAILED(description(thread.get(), &name)) ||
      name == nullptr)
    return {};
  std::string narrow = base::utf8(name);
  ::LocalFree(name);
  return narrow;
}

void name_thread(void* thread, const char* name) {
  static const auto describe = base::win32_function<SetDescription>(L"kernel32.dll", "SetThreadDescription");
  if (describe != nullptr) describe(thread, base::utf16(name).c_str());
}

uint64_t thread_cpu_ns(pid_t tid) {
  const ThreadHandle thread(tid);
  return thread.valid() ? thread.cpu_ns({}) : 0;
}

std::string command_line() { return base::utf8(::GetCommandLineW()); }

std::string system_name() {
  // What the process is told depends on its manifest; the shared page says what runs.
  const auto* shared = reinterpret_cast<const uint8_t*>(0x7ffe0000);  // KUSER_SHARED_DATA
  const auto word = [shared](int at) { return *reinterpret_cast<const uint32_t*>(shared + at); };
  return "Windows " + std::to_string(word(0x26c)) + "." + std::to_string(word(0x270)) + "." +
         std::to_string(word(0x260)) + " x86_64";
}

std::string host_name() {
  wchar_t name[256] = {};
  DWORD size = 256;
  return ::GetComputerNameExW(ComputerNameDnsHostname, name, &size) ? base::utf8(name) : std::string();
}

}  // namespace walkabout::agent
