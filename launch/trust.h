// Who could change a file, by the rules of base/linux/trust_rule.h; groups are looked up by name services.
// Thread rule: one (getpwuid).
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
