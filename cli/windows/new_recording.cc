#include "base/windows/win32.h"
// after win32.h
#include "base/windows/wide_text.h"
#include "base/windows/win32_error.h"
#include "cli/windows/new_recording.h"

namespace walkabout::cli {
NewRecording::~NewRecording() {
  close();
  if (!written_path_.empty()) ::DeleteFileW(written_path_.c_str());
}

void NewRecording::close() {
  if (file_ != nullptr) ::CloseHandle(file_);
  file_ = nullptr;
}

base::Status NewRecording::open(const std::wstring& path) {
  path_ = path;
  const std::wstring beside = path + L"." + std::to_wstring(::GetCurrentProcessId()) + L".tmp";
  HANDLE file =
      ::CreateFileW(beside.c_str(), GENERIC_WRITE, FILE_SHARE_READ, nullptr, CREATE_NEW, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return base::win32_error("cannot create " + base::utf8(beside.c_str()));
  file_ = file;
  written_path_ = beside;
  return {};
}

base::Status NewRecording::write(const std::string& bytes) {
  DWORD n = 0;
  if (!bytes.empty() &&
      (!::WriteFile(file_, bytes.data(), static_cast<DWORD>(bytes.size()), &n, nullptr) || n != bytes.size()))
    return base::win32_error("cannot write the recording");
  return {};
}

base::Status NewRecording::commit() {
  close();
  if (!::MoveFileExW(written_path_.c_str(), path_.c_str(), MOVEFILE_REPLACE_EXISTING))
    return base::win32_error("cannot replace " + base::utf8(path_.c_str()));
  written_path_.clear();
  return {};
}

}  // namespace walkabout::cli
