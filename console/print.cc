#include "console/print.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/system_error.h"
#include "console/writable.h"

namespace walkabout::cli {
namespace {

// For a pipe that does not block: since it took something.
constexpr int kErrorTimeoutMs = 2'000;
constexpr int kOutputTimeoutMs = 10'000;
// Of a pipe that can be written to at all this much is free (PIPE_BUF).
constexpr size_t kMostAtOnce = 4096;

// 0, or errno of the write that failed. EINTR is the user's request to end, where signals are looked at at
// all.
int write_all(int fd, std::string_view text, int timeout_ms) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), static_cast<unsigned>(text.size()));
    if (n > 0) text.remove_prefix(static_cast<size_t>(n));
    if (n == 0) return EIO;
    if (n > 0) continue;
    const int error = errno;
    if (error != EAGAIN || !is_writable(fd, timeout_ms)) return error;
  }
  return 0;
}

int g_output_error = 0;
bool g_error_is_stuck = false;  // it was waited for in vain

}  // namespace

void print_stderr(std::string_view text) {
  const int error = write_all(STDERR_FILENO, text, g_error_is_stuck ? 0 : kErrorTimeoutMs);
  g_error_is_stuck = error == EAGAIN;
}

void try_print_stderr(std::string_view text) {
  while (!text.empty() && is_writable(STDERR_FILENO, 0)) {
    const std::string_view part = text.substr(0, kMostAtOnce);
    if (write_all(STDERR_FILENO, part, 0) != 0) return;
    text.remove_prefix(part.size());
  }
}

void print(std::string_view text) {
  if (g_output_error == 0) g_output_error = write_all(STDOUT_FILENO, text, kOutputTimeoutMs);
}

base::Status printed() {
  if (g_output_error == 0) return {};
  errno = g_output_error;
  return base::system_error("cannot write to standard output");
}

}  // namespace walkabout::cli
