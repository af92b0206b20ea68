#include "cli/trust.h"

#include <errno.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace walkabout::cli {
namespace {

// "/", "/usr", … and the path itself.
std::vector<std::string> and_all_above(const std::string& path) {
  std::vector<std::string> all{"/"};
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    all.push_back(path.substr(0, slash));
  all.push_back(path);
  return all;
}

bool is_private_group(uid_t uid, gid_t gid) {
  const passwd* user = ::getpwuid(uid);
  const std::string name = user != nullptr ? user->pw_name : "";
  const group* members = ::getgrgid(gid);
  if (name.empty() || members == nullptr) return uid == gid && name.empty() && members == nullptr;
  if (name != members->gr_name) return false;
  for (char** member = members->gr_mem; *member != nullptr; ++member) {
    if (name != *member) return false;
  }
  return true;
}

std::vector<uid_t> trusted_users(const std::string& program) {
  std::vector<uid_t> users{0, ::geteuid()};
  for (const std::string& place : and_all_above(program)) {
    struct stat s {};
    if (::lstat(place.c_str(), &s) == 0) users.push_back(s.st_uid);
  }
  return users;
}

std::string user_name(uid_t uid) {
  const passwd* entry = ::getpwuid(uid);
  return entry != nullptr ? entry->pw_name : "user " + std::to_string(uid);
}

}  // namespace

bool others_may_write(const struct stat& s) {
  if (S_ISDIR(s.st_mode) && (s.st_mode & S_ISVTX) != 0) return false;
  return (s.st_mode & S_IWOTH) != 0 || ((s.st_mode & S_IWGRP) != 0 && !is_private_group(s.st_uid, s.st_gid));
}

base::Status check_trust(const std::string& path, const std::string& program) {
  const std::vector<uid_t> trusted = trusted_users(program);
  for (const std::string& place : and_all_above(path)) {
    struct stat s {};
    if (::lstat(place.c_str(), &s) != 0)
      return base::Status::error(fmt::format("{} cannot be looked at: {}", place, strerror(errno)));
    if (std::find(trusted.begin(), trusted.end(), s.st_uid) == trusted.end())
      return base::Status::error(fmt::format("{} belongs to {}; install walkabout as root, or as this user",
                                             place, user_name(s.st_uid)));
    if (others_may_write(s))
      return base::Status::error(fmt::format("{} may be written by others (mode {:04o}); chmod {} {}", place,
                                             s.st_mode & 07777, (s.st_mode & S_IWOTH) != 0 ? "go-w" : "g-w",
                                             place));
  }
  return {};
}

}  // namespace walkabout::cli
