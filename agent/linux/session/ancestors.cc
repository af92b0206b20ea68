#include "agent/linux/session/ancestors.h"

#include <unistd.h>

#include <cstdlib>

#include "agent/linux/proc_self.h"

namespace walkabout::agent {
namespace {

constexpr int kMostAncestors = 64;

// The field behind the state; the name before them may hold anything. proc(5).
pid_t parent_of(pid_t pid) {
  const std::string stat = read_proc_file("/proc/" + std::to_string(pid) + "/stat");
  const size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || name_end + 4 >= stat.size()) return 0;
  return static_cast<pid_t>(::strtol(stat.c_str() + name_end + 4, nullptr, 10));
}

}  // namespace

bool an_ancestor_has(const std::string& file_name) {
  pid_t pid = ::getppid();
  for (int i = 0; pid > 0 && i < kMostAncestors; ++i, pid = parent_of(pid)) {
    const std::string maps = read_proc_file("/proc/" + std::to_string(pid) + "/maps");
    if (maps.find("/" + file_name + "\n") != std::string::npos) return true;
  }
  return false;
}

}  // namespace walkabout::agent
