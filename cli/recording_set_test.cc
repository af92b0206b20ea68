#include "cli/recording_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/test_report.h"
#include "profile/build/load.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class RecordingSet : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_);
    testing::write_recording(at("0.walk"), testing::small_stream());
    testing::write_recording(at("1.walk"), testing::small_stream());
    from_.is_index = true;
    from_.files = {{at("0.walk"), 77, "dotnet demo.dll"}, {at("1.walk"), 78, "child"}};
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  static base::Status copy(const std::string& from, const std::string& to) {
    std::error_code error;
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    return error ? base::Status::error(error.message()) : base::Status();
  }

  const std::string folder_ = ::testing::TempDir() + "recording_set-" + std::to_string(::getpid());
  RecordingFiles from_;
};

TEST_F(RecordingSet, IsReadAsOneProfile) {
  from_.missed = {{5, "old.dll", "its runtime is too old"}};
  ASSERT_TRUE(write_recording_set(at("app.walk"), from_, copy).ok());
  EXPECT_TRUE(fs::exists(at("app.walk.d/77.walk")));
  const auto both = profile::load(at("app.walk"), {});
  ASSERT_TRUE(both.ok()) << both.message();
  const auto one = profile::load(at("0.walk"), {});
  EXPECT_EQ(both->total_weight, 2 * one->total_weight);
  EXPECT_THAT(both->messages.back().text,
              HasSubstr("old.dll (pid 5) was not recorded: its runtime is too old"));
}

TEST_F(RecordingSet, OneProcessCanBeChosen) {
  ASSERT_TRUE(write_recording_set(at("app.walk"), from_, copy).ok());
  const auto one = profile::load(at("app.walk"), {}, 77);
  ASSERT_TRUE(one.ok()) << one.message();
  EXPECT_EQ(one->session.pid, 77u);
  EXPECT_THAT(profile::load(at("app.walk"), {}, 5).message(),
              HasSubstr("has no process 5, but 77 (dotnet demo.dll), 78 (child)"));
  const auto files = recordings_of(at("app.walk"), 78);
  ASSERT_TRUE(files.ok());
  ASSERT_EQ(files->files.size(), 1u);
  EXPECT_EQ(files->files[0].title(), "child (pid 78)");
}

TEST_F(RecordingSet, WhatIsMissingIsReported) {
  ASSERT_TRUE(write_recording_set(at("app.walk"), from_, copy).ok());
  fs::remove(at("app.walk.d/78.walk"));
  const auto rest = profile::load(at("app.walk"), {});
  ASSERT_TRUE(rest.ok()) << rest.message();
  EXPECT_THAT(rest->damage, HasSubstr("child (pid 78): cannot open"));
}

TEST_F(RecordingSet, TwoRecordingsOfOnePidHaveFilesOfTheirOwn) {
  from_.files[1].pid = 77;
  ASSERT_TRUE(write_recording_set(at("app.walk"), from_, copy).ok());
  EXPECT_TRUE(fs::exists(at("app.walk.d/77-2.walk")));
}

TEST_F(RecordingSet, FilesOfTheOneBeforeGo) {
  ASSERT_TRUE(write_recording_set(at("app.walk"), from_, copy).ok());
  from_.files.pop_back();
  from_.files.push_back({at("1.walk"), 90, "another"});
  ASSERT_TRUE(write_recording_set(at("app.walk"), from_, copy).ok());
  EXPECT_FALSE(fs::exists(at("app.walk.d/78.walk")));
  EXPECT_TRUE(fs::exists(at("app.walk.d/90.walk")));
  remove_recording_set(at("app.walk"), *recording::read_index(at("app.walk")));
  EXPECT_FALSE(fs::exists(at("app.walk.d")));
}

// Broken by opening it: that waits until somebody writes.
TEST_F(RecordingSet, APipeHoldsNoIndex) {
  ASSERT_EQ(::mkfifo(at("app.walk").c_str(), 0600), 0);
  EXPECT_FALSE(index_before(at("app.walk")).ok());
}

TEST_F(RecordingSet, AnErrorLeavesNoIndex) {
  const auto fails = [](const std::string&, const std::string& to) {
    return base::Status::error("no room for " + to);
  };
  EXPECT_THAT(write_recording_set(at("app.walk"), from_, fails).message(), HasSubstr("no room for"));
  EXPECT_FALSE(fs::exists(at("app.walk")));
}

TEST_F(RecordingSet, AnIndexBesideItsFilesIsForTheSessionsFolder) {
  ASSERT_TRUE(write_index_here(at("all.walk"), from_).ok());
  EXPECT_TRUE(profile::load(at("all.walk"), {}).ok());
}

}  // namespace
}  // namespace walkabout::cli
