#include "base/trust.h"

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

TEST(PrivateGroup, IsTheOneThatFilesSay) {
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
