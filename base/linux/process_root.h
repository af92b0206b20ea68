// The file system another process sees: is it ours, and how its paths are opened without leaving it.
//
// Any thread, no state. Errors are errno's. Sources: openat2(2), mount_namespaces(7), /proc/PID/root in
// proc(5).
#pragma once

#include <sys/types.h>

#include <string>

#include "base/fd.h"

namespace walkabout::base {

// root: its root folder, open. True where its paths lead to the files that ours lead to.
bool has_own_files(const Fd& root, pid_t pid);

// path: absolute, as the process names it; links are followed inside the root, as the process would. ENOSYS
// before Linux 5.6.
Fd open_in_root(const Fd& root, const std::string& path, int flags);
// For kernels without that: the same path, but an absolute link in it leads to our own files.
Fd open_below(const Fd& root, const std::string& path, int flags);

}  // namespace walkabout::base
