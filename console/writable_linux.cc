#include <poll.h>

#include "console/writable.h"

namespace walkabout::cli {

bool is_writable(int fd, int timeout_ms) {
  pollfd one{fd, POLLOUT, 0};
  return ::poll(&one, 1, timeout_ms) == 1 && (one.revents & (POLLERR | POLLNVAL)) == 0;
}

}  // namespace walkabout::cli
