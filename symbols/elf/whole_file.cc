#include "symbols/elf/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace walkabout::symbols {

// A process may name any file. Nonblocking: it may be a FIFO.
std::vector<uint8_t> read_whole(const std::string& path, const FileRoot& root, uint64_t most) {
  return read_whole(root.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), most);
}

// Not mapped: it may shrink while it is read.
std::vector<uint8_t> read_whole(const base::Fd& file, uint64_t most) {
  struct stat info {};
  if (!file.valid() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return {};
  if (info.st_size <= 0 || static_cast<uint64_t>(info.st_size) > most) return {};
  std::vector<uint8_t> bytes(static_cast<size_t>(info.st_size));
  for (size_t at = 0; at < bytes.size();) {
    const ssize_t n = ::pread(file.get(), bytes.data() + at, bytes.size() - at, static_cast<off_t>(at));
    if (n <= 0) return {};
    at += static_cast<size_t>(n);
  }
  return bytes;
}

}  // namespace walkabout::symbols
