#include "launch/session_dir.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "launch/held_folder.h"
#include "launch/trust.h"

namespace walkabout::cli {
namespace {

// Whoever may rename our folder may put another in its place, with a socket of theirs in it.
bool is_swappable(const char* parent) {
  struct stat s {};
  if (::stat(parent, &s) != 0) return false;  // mkdtemp will say why
  return others_may_write(s) || (s.st_uid != 0 && s.st_uid != ::geteuid());
}

constexpr char kSessionPrefix[] = "walkabout-session-";
constexpr int kSessionTries = 10;

// Empty with errno set if it cannot be.
std::string make_folder(const std::string& base, base::Fd* held) {
  const base::Fd parent(::open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!parent.valid()) return {};
  remove_stale_folders(parent, kSessionPrefix, ::geteuid());
  for (int i = 0; i < kSessionTries; ++i) {
    std::string path = base + "/" + kSessionPrefix + "XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) return {};  // 0700, by definition
    *held = hold_folder(parent, path.substr(base.size() + 1));
    if (held->valid()) return path;
  }
  return {};
}

}  // namespace

base::Result<SessionDir> SessionDir::create() {
  std::string tried;
  // In errors by the variable's name: values of the environment are not shown.
  const std::pair<const char*, const char*> places[] = {
      {"XDG_RUNTIME_DIR", ::getenv("XDG_RUNTIME_DIR")}, {"TMPDIR", ::getenv("TMPDIR")}, {"/tmp", "/tmp"}};
  for (const auto& [name, base] : places) {
    if (base == nullptr || *base == '\0') continue;
    std::string why = "others could take a folder of ours away";
    if (!is_swappable(base)) {
      base::Fd held;
      if (std::string path = make_folder(base, &held); !path.empty())
        return SessionDir(std::move(path), std::move(held));
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
