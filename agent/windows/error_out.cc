#include "agent/shared/error_out.h"

#include <unistd.h>

#include "base/error_line.h"

namespace walkabout::agent {

void remember_stderr() {}

void report_on_stderr(const std::string& cause) {
  const std::string line = base::error_line(cause);
  if (::write(STDERR_FILENO, line.data(), static_cast<unsigned>(line.size())) < 0) return;
}

}  // namespace walkabout::agent
