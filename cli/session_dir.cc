#include "cli/session_dir.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "cli/trust.h"

namespace walkabout::cli {
namespace {

// Whoever may rename our folder may put another in its place, with a socket of theirs in it.
bool is_swappable(const char* parent) {
  struct stat s {};
  if (::stat(parent, &s) != 0) return false;  // mkdtemp will say why
  return others_may_write(s) || (s.st_uid != 0 && s.st_uid != ::geteuid());
}

}  // namespace

base::Result<SessionDir> SessionDir::create() {
  std::string tried;
  // In errors by the variable's name: values of the environment are not shown.
  const std::pair<const char*, const char*> places[] = {
      {"XDG_RUNTIME_DIR", ::getenv("XDG_RUNTIME_DIR")}, {"TMPDIR", ::getenv("TMPDIR")}, {"/tmp", "/tmp"}};
  for (const auto& [name, base] : places) {
    if (base == nullptr || *base == '\0') continue;
    std::string path = std::string(base) + "/walkabout-XXXXXX";
    std::string why = "others could take a folder of ours away";
    if (!is_swappable(base)) {
      if (::mkdtemp(path.data()) != nullptr) return SessionDir(path);  // 0700, by definition
      why = strerror(errno);
    }
    tried += (tried.empty() ? "" : "; ") + std::string(name) + ": " + why;
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
