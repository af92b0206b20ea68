#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/terminal.h"

namespace walkabout::cli {
size_t columns(int fd, size_t otherwise) {
  winsize size{};
  return ::ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : otherwise;
}

Terminal standard_output() {
  if (::isatty(STDOUT_FILENO) == 0) return {};
  Terminal terminal;
  terminal.width = std::max(columns(STDOUT_FILENO, 80), kNarrowest);
  const char* term = std::getenv("TERM");
  const char* no_colour = std::getenv("NO_COLOR");
  terminal.colours =
      (no_colour == nullptr || *no_colour == '\0') && term != nullptr && std::string_view(term) != "dumb";
  return terminal;
}

}  // namespace walkabout::cli
