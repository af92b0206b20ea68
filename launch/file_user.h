// While this lives, files are made, found and written with the rights of a process's user, and belong to it:
// what root does in folders of another user's can then lead nowhere that user could not go. Does nothing when
// the user is ours. Source: setfsuid(2), which gives the capabilities over files up for that time
// (capabilities(7)) and counts for the calling thread alone.
#pragma once

#include <errno.h>
#include <sys/fsuid.h>
#include <unistd.h>

#include "diagnostics/process.h"

namespace walkabout::cli {

class FileUser {
 public:
  explicit FileUser(const diagnostics::Process& process) : changed_(process.uid != ::geteuid()) {
    if (!changed_) return;
    ::setfsgid(process.gid);
    ::setfsuid(process.uid);
  }
  FileUser(const FileUser&) = delete;
  FileUser& operator=(const FileUser&) = delete;
  ~FileUser() {
    if (!changed_) return;
    const int error = errno;
    ::setfsuid(::geteuid());
    ::setfsgid(::getegid());
    errno = error;
  }

 private:
  const bool changed_;
};

}  // namespace walkabout::cli
