#include "base/windows/win32.h"
// after win32.h
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/windows/wide_text.h"
#include "base/windows/win32_error.h"
#include "formats/output_file.h"

namespace walkabout::formats {

OutputFile::OutputFile(std::string path, GoOn go_on) : path_(std::move(path)), go_on_(std::move(go_on)) {}

OutputFile::~OutputFile() {
  fd_.reset();  // what is open cannot be removed
  if (!written_path_.empty()) ::_wunlink(base::utf16(written_path_).c_str());
}

base::Status OutputFile::failed(int error) const {
  return base::Status::error("cannot write " + path_ + ": " + std::strerror(error));
}

// The access list is the folder's, as of every new file there.
base::Status OutputFile::open() {
  written_path_ = path_ + "." + std::to_string(::GetCurrentProcessId()) + ".tmp";
  fd_ = base::Fd(::_wopen(base::utf16(written_path_).c_str(),
                          O_WRONLY | O_CREAT | O_EXCL | O_BINARY | O_NOINHERIT, S_IREAD | S_IWRITE));
  if (!fd_.valid()) {
    written_path_.clear();
    return failed(errno);
  }
  buffer_ = std::make_unique<FdBuffer>(fd_.get());
  stream_.rdbuf(buffer_.get());
  return {};
}

base::Status OutputFile::commit() {
  stream_.flush();
  if (buffer_->error() != 0) return failed(buffer_->error());
  fd_.reset();
  if (!::MoveFileExW(base::utf16(written_path_).c_str(), base::utf16(path_).c_str(),
                     MOVEFILE_REPLACE_EXISTING))
    return base::win32_error("cannot write " + path_);
  written_path_.clear();
  return {};
}

}  // namespace walkabout::formats
