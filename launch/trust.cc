#include "launch/trust.h"

#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>

#include "base/linux/trust_rule.h"

namespace walkabout::cli {
namespace {

bool is_private_group(uid_t uid, gid_t gid) {
  const passwd* user = ::getpwuid(uid);
  const std::string name = user != nullptr ? user->pw_name : "";
  const group* members = ::getgrgid(gid);
  if (name.empty() || members == nullptr) return uid == gid && name.empty() && members == nullptr;
  if (name != members->gr_name || base::is_first_group_of_another(uid, gid)) return false;
  for (char** member = members->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

std::string user_name(uid_t uid) {
  const passwd* entry = ::getpwuid(uid);
  return entry != nullptr ? entry->pw_name : "user " + std::to_string(uid);
}

}  // namespace

bool others_may_write(const struct stat& s) {
  return base::others_may_write({s.st_mode, s.st_uid, s.st_gid}, is_private_group);
}

base::Status check_trust(const std::string& path, const std::string& program) {
  const auto found = base::find_distrusted(path, program, is_private_group);
  if (!found) return {};
  const auto& [place, owner, error, foreign] = *found;
  if (error != 0)
    return base::Status::error(fmt::format("{} cannot be looked at: {}", place, strerror(error)));
  if (foreign)
    return base::Status::error(fmt::format("{} belongs to {}; install walkabout as root, or as this user",
                                           place, user_name(owner.uid)));
  return base::Status::error(fmt::format("{} may be written by others (mode {:04o}); chmod {} {}", place,
                                         owner.mode & 07777, (owner.mode & S_IWOTH) != 0 ? "go-w" : "g-w",
                                         place));
}

}  // namespace walkabout::cli
