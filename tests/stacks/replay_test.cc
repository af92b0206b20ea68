// Every recorded stack, walked again without a CLR: with call frame information interpreted and compiled,
// without and with a memo. See format.md for where the expectations come from.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/stacks/check_stack.h"
#include "tests/stacks/situation.h"

namespace walkabout::stacks {
namespace {

// WALKABOUT_STACKS: another folder, of stacks just captured.
std::vector<std::filesystem::path> recorded_files() {
  const char* folder = std::getenv("WALKABOUT_STACKS");
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           folder != nullptr ? folder : WALKABOUT_SOURCE_DIR "/tests/stacks")) {
    if (entry.path().extension() == ".stacks") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

StackFile read(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  base::Result<StackFile> file = unpack({std::istreambuf_iterator<char>(in), {}});
  EXPECT_TRUE(file.ok()) << path << ": " << file.message();
  return file.ok() ? std::move(*file) : StackFile();
}

class Replay : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(Replay, EveryStackGivesTheFramesThatWereRight) {
  const StackFile file = read(GetParam());
  ASSERT_FALSE(file.stacks.empty());
  for (const Cfi cfi : {Cfi::kInterpreted, Cfi::kCompiled}) {
    const auto process = RecordedProcess::load(file, cfi);
    ASSERT_TRUE(process.ok()) << process.message();
    const unwind::MappedMemo memo = unwind::map_memo();
    for (size_t i = 0; i < file.stacks.size(); ++i) {
      EXPECT_EQ(check_stack(**process, file.stacks[i], memo.get()), "")
          << "stack " << i << ", " << (cfi == Cfi::kCompiled ? "compiled: " : "interpreted: ")
          << file.stacks[i].situation;
    }
  }
}

TEST_P(Replay, WhatAFileHasOfItsStacksIsSo) {
  const StackFile file = read(GetParam());
  const auto process = RecordedProcess::load(file, Cfi::kInterpreted);
  ASSERT_TRUE(process.ok()) << process.message();
  for (const RecordedStack& stack : file.stacks) {
    EXPECT_FALSE(stack.judge.empty());
    EXPECT_EQ(stack.end, wire::WalkEnd::kRooted);
    if (stack.frames.empty()) continue;
    EXPECT_EQ(situation_of(**process, stack, stack.frames).text(), stack.situation);
  }
}

std::string test_name(const ::testing::TestParamInfo<std::filesystem::path>& info) {
  std::string name = info.param.stem();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Recorded, Replay, ::testing::ValuesIn(recorded_files()), test_name);

TEST(RecordedStacks, AreOfTwoHundredDifferentSituations) {
  std::set<std::string> situations;
  for (const std::filesystem::path& path : recorded_files()) {
    for (const RecordedStack& stack : read(path).stacks) {
      EXPECT_TRUE(situations.insert(stack.situation).second) << path << " repeats " << stack.situation;
    }
  }
  EXPECT_GE(situations.size(), 200u);
}

}  // namespace
}  // namespace walkabout::stacks
