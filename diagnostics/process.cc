#include "diagnostics/process.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/linux/process_root.h"
#include "base/linux/read_file.h"

namespace walkabout::diagnostics {
namespace {

std::string proc(pid_t pid, const char* file) { return "/proc/" + std::to_string(pid) + "/" + file; }

std::string user_name(uid_t uid) {
  const passwd* entry = ::getpwuid(uid);
  return entry != nullptr ? entry->pw_name : "user " + std::to_string(uid);
}

// The `field`-th number (from 0) behind "NAME:" in a status file; the last one if there are fewer.
uint64_t status_number(const std::string& status, const std::string& name, size_t field,
                       std::ios_base& (*base)(std::ios_base&) = std::dec) {
  const size_t at = status.find("\n" + name + ":");
  if (at == std::string::npos) return 0;
  std::istringstream line(
      status.substr(at + name.size() + 2, status.find('\n', at + 1) - at - name.size() - 2));
  line >> base;
  uint64_t value = 0, found = 0;
  for (size_t i = 0; i <= field && line >> value; ++i) found = value;
  return found;
}

// The program's name in stat may hold anything, also spaces and parentheses: fields are counted from its end.
uint64_t start_time(const std::string& stat) {
  constexpr int kFieldsBetween = 20;  // the name is field 2, the start time field 22
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int i = 0; i < kFieldsBetween; ++i) fields >> field;
  uint64_t value = 0;
  std::from_chars(field.data(), field.data() + field.size(), value);
  return value;
}

// CAP_SYS_PTRACE is bit 19 (linux/capability.h).
bool can_trace() {
  constexpr uint64_t kSysPtrace = uint64_t{1} << 19;
  std::string status;
  if (!base::read_file("/proc/self/status", &status)) return false;
  return (status_number(status, "CapEff", 0, std::hex) & kSysPtrace) != 0;
}

// error: what the kernel returned when we looked.
base::Status not_ours(const Process& process, int error) {
  if (::geteuid() == 0 || process.uid == ::geteuid()) return may_not_look(process.pid, error, can_trace());
  return base::Status::error("process " + std::to_string(process.pid) + " belongs to " +
                             user_name(process.uid) + "; run walkabout as that user, or as root");
}

}  // namespace

base::Status may_not_look(pid_t pid, int error, bool can_trace) {
  const std::string what = "cannot look into process " + std::to_string(pid) + ": " + strerror(error);
  if (error != EACCES && error != EPERM) return base::Status::error(what);
  return base::Status::error(
      what + (can_trace
                  ? "; walkabout has the capability CAP_SYS_PTRACE, so something else forbids it, such as a "
                    "security module or the process's own user namespace"
                  : "; that needs the capability CAP_SYS_PTRACE, or a process that is dumpable"));
}

base::Result<Process> look_at(pid_t pid) {
  Process process;
  process.pid = pid;
  std::string status, stat_line;
  if (pid <= 0 || !base::read_file(proc(pid, "status"), &status) ||
      !base::read_file(proc(pid, "stat"), &stat_line))
    return base::Status::error("there is no process " + std::to_string(pid));
  constexpr size_t kEffective = 1;
  process.own_pid = static_cast<pid_t>(status_number(status, "NSpid", SIZE_MAX - 1));
  if (process.own_pid == 0) process.own_pid = pid;
  process.uid = static_cast<uid_t>(status_number(status, "Uid", kEffective));
  process.gid = static_cast<gid_t>(status_number(status, "Gid", kEffective));
  process.start_time = start_time(stat_line);
  const std::string state = status.substr(std::min(status.find("\nState:"), status.size()), 16);
  if (state.find('Z') != std::string::npos || state.find('X') != std::string::npos)
    return base::Status::error("process " + std::to_string(pid) +
                               " has ended already (nobody has waited for it yet)");
  process.root = base::Fd(::open(proc(pid, "root").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!process.root.valid() || !base::read_file(proc(pid, "environ"), &process.environment)) {
    const int error = errno;
    if (error == ENOENT || error == ESRCH)
      return base::Status::error("process " + std::to_string(pid) + " has ended");
    return not_ours(process, error);
  }
  if (::geteuid() != 0 && process.uid != ::geteuid()) return not_ours(process, EPERM);
  process.same_root = base::has_own_files(process.root, pid);
  return process;
}

bool has_thread(const Process& process, std::string_view prefix) {
  std::error_code error;
  namespace fs = std::filesystem;
  // Step by step: it may end meanwhile, which a range-based loop would throw.
  for (fs::directory_iterator task(proc(process.pid, "task"), error), end; !error && task != end;
       task.increment(error)) {
    std::string name;
    if (base::read_file(task->path().string() + "/comm", &name) && name.rfind(prefix, 0) == 0) return true;
  }
  return false;
}

uint64_t age_ns(const Process& process) {
  timespec now{};
  ::clock_gettime(CLOCK_BOOTTIME, &now);
  const auto tick_ns = 1'000'000'000 / static_cast<uint64_t>(::sysconf(_SC_CLK_TCK));
  const uint64_t now_ns =
      static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
  const uint64_t began_ns = process.start_time * tick_ns;
  return now_ns > began_ns ? now_ns - began_ns : 0;
}

std::string environment_value(const Process& process, const std::string& name) {
  const std::string& all = process.environment;
  for (size_t at = 0; at < all.size();) {
    const size_t end = std::min(all.find('\0', at), all.size());
    if (end - at > name.size() && all.compare(at, name.size(), name) == 0 && all[at + name.size()] == '=')
      return all.substr(at + name.size() + 1, end - at - name.size() - 1);
    at = end + 1;
  }
  return {};
}

std::string clr_setting(const Process& process, const std::string& name) {
  const std::string value = environment_value(process, "DOTNET_" + name);
  return !value.empty() ? value : environment_value(process, "COMPlus_" + name);
}

std::string temporary_folder(const Process& process) {
  std::string folder = environment_value(process, "TMPDIR");
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder.empty() ? "/tmp" : folder;
}

base::Fd open_in_root(const Process& process, const std::string& path, int flags) {
  base::Fd fd = base::open_in_root(process.root, path, flags);
  if (fd.valid() || errno != ENOSYS) return fd;
  return base::open_below(process.root, path, flags);
}

std::string path_of(const base::Fd& fd) { return "/proc/self/fd/" + std::to_string(fd.get()); }

}  // namespace walkabout::diagnostics
