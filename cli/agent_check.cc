#include "cli/agent_check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

#include "cli/agent_copy.h"

namespace walkabout::cli {
namespace {

// Whoever may change the library runs code of theirs in every profiled program. A sticky folder of all
// (/tmp) is safe for files that are there.
bool others_may_write(const struct stat& s) {
  const bool sticky = S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0;
  return !sticky && (s.st_mode & (S_IWGRP | S_IWOTH)) != 0;
}

bool has_room_for_code(const diagnostics::Process& process, const std::string& path) {
  const base::Fd folder = diagnostics::open_in_root(process, path, O_PATH | O_DIRECTORY);
  struct statvfs system {};
  if (!folder.valid() || ::access(diagnostics::path_of(folder).c_str(), W_OK | X_OK) != 0) return false;
  return ::statvfs(diagnostics::path_of(folder).c_str(), &system) == 0 &&
         (system.f_flag & (ST_RDONLY | ST_NOEXEC)) == 0;
}

}  // namespace

Finding check_agent_file(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  struct stat file {
  }, around{};
  if (::stat(path.c_str(), &file) != 0 || ::stat(folder.c_str(), &around) != 0 ||
      ::access(path.c_str(), R_OK) != 0)
    return {Verdict::kNo, "agent", path + " cannot be read: " + strerror(errno), "install walkabout again"};
  if (!S_ISREG(file.st_mode)) return {Verdict::kNo, "agent", path + " is no file", "install walkabout again"};
  for (const auto& [s, name] : {std::pair(file, path), std::pair(around, folder)}) {
    if (others_may_write(s))
      return {Verdict::kWarn, "agent", name + " may be written by others than its owner",
              "chmod go-w " + name};
    if (s.st_uid != 0 && s.st_uid != ::geteuid())
      return {Verdict::kWarn, "agent", name + " belongs to another user",
              "install walkabout as root, or as this user"};
  }
  return {Verdict::kOk, "agent", path, ""};
}

Finding check_agent_reach(const diagnostics::Process& process, const std::string& path) {
  if (sees_and_may_read(process, path))
    return {Verdict::kOk, "reach", "the process can read the agent where it is", ""};
  for (const std::string& folder : {diagnostics::temporary_folder(process), std::string("/tmp"),
                                    std::string("/dev/shm"), std::string("/var/tmp")}) {
    if (has_room_for_code(process, folder))
      return {
          Verdict::kOk, "reach",
          "the process cannot read the agent where it is: a copy will be put into a temporary folder of it",
          ""};
  }
  return {Verdict::kNo, "reach",
          "the process cannot read the agent where it is, and no folder of it takes a copy",
          "install walkabout where its user and its container can read it"};
}

}  // namespace walkabout::cli
