// Who could change a file: judged by the owners and modes of the file and of the folders above it.
//
// Trusted are root, this user, and whoever owns a folder that this program or library itself lies in:
// they wrote what asks. A folder with the sticky bit (/tmp) is safe for what is in it, for that has an
// owner of its own. A group may write if it is its owner's private one (the user's name, nobody else in it),
// as files of a user with umask 002 have. An ACL shows in the group's bits and counts as a group. Any thread.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace walkabout::base {

struct Owner {
  mode_t mode = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};

// Whether a group is its user's private one. There are two ways to know: by name services, and
// private_by_files().
using PrivateGroup = bool (*)(uid_t uid, gid_t gid);

// As /etc/passwd and /etc/group have it: asks no name service, so that nothing of one gets into the process.
bool private_by_files(uid_t uid, gid_t gid);
// The same by other files of that kind.
bool private_by(const char* users, const char* groups, uid_t uid, gid_t gid);
// What no list of members says: another user's processes begin with this group. By /etc/passwd.
bool is_first_group_of_another(uid_t uid, gid_t gid);

// Others than its owner may change this file, or take away and replace what is in this folder.
bool others_may_write(const Owner& owner, PrivateGroup is_private);

// A file, or a folder above one, that somebody can change who is not trusted.
struct Distrusted {
  std::string place;
  Owner owner;
  int error = 0;         // errno: it could not be looked at
  bool foreign = false;  // it belongs to somebody else; false: others than its owner may write there
};

// The first such place, from the root on. path and program: absolute, without links (realpath(3)).
std::optional<Distrusted> find_distrusted(const std::string& path, const std::string& program,
                                          PrivateGroup is_private);

}  // namespace walkabout::base
