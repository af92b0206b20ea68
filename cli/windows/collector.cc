#include "base/win32.h"
// after win32.h
#include <sddl.h>

#include <random>
#include <vector>

#include "base/utf16.h"
#include "cli/windows/collector.h"
#include "wire/hello.h"

namespace walkabout::cli {
namespace {

constexpr DWORD kPipeBytes = 1 << 20;

base::Status failed(const std::string& what) {
  return base::Status::error(what + " (error " + std::to_string(::GetLastError()) + ")");
}

}  // namespace

Collector::~Collector() {
  if (pipe_ != nullptr) ::CloseHandle(pipe_);
  if (file_ != nullptr) ::CloseHandle(file_);
}

base::Status Collector::open(const std::wstring& output) {
  HANDLE file =
      ::CreateFileW(output.c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_ALWAYS, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return failed("cannot create " + base::utf8(output.c_str()));
  file_ = file;
  std::random_device random;
  name_ = L"\\\\.\\pipe\\walkabout-" + std::to_wstring(::GetCurrentProcessId()) + L"-" +
          std::to_wstring(random());
  // Owner: all rights; nobody else any.
  SECURITY_ATTRIBUTES security{sizeof security, nullptr, FALSE};
  if (!::ConvertStringSecurityDescriptorToSecurityDescriptorW(L"D:P(A;;GA;;;OW)", SDDL_REVISION_1,
                                                              &security.lpSecurityDescriptor, nullptr))
    return failed("cannot describe the pipe's rights");
  HANDLE pipe = ::CreateNamedPipeW(
      name_.c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_FIRST_PIPE_INSTANCE | FILE_FLAG_OVERLAPPED,
      PIPE_TYPE_BYTE | PIPE_WAIT | PIPE_REJECT_REMOTE_CLIENTS, 1, kPipeBytes, kPipeBytes, 0, &security);
  ::LocalFree(security.lpSecurityDescriptor);
  if (pipe == INVALID_HANDLE_VALUE) return failed("cannot make a pipe");
  pipe_ = pipe;
  return write(recording::StoredFile::header());
}

base::Status Collector::write(const std::string& bytes) {
  DWORD n = 0;
  if (!bytes.empty() &&
      (!::WriteFile(file_, bytes.data(), static_cast<DWORD>(bytes.size()), &n, nullptr) || n != bytes.size()))
    return failed("cannot write the recording");
  return {};
}

namespace {

// One read or write of the pipe; 0 bytes: its other end is closed.
DWORD transfer(HANDLE pipe, HANDLE event, void* bytes, DWORD size, bool reading) {
  OVERLAPPED overlapped{};
  overlapped.hEvent = event;
  DWORD n = 0;
  const BOOL begun = reading ? ::ReadFile(pipe, bytes, size, nullptr, &overlapped)
                             : ::WriteFile(pipe, bytes, size, nullptr, &overlapped);
  if (!begun && ::GetLastError() != ERROR_IO_PENDING) return 0;
  return ::GetOverlappedResult(pipe, &overlapped, &n, TRUE) ? n : 0;
}

}  // namespace

base::Status Collector::welcome(void* process, bool* came) {
  OVERLAPPED overlapped{};
  overlapped.hEvent = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
  *came = ::ConnectNamedPipe(pipe_, &overlapped) || ::GetLastError() == ERROR_PIPE_CONNECTED;
  if (!*came && ::GetLastError() == ERROR_IO_PENDING) {
    const HANDLE either[] = {overlapped.hEvent, process};
    *came = ::WaitForMultipleObjects(2, either, FALSE, INFINITE) == WAIT_OBJECT_0;
    if (!*came) ::CancelIo(pipe_);
  }
  ::CloseHandle(overlapped.hEvent);
  return {};
}

base::Status Collector::collect(void* process) {
  bool came = false;
  if (base::Status s = welcome(process, &came); !s.ok()) return s;
  if (!came) return base::Status::error("the program ended and no .NET of it had loaded the agent");
  HANDLE event = ::CreateEventW(nullptr, TRUE, FALSE, nullptr);
  char hello = 0, answer = wire::kWelcome;
  base::Status status;
  std::vector<char> buffer(kPipeBytes);
  if (transfer(pipe_, event, &hello, 1, true) != 1 || hello != wire::kHello ||
      transfer(pipe_, event, &answer, 1, false) != 1)
    status = base::Status::error("what connected is no agent of walkabout's");
  while (status.ok()) {
    const DWORD n = transfer(pipe_, event, buffer.data(), kPipeBytes, true);
    if (n == 0) break;
    std::string blocks;
    if (!stored_.append({buffer.data(), n}, &blocks))
      status = base::Status::error("the agent's stream is broken");
    if (base::Status written = write(blocks); !written.ok()) status = written;
  }
  ::CloseHandle(event);
  std::string rest;
  stored_.finish(&rest);
  if (base::Status written = write(rest); !written.ok() && status.ok()) status = written;
  return status;
}

}  // namespace walkabout::cli
