#include "base/windows/win32.h"
// after win32.h
#include <cstdio>

#include "base/windows/wide_text.h"
#include "base/windows/win32_error.h"
#include "cli/windows/folder_acl.h"
#include "cli/windows/pipe_collector.h"
#include "cli/windows/run.h"
#include "wire/agent_id.h"

namespace walkabout::cli {
namespace {

int report_failure(const std::string& cause) {
  std::fprintf(stderr, "walkabout: %s\n", cause.c_str());
  return 1;
}

std::wstring own_folder() {
  wchar_t path[4096] = {};
  ::GetModuleFileNameW(nullptr, path, 4095);
  std::wstring folder(path);
  return folder.substr(0, folder.find_last_of(L'\\'));
}

// As CommandLineToArgvW takes it apart again.
std::wstring quoted(const std::wstring& argument) {
  if (!argument.empty() && argument.find_first_of(L" \t\n\v\"") == std::wstring::npos) return argument;
  std::wstring out = L"\"";
  size_t slashes = 0;
  for (const wchar_t c : argument) {
    if (c == L'\\') {
      ++slashes;
      continue;
    }
    out.append(c == L'"' ? slashes * 2 + 1 : slashes, L'\\').push_back(c);
    slashes = 0;
  }
  return out.append(slashes * 2, L'\\') + L"\"";
}

void set_environment(const RunOptions& o, const std::wstring& agent, const std::wstring& pipe) {
  const std::string clsid = std::string("{") + wire::kAgentClsid + "}";
  ::SetEnvironmentVariableW(L"CORECLR_ENABLE_PROFILING", L"1");
  ::SetEnvironmentVariableA("CORECLR_PROFILER", clsid.c_str());
  ::SetEnvironmentVariableW(L"CORECLR_PROFILER_PATH", agent.c_str());
  ::SetEnvironmentVariableW(L"WALKABOUT_SOCKET", pipe.c_str());
  if (!o.interval.empty()) ::SetEnvironmentVariableW(L"WALKABOUT_INTERVAL", o.interval.c_str());
  if (!o.depth.empty()) ::SetEnvironmentVariableW(L"WALKABOUT_DEPTH", o.depth.c_str());
  if (!o.native.empty()) ::SetEnvironmentVariableW(L"WALKABOUT_NATIVE", o.native.c_str());
  if (!o.events.empty()) ::SetEnvironmentVariableW(L"WALKABOUT_EVENTS", o.events.c_str());
  if (o.oracle) ::SetEnvironmentVariableW(L"WALKABOUT_ORACLE", L"1");
}

}  // namespace

int run(const RunOptions& o) {
  const std::wstring folder = own_folder(), agent = folder + L"\\walkabout.dll";
  if (::GetFileAttributesW(agent.c_str()) == INVALID_FILE_ATTRIBUTES)
    return report_failure("walkabout.dll is not beside walkabout.exe");
  if (base::Status safe = check_library(agent); !safe.ok()) return report_failure(safe.message());
  Collector collector;
  if (base::Status s = collector.open(o.output); !s.ok()) return report_failure(s.message());
  std::wstring line;
  for (const std::wstring& part : o.command) line += (line.empty() ? L"" : L" ") + quoted(part);
  set_environment(o, agent, collector.pipe_name());
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION process{};
  if (!::CreateProcessW(nullptr, line.data(), nullptr, nullptr, FALSE, 0, nullptr, nullptr, &startup,
                        &process))
    return report_failure(base::win32_error("cannot start " + base::utf8(o.command[0].c_str())).message());
  ::SetConsoleCtrlHandler(nullptr, TRUE);  // Ctrl-C is the program's
  const base::Status collected = collector.collect(process.hProcess);
  ::WaitForSingleObject(process.hProcess, INFINITE);
  DWORD code = 1;
  ::GetExitCodeProcess(process.hProcess, &code);
  ::CloseHandle(process.hThread);
  ::CloseHandle(process.hProcess);
  if (collected.ok()) return static_cast<int>(code);
  report_failure(collected.message());
  return code != 0 ? static_cast<int>(code) : 1;  // as on Linux
}

}  // namespace walkabout::cli
