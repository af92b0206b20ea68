// Who could change a file: judged by the owners and modes of the file and of the folders above it.
//
// Trusted are root, this user, and whoever owns a folder the walkabout program itself lies in: they wrote the
// program that was started. A folder with the sticky bit (/tmp) is safe for what is in it, for that has an
// owner of its own. A group may write if it is its owner's private one (the user's name, nobody else in it),
// as files of a user with umask 002 have. An ACL shows in the group's bits and counts as a group. Thread
// rule: one (getpwuid).
#pragma once

#include <sys/stat.h>

#include <string>

#include "base/result.h"

namespace walkabout::cli {

// Others than its owner may change this file, or take away and replace what is in this folder.
bool others_may_write(const struct stat& s);

// Whether the file, or one of the folders above it, can be changed by somebody who is not trusted: an error
// that names the place and what to do. path: absolute, without links (std::filesystem::canonical). program:
// where walkabout itself is.
base::Status check_trust(const std::string& path, const std::string& program);

}  // namespace walkabout::cli
