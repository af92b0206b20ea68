#include "cover/count_reader.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cover/test_counts.h"

namespace walkabout::cover {
namespace {

using testing::MadeCounts;

TEST(CountReader, AddsUpWhatProcessesCounted) {
  Counted counted;
  MadeCounts first(1), second(1);
  first.module(1, "/app/shop.dll");
  first.method(1, 0x06000001, 7, {1, 0, 0});
  second.module(3, "/other/shop.dll");
  second.method(3, 0x06000001, 7, {0, 0, 1});
  second.method(3, 0x06000002, 8, {1});
  ASSERT_TRUE(read_counts(first.bytes(), &counted).ok());
  ASSERT_TRUE(read_counts(second.bytes(), &counted).ok());
  EXPECT_EQ(counted.processes, 2u);
  ASSERT_EQ(counted.modules.size(), 1u) << "one build";
  const CountedModule& module = counted.modules.begin()->second;
  EXPECT_EQ(module.path, "/app/shop.dll");
  EXPECT_EQ(module.methods.at(0x06000001).counts, (std::vector<uint64_t>{1, 0, 1}));
  EXPECT_EQ(module.methods.at(0x06000002).counts, (std::vector<uint64_t>{1}));
}

TEST(CountReader, CountsAreOfEightBytes) {
  Counted counted;
  MadeCounts made(8);
  made.module(1, "/app/shop.dll");
  made.method(1, 0x06000001, 7, {1000, 0});
  ASSERT_TRUE(read_counts(made.bytes(), &counted).ok());
  EXPECT_TRUE(counted.counts);
  EXPECT_EQ(counted.modules.begin()->second.methods.at(0x06000001).counts, (std::vector<uint64_t>{1000, 0}));
}

TEST(CountReader, WhatHasAnotherBodyIsNotAdded) {
  Counted counted;
  MadeCounts made(1);
  made.module(1, "/app/shop.dll");
  made.method(1, 0x06000001, 7, {1});
  made.method(1, 0x06000001, 9, {1});
  ASSERT_TRUE(read_counts(made.bytes(), &counted).ok());
  EXPECT_EQ(counted.contradicted, 1u);
}

TEST(CountReader, WhatWasNotPublishedIsNotThere) {
  MadeCounts made(1);
  made.module(1, "/app/shop.dll");
  made.method(1, 0x06000001, 7, {1});
  const std::vector<uint8_t> whole = made.bytes();
  for (size_t size = 0; size < whole.size(); ++size) {
    Counted counted;
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    if (read_counts(cut, &counted).ok()) {
      EXPECT_LE(counted.modules.size(), 1u);
      if (!counted.modules.empty()) {
        EXPECT_TRUE(counted.modules.begin()->second.methods.empty());
      }
    }
  }
}

TEST(CountReader, MethodsWithoutRoomAreNotOnesThatDidNotRun) {
  Counted counted;
  MadeCounts made(1);
  made.module(1, "/app/shop.dll", {0, 2});
  ASSERT_TRUE(read_counts(made.bytes(), &counted).ok());
  const CountedModule& module = counted.modules.begin()->second;
  EXPECT_EQ(module.left_alone, (std::map<uint32_t, uint32_t>{{0x0600000a, wire::kCoverNoRoom}}));
}

TEST(CountReader, WhatRanInTestsIsOfTheirProbes) {
  Counted counted;
  MadeCounts made(1);
  made.module(1, "/app/shop.dll");
  made.module(2, "/app/tests.dll", {}, wire::CoverKind::kTestModule);
  made.method(1, 0x06000001, 7, {1, 1, 1});
  made.method(1, 0x06000002, 8, std::vector<uint64_t>(wire::kCoverPageProbes, 1));
  made.test(2, 0x06000005, {1, 3, wire::kCoverPageProbes + 2});
  made.test(0, 0, {0});
  made.test(7, 0x06000009, {0});
  ASSERT_TRUE(read_counts(made.bytes(), &counted).ok());
  ASSERT_TRUE(read_counts(made.bytes(), &counted).ok()) << "another process with the same tests";
  ASSERT_EQ(counted.tests.size(), 2u) << "a test of no known assembly is none";
  EXPECT_EQ(counted.tests[0].path, "/app/tests.dll");
  EXPECT_EQ(counted.tests[1].version, "");
  const auto& methods = counted.modules.begin()->second.methods;
  using Ran = std::vector<uint8_t>;
  EXPECT_EQ(methods.at(0x06000001).in_tests, (std::map<uint32_t, Ran>{{0, {0, 1, 0}}, {1, {1, 0, 0}}}));
  Ran second(wire::kCoverPageProbes);
  second[0] = second[wire::kCoverPageProbes - 1] = 1;
  EXPECT_EQ(methods.at(0x06000002).in_tests, (std::map<uint32_t, Ran>{{0, second}}));
}

TEST(CountReader, AnEmptyFileIsOfAProcessThatFoundNoRoom) {
  Counted counted;
  EXPECT_TRUE(read_counts({}, &counted).ok());
  EXPECT_EQ(counted.without_file, 1u);
  EXPECT_EQ(counted.processes, 0u);
}

TEST(CountReader, OtherFilesAreNone) {
  Counted counted;
  EXPECT_FALSE(read_counts(std::vector<uint8_t>(100), &counted).ok());
  EXPECT_EQ(counted.processes, 0u);
}

}  // namespace
}  // namespace walkabout::cover
