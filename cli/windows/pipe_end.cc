#include "base/windows/win32.h"
// after win32.h
#include <sddl.h>

#include "base/windows/win32_error.h"
#include "cli/windows/pipe_end.h"

namespace walkabout::cli {
namespace {

constexpr DWORD kBuffer = 1 << 20;
}  // namespace

base::Status PipeEnd::make(const std::wstring& name, bool first) {
  // Owner: all rights; nobody else any.
  SECURITY_ATTRIBUTES security{sizeof security, nullptr, FALSE};
  if (!::ConvertStringSecurityDescriptorToSecurityDescriptorW(L"D:P(A;;GA;;;OW)", SDDL_REVISION_1,
                                                              &security.lpSecurityDescriptor, nullptr))
    return base::win32_error("cannot describe the pipe's rights");
  HANDLE pipe = ::CreateNamedPipeW(
      name.c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED | (first ? FILE_FLAG_FIRST_PIPE_INSTANCE : 0),
      PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, PIPE_UNLIMITED_INSTANCES, kBuffer, kBuffer, 0,
      &security);
  base::Status made = pipe == INVALID_HANDLE_VALUE ? base::win32_error("cannot make a pipe") : base::Status();
  ::LocalFree(security.lpSecurityDescriptor);
  if (!made.ok()) return made;
  pipe_ = pipe;
  event_ = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
  return event_ != nullptr ? base::Status() : base::win32_error("cannot make an event");
}

void PipeEnd::close() {
  if (pipe_ != nullptr) ::CloseHandle(pipe_);
  if (event_ != nullptr) ::CloseHandle(event_);
  pipe_ = event_ = nullptr;
}

bool PipeEnd::wait_for_client(void* until) {
  OVERLAPPED overlapped{};
  overlapped.hEvent = event_;
  if (::ConnectNamedPipe(pipe_, &overlapped) || ::GetLastError() == ERROR_PIPE_CONNECTED) return true;
  if (::GetLastError() != ERROR_IO_PENDING) return false;
  const HANDLE either[] = {event_, until};
  const bool came =
      ::WaitForMultipleObjects(until != nullptr ? 2 : 1, either, FALSE, INFINITE) == WAIT_OBJECT_0;
  if (!came) ::CancelIoEx(pipe_, &overlapped);
  DWORD n = 0;
  return ::GetOverlappedResult(pipe_, &overlapped, &n, TRUE);
}

// The system uses *overlapped until it says that it is done, cancelled or not.
size_t PipeEnd::finish(bool begun, void* overlapped, void* until) {
  auto* o = static_cast<OVERLAPPED*>(overlapped);
  if (!begun && ::GetLastError() != ERROR_IO_PENDING) return 0;
  const HANDLE either[] = {event_, until};
  if (::WaitForMultipleObjects(until != nullptr ? 2 : 1, either, FALSE, INFINITE) != WAIT_OBJECT_0)
    ::CancelIoEx(pipe_, o);
  DWORD n = 0;
  return ::GetOverlappedResult(pipe_, o, &n, TRUE) ? n : 0;
}

size_t PipeEnd::read(void* to, size_t size, void* until) {
  OVERLAPPED overlapped{};
  overlapped.hEvent = event_;
  return finish(::ReadFile(pipe_, to, static_cast<DWORD>(size), nullptr, &overlapped), &overlapped, until);
}

size_t PipeEnd::write(const void* from, size_t size, void* until) {
  OVERLAPPED overlapped{};
  overlapped.hEvent = event_;
  return finish(::WriteFile(pipe_, from, static_cast<DWORD>(size), nullptr, &overlapped), &overlapped, until);
}

}  // namespace walkabout::cli
