#include "cli/session_dir.h"

#include <stdlib.h>
#include <string.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace walkabout::cli {

base::Result<SessionDir> SessionDir::create() {
  std::string tried;
  const char* const places[] = {::getenv("XDG_RUNTIME_DIR"), ::getenv("TMPDIR"), "/tmp"};
  for (const char* base : places) {
    if (base == nullptr || *base == '\0') continue;
    std::string path = std::string(base) + "/walkabout-XXXXXX";
    if (::mkdtemp(path.data()) != nullptr) return SessionDir(path);  // 0700, by definition
    tried += (tried.empty() ? "" : "; ") + std::string(base) + ": " + strerror(errno);
  }
  return base::Status::error("no folder for the session can be made (" + tried +
                             "); set TMPDIR to a writable one");
}

SessionDir::~SessionDir() {
  if (path_.empty() || kept_) return;
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace walkabout::cli
