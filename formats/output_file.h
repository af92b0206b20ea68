// A file that appears whole or not at all: written beside its place under another name, then renamed
// (base/linux/new_file.h says who may read it). What is no regular file (/dev/stdout, a pipe) is written
// straight; a pipe's reader is waited for. Failed writes keep their cause. One thread.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"

namespace walkabout::formats {

// Asked several times a second while a pipe of that name (a FIFO) has no reader, or a full one is not read:
// whether to go on waiting.
enum class Reader { kNone, kSlow };
using GoOn = std::function<bool(const std::string& path, Reader reader)>;

// A buffer over a file descriptor that remembers errno of the first failed write.
class FdBuffer : public std::streambuf {
 public:
  // again: whether a write that would have waited, or was interrupted, is tried again; empty: it is.
  explicit FdBuffer(int fd, std::function<bool()> again = {});
  // 0, or errno of the write that failed.
  int error() const { return error_; }

 protected:
  int_type overflow(int_type c) override;
  int sync() override;

 private:
  bool drain();
  const int fd_;
  const std::function<bool()> again_;
  int error_ = 0;
  std::vector<char> buffer_;
};

class OutputFile {
 public:
  // go_on: empty: what is waited for is waited for without end.
  explicit OutputFile(std::string path, GoOn go_on = {});
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Without commit() nothing is left behind.
  ~OutputFile();

  base::Status open();
  // REQUIRES: open() was ok.
  std::ostream& stream() { return stream_; }
  base::Status commit();

 private:
  base::Status failed(int error) const;
  base::Status open_pipe();

  const std::string path_;
  const GoOn go_on_;
  std::string written_path_;  // empty: nothing to rename or remove
  base::Fd fd_;
  std::unique_ptr<FdBuffer> buffer_;
  std::ostream stream_{nullptr};
};

}  // namespace walkabout::formats
