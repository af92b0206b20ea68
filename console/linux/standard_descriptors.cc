#include "console/linux/standard_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

namespace walkabout::cli {

// open(2) takes the lowest number that is free. What was opened by its path alone answers as what is closed
// does: EBADF.
void hold_standard_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    const bool is_closed = ::fcntl(fd, F_GETFD) < 0;
    if (is_closed) ::open("/", O_PATH | O_CLOEXEC);
  }
}

}  // namespace walkabout::cli
