#include "base/linux/trust_rule.h"

#include <grp.h>
#include <gtest/gtest.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace walkabout::base {
namespace {

constexpr uid_t kSomebody = 12345;  // in no file

bool nobodys(uid_t, gid_t) { return false; }
bool everybodys(uid_t, gid_t) { return true; }

TEST(PrivateGroup, IsTheOneThatFilesName) {
  EXPECT_TRUE(private_by_files(0, 0)) << "root's";
  EXPECT_FALSE(private_by_files(0, 1)) << "daemon's";
  EXPECT_FALSE(private_by_files(1, 0));
  EXPECT_FALSE(private_by_files(0, kSomebody)) << "no such group";
  EXPECT_FALSE(private_by_files(kSomebody, kSomebody)) << "nobody knows who is in it";
}

// Name services say the same of what is in the files.
TEST(PrivateGroup, OfEveryUserIsNeitherMoreNorLess) {
  for (uid_t uid = 0; uid < 100; ++uid) {
    const passwd* user = ::getpwuid(uid);
    if (user == nullptr) continue;
    const std::string name = user->pw_name;
    const group* own = ::getgrgid(user->pw_gid);
    const bool alone = own != nullptr && name == own->gr_name && own->gr_mem[0] == nullptr;
    const bool other = own != nullptr && name != own->gr_name;
    if (alone || other) {
      EXPECT_EQ(private_by_files(uid, user->pw_gid), alone) << name;
    }
  }
}

TEST(PrivateGroup, OfItsUserAlone) {
  std::string folder = ::testing::TempDir() + "groups-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const std::string users = folder + "/passwd", groups = folder + "/group";
  const auto is_private = [&](const char* more_users, const char* all_groups) {
    std::ofstream(users) << "alice:x:1000:1000::/:/bin/sh\n" << more_users;
    std::ofstream(groups) << all_groups;
    return private_by(users.c_str(), groups.c_str(), 1000, 1000);
  };
  EXPECT_TRUE(is_private("", "alice:x:1000:\n"));
  EXPECT_TRUE(is_private("bob:x:1001:1001::/:/bin/sh\n", "bob:x:1001:\nalice:x:1000:alice\n"));
  EXPECT_FALSE(is_private("", "alice:x:1000:bob\n")) << "a member";
  EXPECT_FALSE(is_private("bob:x:1001:1000::/:/bin/sh\n", "alice:x:1000:\n"))
      << "his processes begin with it";
  EXPECT_FALSE(is_private("", "alice:x:1000:\nstaff:x:1000:bob\n")) << "the same group by another name";
  EXPECT_FALSE(is_private("", "staff:x:1000:\n"));
  EXPECT_FALSE(is_private("", ""));
  std::filesystem::remove_all(folder);
}

TEST(Trust, AGroupCountsUnlessItIsPrivate) {
  EXPECT_TRUE(others_may_write({S_IFREG | 0664, 0, 0}, nobodys));
  EXPECT_FALSE(others_may_write({S_IFREG | 0664, 0, 0}, everybodys));
  EXPECT_TRUE(others_may_write({S_IFREG | 0666, 0, 0}, everybodys));
  EXPECT_FALSE(others_may_write({S_IFDIR | S_ISVTX | 0777, 0, 0}, nobodys));
}

TEST(Trust, TheFirstPlaceFromTheRootOnIsNamed) {
  std::string root = "/tmp/walkabout-trust-XXXXXX";
  ASSERT_NE(::mkdtemp(root.data()), nullptr);
  const std::string folder = root + "/bin", file = folder + "/program";
  std::filesystem::create_directory(folder);
  std::ofstream(file) << "x";
  for (const std::string& place : {root, folder, file}) ::chmod(place.c_str(), 0755);  // whatever the umask
  EXPECT_FALSE(find_distrusted(file, root, nobodys));
  ::chmod(file.c_str(), 0757);
  ::chmod(folder.c_str(), 0777);
  const auto found = find_distrusted(file, root, nobodys);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->place, folder);
  EXPECT_EQ(found->owner.mode & 07777, 0777u);
  EXPECT_FALSE(found->foreign);
  EXPECT_EQ(find_distrusted(root + "/missing", root, nobodys)->error, ENOENT);
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace walkabout::base
