#include "agent/linux/detach_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "base/system_error.h"

namespace walkabout::agent {

DetachWatch::~DetachWatch() {
  cancel();
  thread_.join();
}

base::Status DetachWatch::start(int socket, std::function<void()> leave) {
  socket_ = base::Fd(::fcntl(socket, F_DUPFD_CLOEXEC, 0));
  cancelled_ = base::Fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!socket_.valid() || !cancelled_.valid())
    return base::system_error("no descriptor for the agent to be had");
  return thread_.start("walkabout-leave", &tid_, [this, leave = std::move(leave)] { run(leave); });
}

void DetachWatch::cancel() {
  if (cancelled_.valid()) ::eventfd_write(cancelled_.get(), 1);
}

void DetachWatch::run(const std::function<void()>& leave) const {
  pollfd fds[] = {{socket_.get(), POLLIN | POLLRDHUP, 0}, {cancelled_.get(), POLLIN, 0}};
  while (::poll(fds, 2, -1) < 0 && errno == EINTR) {
  }
  if (fds[1].revents == 0 && fds[0].revents != 0) leave();
}

}  // namespace walkabout::agent
