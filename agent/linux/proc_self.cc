#include "agent/linux/proc_self.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <memory>
#include <string_view>

#include "base/clock.h"

namespace walkabout::agent {
namespace {

struct CloseFile {
  void operator()(FILE* f) const { ::fclose(f); }
};
using File = std::unique_ptr<FILE, CloseFile>;

}  // namespace

std::string read_proc_file(const std::string& path) {
  const File file(::fopen(path.c_str(), "re"));
  std::string text;
  if (file == nullptr) return text;
  char buffer[4096];
  for (size_t n; (n = ::fread(buffer, 1, sizeof buffer, file.get())) > 0;) text.append(buffer, n);
  return text;
}

uint32_t thread_count() {
  struct statx s {};  // stat(2) has another name before glibc 2.33
  const bool known = ::statx(AT_FDCWD, "/proc/self/task", 0, STATX_NLINK, &s) == 0;
  return known && s.stx_nlink > 2 ? s.stx_nlink - 2 : 0;
}

pid_t current_tid() { return static_cast<pid_t>(::syscall(SYS_gettid)); }

std::vector<pid_t> thread_ids() {
  std::vector<pid_t> ids;
  DIR* dir = ::opendir("/proc/self/task");
  if (dir == nullptr) return ids;
  while (const dirent* entry = ::readdir(dir)) {
    if (const long id = ::strtol(entry->d_name, nullptr, 10); id > 0) ids.push_back(static_cast<pid_t>(id));
  }
  ::closedir(dir);
  return ids;
}

uint64_t thread_cpu_ns(pid_t tid) {
  return tid == 0 ? 0 : base::clock_ns(base::thread_cpu_clock(tid));  // clock 0 is the calling thread's
}

std::string thread_name(pid_t tid) {
  std::string name = read_proc_file("/proc/self/task/" + std::to_string(tid) + "/comm");
  while (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

bool blocks_signal(pid_t tid, int signal) {
  constexpr std::string_view kLine = "\nSigBlk:\t";
  const std::string status = read_proc_file("/proc/self/task/" + std::to_string(tid) + "/status");
  const size_t at = status.find(kLine);
  if (at == std::string::npos) return false;
  const uint64_t blocked = ::strtoull(status.c_str() + at + kLine.size(), nullptr, 16);
  return (blocked >> (signal - 1) & 1) != 0;
}

uint64_t address_space() {
  const std::string pages = read_proc_file("/proc/self/statm");
  return ::strtoull(pages.c_str(), nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

bool maps_io_ring() {
  return read_proc_file("/proc/self/maps").find("anon_inode:[io_uring]") != std::string::npos;
}

std::string command_line() {
  std::string text = read_proc_file("/proc/self/cmdline");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  for (char& c : text) {
    if (c == '\0') c = ' ';
  }
  return text;
}

std::vector<Mapping> mappings() {
  std::vector<Mapping> result;
  const File file(::fopen("/proc/self/maps", "re"));
  if (file == nullptr) return result;
  char* line = nullptr;
  size_t capacity = 0;
  while (::getline(&line, &capacity, file.get()) > 0) {
    Mapping m;
    char perms[8] = {};
    int path_at = 0;
    unsigned long long begin = 0, end = 0, offset = 0;
    if (::sscanf(line, "%llx-%llx %7s %llx %*s %*s %n", &begin, &end, perms, &offset, &path_at) < 4) continue;
    m.begin = begin, m.end = end, m.offset = offset;
    m.readable = perms[0] == 'r';
    m.executable = perms[2] == 'x';
    if (path_at > 0) m.path = line + path_at;
    while (!m.path.empty() && m.path.back() == '\n') m.path.pop_back();
    result.push_back(std::move(m));
  }
  ::free(line);
  return result;
}

}  // namespace walkabout::agent
