#include "base/windows/win32.h"
// after win32.h
#include <algorithm>

#include "agent/windows/process_self.h"
#include "agent/windows/stream_out.h"
#include "base/windows/wide_text.h"
#include "base/windows/win32_error.h"
#include "wire/hello.h"

namespace walkabout::agent {
namespace {

constexpr size_t kLargestWrite = 1u << 20;
}  // namespace

base::Status StreamOut::connect(const std::string& pipe, bool* wanted) {
  const std::wstring name = base::utf16(pipe);
  if (!::WaitNamedPipeW(name.c_str(), wire::kHelloTimeoutSeconds * 1000))
    return base::win32_error("cannot reach the collector");
  // SECURITY_IDENTIFICATION: who serves the pipe may see who we are, and not act as us.
  HANDLE handle = ::CreateFileW(name.c_str(), GENERIC_READ | GENERIC_WRITE, 0, nullptr, OPEN_EXISTING,
                                SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return base::win32_error("cannot reach the collector");
  handle_ = handle;
  DWORD n = 0;
  char answer = 0;
  if (!::WriteFile(handle, &wire::kHello, 1, &n, nullptr))
    return base::win32_error("cannot greet the collector");
  if (!::ReadFile(handle, &answer, 1, &n, nullptr) || n != 1)
    return base::win32_error("the collector did not answer");
  *wanted = answer == wire::kWelcome;
  return {};
}

base::Status StreamOut::create(const std::string& path) {
  HANDLE handle = ::CreateFileW(base::utf16(path).c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr,
                                CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return base::win32_error("cannot create " + path);
  handle_ = handle;
  return {};
}

void StreamOut::cut() {
  if (handle_ != nullptr) ::CancelIoEx(handle_, nullptr);
}

void StreamOut::close() {
  if (handle_ != nullptr) ::CloseHandle(handle_);
  handle_ = nullptr;
}

base::Status StreamOut::write(std::string_view bytes) {
  while (!bytes.empty()) {
    DWORD n = 0;
    const auto size = static_cast<DWORD>(std::min(bytes.size(), kLargestWrite));
    if (!::WriteFile(handle_, bytes.data(), size, &n, nullptr))
      return base::win32_error("cannot write the recording");
    bytes.remove_prefix(n);
  }
  return {};
}

}  // namespace walkabout::agent
