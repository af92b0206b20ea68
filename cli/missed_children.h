// Which .NET processes of a command, it and those below it, nobody records, and why: looked for in /proc
// (proc(5)) while the command runs. Only those that last some seconds are found. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/proc_facts.h"
#include "recording/index.h"

namespace walkabout::cli {

class MissedChildren {
 public:
  // root: the command. redact: names are programs alone.
  MissedChildren(pid_t root, bool redact, KernelFolders folders = {});

  // recorded: whose agents have come. At most once a second it does something.
  void look(const std::set<pid_t>& recorded, uint64_t now_ns);
  // All there were, but for those that were recorded after all.
  std::vector<recording::MissedProcess> found(const std::set<pid_t>& recorded) const;

 private:
  struct Child {
    uint64_t start_time = 0;  // field 22 of stat: another one may have the number later
    unsigned looks = 0;       // at what is mapped there
    uint64_t runtime_ns = 0;  // when its runtime was first seen
    bool is_missed = false;
    std::string name, why;
  };
  void find_descendants();
  void look_at(pid_t pid, Child& child, uint64_t now_ns) const;

  const pid_t root_;
  const bool redact_;
  const KernelFolders folders_;
  std::map<pid_t, Child> children_;
  uint64_t last_ns_ = 0;
};

}  // namespace walkabout::cli
