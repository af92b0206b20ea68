// Which .NET processes of a command, it and those below it, nobody records, and why: looked for in /proc
// (proc(5)) while the command runs. Not found are those that end between two looks, a fifth of a second, and
// programs that have the runtime inside their own file. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "launch/proc_facts.h"
#include "recording/index.h"

namespace walkabout::cli {

class MissedChildren {
 public:
  // root: the command. redact: names are programs alone.
  MissedChildren(pid_t root, bool redact, KernelFolders folders = {});

  // recorded: whose agents have come. At most five times a second it does something.
  void look(const std::set<pid_t>& recorded, uint64_t now_ns);
  // Ask when nobody is recorded any more: all there were, but for those that were recorded after all.
  std::vector<recording::MissedProcess> found(const std::set<pid_t>& recorded) const;

 private:
  struct Stat {
    std::string name;  // of its main thread: another program has another
    char state = '?';
    pid_t parent = 0;
    bool is_copy = false;     // forked, and has not executed a program yet: its maps are its parent's
    uint64_t start_time = 0;  // another one may have the number later
  };
  struct Child {
    Stat stat;
    unsigned looks = 0;        // at what is mapped there, in vain
    uint64_t next_ns = 0;      // the next of them
    uint64_t runtime_ns = 0;   // when its runtime was first seen
    bool is_decided = false;   // its agent had its time to come
    std::string name, reason;  // as far as seen; without a name it is none of .NET
    bool is_certain = false;   // the reason holds however long the process lasts
  };
  static Stat stat_of(const std::string& text);
  std::string folder(pid_t pid) const { return folders_.proc + "/" + std::to_string(pid); }
  std::map<pid_t, Stat> processes(uint64_t now_ns);
  void find_descendants(uint64_t now_ns);
  void end(pid_t pid, const Child& child);
  void look_at(pid_t pid, Child& child, uint64_t now_ns) const;
  void find_reason(pid_t pid, Child& child, const std::string& maps) const;
  bool has_runtime(pid_t pid, std::string* maps) const;
  recording::MissedProcess missed(pid_t pid, const Child& child, bool has_ended) const;

  const pid_t root_;
  const bool redact_;
  const KernelFolders folders_;
  std::map<pid_t, Child> children_;
  std::vector<recording::MissedProcess> ended_;
  std::set<pid_t> others_;  // none of the command's; read anew every five seconds
  uint64_t last_ns_ = 0, others_ns_ = 0;
};

}  // namespace walkabout::cli
