#include "check/agent_check.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "launch/agent_copy.h"
#include "launch/agent_path.h"

namespace walkabout::cli {
namespace {

bool has_room_for_code(const diagnostics::Process& process, const std::string& path) {
  const base::Fd folder = diagnostics::open_in_root(process, path, O_PATH | O_DIRECTORY);
  struct statvfs system {};
  if (!folder.valid() || ::access(diagnostics::path_of(folder).c_str(), W_OK | X_OK) != 0) return false;
  return ::statvfs(diagnostics::path_of(folder).c_str(), &system) == 0 &&
         (system.f_flag & (ST_RDONLY | ST_NOEXEC)) == 0;
}

}  // namespace

CheckResult check_agent_file(const std::string& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || ::access(path.c_str(), R_OK) != 0)
    return {Verdict::kNo, "agent", path + " cannot be read: " + strerror(errno), "install walkabout again"};
  if (!S_ISREG(file.st_mode)) return {Verdict::kNo, "agent", path + " is no file", "install walkabout again"};
  if (const base::Status ours = check_agent_is_ours(path); !ours.ok())
    return result_of(Verdict::kNo, "agent", ours);
  return {Verdict::kOk, "agent", path, ""};
}

CheckResult check_agent_reach(const diagnostics::Process& process, const std::string& path) {
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
