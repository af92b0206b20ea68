#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <vector>

#include "cli/windows/access_rules.h"

namespace walkabout::cli {
namespace {

class Account {
 public:
  explicit Account(WELL_KNOWN_SID_TYPE type) : bytes_(SECURITY_MAX_SID_SIZE) {
    DWORD size = SECURITY_MAX_SID_SIZE;
    EXPECT_TRUE(::CreateWellKnownSid(type, nullptr, bytes_.data(), &size));
  }
  PSID sid() { return bytes_.data(); }

 private:
  std::vector<uint8_t> bytes_;
};

struct AccessRules : ::testing::Test {
  AccessRules() : memory(1024) {
    list = reinterpret_cast<PACL>(memory.data());
    EXPECT_TRUE(::InitializeAcl(list, 1024, ACL_REVISION));
  }
  void allow(Account& who, DWORD rights, DWORD flags = 0) {
    ASSERT_TRUE(::AddAccessAllowedAceEx(list, ACL_REVISION, flags, rights, who.sid()));
  }
  bool refused(Place place, Account* self = nullptr) {
    return find_stranger(list, place, self != nullptr ? self->sid() : nullptr) != nullptr;
  }

  std::vector<uint8_t> memory;
  PACL list = nullptr;
  Account users{WinBuiltinUsersSid}, everyone{WinWorldSid}, administrators{WinBuiltinAdministratorsSid},
      system{WinLocalSystemSid};
};

TEST_F(AccessRules, ReadingIsFineEverywhere) {
  allow(everyone, FILE_GENERIC_READ | FILE_GENERIC_EXECUTE);
  for (const Place place : {Place::kFile, Place::kFolder, Place::kAbove, Place::kRoot})
    EXPECT_FALSE(refused(place));
}

TEST_F(AccessRules, AdministratorsAndTheSystemMayDoAnything) {
  allow(administrators, FILE_ALL_ACCESS);
  allow(system, GENERIC_ALL);
  for (const Place place : {Place::kFile, Place::kFolder, Place::kAbove, Place::kRoot})
    EXPECT_FALSE(refused(place));
}

TEST_F(AccessRules, SoMayTheUser) {
  allow(users, FILE_ALL_ACCESS);
  EXPECT_TRUE(refused(Place::kFolder));
  EXPECT_FALSE(refused(Place::kFolder, &users));
}

// As everyone who has logged in may in the root of a Windows volume.
TEST_F(AccessRules, WhoMayOnlyAddAboveReplacesNothing) {
  allow(users, FILE_ADD_SUBDIRECTORY | FILE_ADD_FILE);
  EXPECT_FALSE(refused(Place::kAbove));
  EXPECT_FALSE(refused(Place::kRoot));
  EXPECT_TRUE(refused(Place::kFolder)) << "a file beside the library may be loaded with it";
}

TEST_F(AccessRules, WhoMayRenameAFolderAboveReplacesTheLibrary) {
  EXPECT_TRUE(may_replace(DELETE, Place::kAbove));
  EXPECT_TRUE(may_replace(FILE_DELETE_CHILD, Place::kAbove));
  EXPECT_TRUE(may_replace(FILE_DELETE_CHILD, Place::kRoot));
  EXPECT_FALSE(may_replace(DELETE, Place::kRoot)) << "a volume's root has no name to change";
  EXPECT_TRUE(may_replace(DELETE, Place::kFolder));
  EXPECT_TRUE(may_replace(DELETE, Place::kFile));
}

TEST_F(AccessRules, WhoMayGiveHimselfRightsHasThem) {
  for (const Place place : {Place::kFile, Place::kFolder, Place::kAbove, Place::kRoot}) {
    EXPECT_TRUE(may_replace(WRITE_DAC, place));
    EXPECT_TRUE(may_replace(WRITE_OWNER, place));
    EXPECT_TRUE(may_replace(GENERIC_ALL, place));
  }
}

TEST_F(AccessRules, WhatIsOnlyInheritedDoesNotCountHere) {
  allow(users, FILE_ALL_ACCESS, OBJECT_INHERIT_ACE | CONTAINER_INHERIT_ACE | INHERIT_ONLY_ACE);
  EXPECT_FALSE(refused(Place::kAbove));
  allow(users, FILE_ALL_ACCESS, OBJECT_INHERIT_ACE | CONTAINER_INHERIT_ACE);
  EXPECT_TRUE(refused(Place::kAbove));
}

TEST_F(AccessRules, AnEntryBehindOthersIsFound) {
  allow(administrators, FILE_ALL_ACCESS);
  allow(users, FILE_GENERIC_READ);
  allow(everyone, FILE_DELETE_CHILD);
  PSID who = find_stranger(list, Place::kAbove, nullptr);
  ASSERT_NE(who, nullptr);
  EXPECT_TRUE(::EqualSid(who, everyone.sid()));
}

TEST_F(AccessRules, AnEmptyListLetsNobodyIn) { EXPECT_FALSE(refused(Place::kFolder)); }

TEST(FoldersAbove, AreNamedUpToTheRoot) {
  using Folders = std::vector<std::wstring>;
  EXPECT_EQ(folders_above(L"C:\\tools\\walkabout\\walkabout.dll"),
            (Folders{L"C:\\tools\\walkabout", L"C:\\tools", L"C:\\"}));
  EXPECT_EQ(folders_above(L"C:\\walkabout.dll"), (Folders{L"C:\\"}));
  EXPECT_EQ(folders_above(L"\\\\server\\share\\tools\\walkabout.dll"),
            (Folders{L"\\\\server\\share\\tools", L"\\\\server\\share\\"}));
}

TEST(FoldersAbove, OfARootOrOfNoPathThereAreNone) {
  for (const wchar_t* path : {L"", L"C:\\", L"C:", L"walkabout.dll", L"tools\\walkabout.dll", L"\\tools\\x",
                              L"\\\\server", L"\\\\", L"\\\\\\x"})
    EXPECT_TRUE(folders_above(path).empty()) << path;
}

}  // namespace
}  // namespace walkabout::cli
