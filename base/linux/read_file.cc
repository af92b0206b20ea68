#include "base/linux/read_file.h"

#include <errno.h>
#include <unistd.h>

#include "base/open_file.h"

namespace walkabout::base {

bool read_file(const std::string& path, std::string* text) {
  text->clear();
  const Fd file = open_to_read(path);
  if (!file.valid()) return false;
  char part[4096];
  for (;;) {
    const ssize_t n = ::read(file.get(), part, sizeof part);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    text->append(part, static_cast<size_t>(n));
  }
}

std::string text_of(const std::string& path) {
  std::string text;
  static_cast<void>(read_file(path, &text));
  return text;
}

}  // namespace walkabout::base
