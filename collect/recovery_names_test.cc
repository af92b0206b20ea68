// Code that the stream had not declared: by the agent's notes, and by the files of images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <vector>

#include "collect/test_recovery.h"
#include "precompiled/test_image.h"

namespace walkabout::cli {
namespace {

using testing::CodeId;
using testing::Frame;
using testing::FrameKind;
using ::testing::HasSubstr;
using testing::kMain;
using testing::kNamed;
using testing::kStart;
using testing::kUndeclared;
using RecoveryNames = testing::RecoveryFixture;

std::string note_of(CodeId code, const std::string& method) {
  std::string records;
  wire::encode(wire::Method{base::MethodId(1), "Demo", method, "", "", 0}, records);
  wire::encode(wire::JitCode{code, base::MethodId(1), wire::Tier::kTier0, 0x1000, 0x100, 0}, records);
  return records;
}

TEST_F(RecoveryNames, NotesNameWhatTheStreamHadNotDeclared) {
  rings_.arm(3, 7, 70);
  rings_.note(note_of(CodeId(2), "SaidAlready"));
  rings_.note(note_of(CodeId(3), "Compiled"));
  rings_.note(note_of(CodeId(9), "NeverSampled"));
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(3, kStart + ms * 1'000'000, {kUndeclared, kNamed, kMain});
  ASSERT_TRUE(recover().ok());
  ASSERT_EQ(methods_.size(), 1u);
  EXPECT_EQ(methods_[0].method, "Compiled");
  EXPECT_TRUE(has_name(kUndeclared));
  EXPECT_THAT(message_, ::testing::Not(HasSubstr("named")));
}

// Of code that no image's method is at, that there is some is all that is known.
TEST_F(RecoveryNames, FilesNameReadyToRunCode) {
  const std::string path = ::testing::TempDir() + "recovery_test." + std::to_string(::getpid()) + ".dll";
  const std::vector<uint8_t> bytes = precompiled::testing::TestImage().bytes;
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  const auto image = precompiled::PeFile::read(bytes);
  wire::Module module{CodeId(4), wire::ModuleKind::kReadyToRun, path, "", 0, image->image_size(), 0};
  module.build_id = image->identity();
  session.runtime = ".NET 10.0.12";
  std::string note;
  wire::encode(module, note);
  rings_.note(note);
  rings_.arm(3, 7, 70);
  const Frame run = Frame::in_code(FrameKind::kReadyToRun, CodeId(4), precompiled::testing::kCode + 4);
  const Frame nothing = Frame::in_code(FrameKind::kReadyToRun, CodeId(4), 0x10);
  for (const uint64_t ms : {1, 2, 3, 4}) rings_.sample(3, kStart + ms * 1'000'000, {run, kMain});
  rings_.sample(3, kStart + 5'000'000, {nothing});
  ASSERT_TRUE(recover().ok());
  std::filesystem::remove(path);
  ASSERT_EQ(methods_.size(), 1u);
  EXPECT_EQ(methods_[0].type + "." + methods_[0].method, "N.Plain.Run");
  EXPECT_TRUE(has_name(run));
  EXPECT_FALSE(has_name(nothing));
  EXPECT_THAT(message_, HasSubstr("1 frame in code that had not been named yet"));
}

TEST_F(RecoveryNames, NotesThatGaveWayAreCounted) {
  rings_.arm(3, 7, 70);
  rings_.notes()->lost = 5;
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(3, kStart + ms * 1'000'000, {kUndeclared});
  ASSERT_TRUE(recover().ok());
  EXPECT_THAT(message_,
              HasSubstr("1 frame in code that had not been named yet (5 names had given way to newer ones)"));
}

TEST_F(RecoveryNames, NotesThatMakeNoSenseNameNothing) {
  rings_.arm(3, 7, 70);
  rings_.note(note_of(CodeId(3), "Compiled"));
  rings_.notes()->begin = 3;  // in the middle of an entry
  for (const uint64_t ms : {1, 2, 3}) rings_.sample(3, kStart + ms * 1'000'000, {kUndeclared});
  ASSERT_TRUE(recover().ok());
  EXPECT_TRUE(methods_.empty());
  rings_.notes()->begin = 1u << 30;
  EXPECT_TRUE(recover().ok());
}

}  // namespace
}  // namespace walkabout::cli
