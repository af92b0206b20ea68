#include "base/linux/trust_rule.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace walkabout::base {
namespace {

constexpr const char* kUsers = "/etc/passwd";
constexpr size_t kLongestEntry = 64 << 10;  // a longer one is of no private group

struct CloseFile {
  void operator()(FILE* file) const { ::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

// "/", "/usr", … and the path itself.
std::vector<std::string> and_all_above(const std::string& path) {
  std::vector<std::string> all{"/"};
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    all.push_back(path.substr(0, slash));
  all.push_back(path);
  return all;
}

// By statx: lstat(2) has another name before glibc 2.33.
int look_at(const std::string& place, Owner* owner) {
  struct statx s {};
  if (::statx(AT_FDCWD, place.c_str(), AT_SYMLINK_NOFOLLOW, STATX_MODE | STATX_UID | STATX_GID, &s) != 0)
    return errno;
  *owner = {s.stx_mode, s.stx_uid, s.stx_gid};
  return 0;
}

std::vector<uid_t> trusted_users(const std::string& program) {
  std::vector<uid_t> users{0, ::geteuid()};
  for (const std::string& place : and_all_above(program)) {
    Owner owner;
    if (look_at(place, &owner) == 0) users.push_back(owner.uid);
  }
  return users;
}

// Calls use(entry) for all of a file like /etc/passwd.
template <typename Use>
void for_each_user(const char* path, Use use) {
  const File file(::fopen(path, "re"));
  std::vector<char> buffer(kLongestEntry);
  passwd entry{}, *found = nullptr;
  while (file && ::fgetpwent_r(file.get(), &entry, buffer.data(), buffer.size(), &found) == 0) use(entry);
}

// Who has it as the group that his processes begin with is no member in its own list.
bool is_first_of_another(const char* users, uid_t uid, gid_t gid) {
  bool another = false;
  for_each_user(users, [&](const passwd& entry) { another |= entry.pw_uid != uid && entry.pw_gid == gid; });
  return another;
}

// Empty when there is none.
std::string user_in(const char* users, uid_t uid) {
  std::string name;
  for_each_user(users, [&](const passwd& entry) {
    if (entry.pw_uid == uid && name.empty()) name = entry.pw_name;
  });
  return name;
}

bool has_no_other_member(const group& entry, const std::string& user) {
  for (char** member = entry.gr_mem; *member != nullptr; ++member) {
    if (user != *member) return false;
  }
  return true;
}

}  // namespace

bool private_by(const char* users, const char* groups, uid_t uid, gid_t gid) {
  const std::string user = user_in(users, uid);
  if (user.empty() || is_first_of_another(users, uid, gid)) return false;
  const File file(::fopen(groups, "re"));
  std::vector<char> buffer(kLongestEntry);
  group entry{}, *found = nullptr;
  bool known = false;
  while (file && ::fgetgrent_r(file.get(), &entry, buffer.data(), buffer.size(), &found) == 0) {
    if (entry.gr_gid != gid) continue;
    if (user != entry.gr_name || !has_no_other_member(entry, user)) return false;
    known = true;
  }
  return known;
}

bool private_by_files(uid_t uid, gid_t gid) { return private_by(kUsers, "/etc/group", uid, gid); }

bool is_first_group_of_another(uid_t uid, gid_t gid) { return is_first_of_another(kUsers, uid, gid); }

bool others_may_write(const Owner& owner, PrivateGroup is_private) {
  if (S_ISDIR(owner.mode) && (owner.mode & S_ISVTX) != 0) return false;
  return (owner.mode & S_IWOTH) != 0 || ((owner.mode & S_IWGRP) != 0 && !is_private(owner.uid, owner.gid));
}

std::optional<Distrusted> find_distrusted(const std::string& path, const std::string& program,
                                          PrivateGroup is_private) {
  const std::vector<uid_t> trusted = trusted_users(program);
  for (const std::string& place : and_all_above(path)) {
    Distrusted found{place, {}, 0, false};
    found.error = look_at(place, &found.owner);
    if (found.error != 0) return found;
    found.foreign = std::find(trusted.begin(), trusted.end(), found.owner.uid) == trusted.end();
    if (found.foreign || others_may_write(found.owner, is_private)) return found;
  }
  return std::nullopt;
}

}  // namespace walkabout::base
