#include "agent/linux/cover/counts_file.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "agent/linux/cover/cover_options.h"

namespace walkabout::agent {
namespace {

class CountsFileTest : public ::testing::Test {
 protected:
  CountsFileTest() {
    std::string made = ::testing::TempDir() + "counts-XXXXXX";
    folder_ = ::mkdtemp(made.data());
  }
  ~CountsFileTest() override { std::filesystem::remove_all(folder_); }

  // Of the one file in the folder.
  std::vector<uint8_t> bytes() const {
    const std::filesystem::directory_iterator first(folder_);
    std::ifstream in(first->path(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  std::string folder_;
  DescriptorHost host_;
};

TEST_F(CountsFileTest, WhatProbesWriteIsInTheFile) {
  CountsFile file(host_);
  ASSERT_TRUE(file.create(folder_, 1).ok());
  const std::vector<uint8_t> version(16, 7);
  const uint32_t module = file.add_module("/app/shop.dll", version, 9);
  ASSERT_NE(module, 0u);
  uint8_t* const probes = file.add_method(module, 0x06000001, 9, 3).counts;
  ASSERT_NE(probes, nullptr);
  probes[1] = 1;
  file.add_left_alone(module, 0x06000002, 4);
  const std::vector<uint8_t> all = bytes();
  wire::CoverHead head;
  std::memcpy(static_cast<void*>(&head), all.data(), sizeof head);
  EXPECT_EQ(head.magic, wire::kCoverMagic);
  EXPECT_EQ(head.pid, static_cast<uint32_t>(::getpid()));
  size_t at = sizeof head;
  wire::CoverModule first;
  std::memcpy(&first, all.data() + at, sizeof first);
  EXPECT_EQ(std::string(all.begin() + static_cast<ptrdiff_t>(at + sizeof first),
                        all.begin() + static_cast<ptrdiff_t>(at + sizeof first + first.path_size)),
            "/app/shop.dll");
  at += first.record.size;
  wire::CoverMethod method;
  std::memcpy(&method, all.data() + at, sizeof method);
  EXPECT_EQ(method.probes, 3u);
  EXPECT_EQ(all[at + sizeof method + 1], 1);
  at += method.record.size + sizeof(wire::CoverLeftAlone);
  EXPECT_EQ(head.used.load(), at);
}

TEST_F(CountsFileTest, GrowsUntilItMayNot) {
  CountsFile file(host_);
  ASSERT_TRUE(file.create(folder_, 8).ok());
  const uint32_t module = file.add_module("/app/shop.dll", {}, 20);
  constexpr uint32_t kProbes = 1 << 17;  // a mebibyte
  uint32_t methods = 0;
  for (uint8_t* at = file.add_method(module, 1, 0, kProbes).counts; at != nullptr;
       at = file.add_method(module, 1, 0, kProbes).counts) {
    at[size_t{kProbes} * 8 - 1] = 1;
    ++methods;
  }
  EXPECT_GT(methods, 100u);
  EXPECT_LT(methods, 128u);
  EXPECT_EQ(file.add_method(module, 0x06000012, 0, kProbes).counts, nullptr);
  EXPECT_EQ(file.add_method(module, 0x06000099, 0, kProbes).counts, nullptr) << "it has no such method";
  const std::vector<uint8_t> all = bytes();
  wire::CoverModule first;
  std::memcpy(&first, all.data() + sizeof(wire::CoverHead), sizeof first);
  const size_t bits = sizeof(wire::CoverHead) + sizeof first + first.path_size;
  EXPECT_EQ(first.methods, 20u);
  EXPECT_EQ(all[bits], 1) << "the first, for which there was no room in the end";
  EXPECT_EQ(all[bits + 2], 2) << "the eighteenth";
}

TEST_F(CountsFileTest, ProcessesOfOneNumberHaveFilesOfTheirOwn) {
  CountsFile one(host_), two(host_);
  EXPECT_TRUE(one.create(folder_, 1).ok());
  EXPECT_TRUE(two.create(folder_, 1).ok());
  EXPECT_FALSE(CountsFile(host_).create(folder_ + "/gone", 1).ok());
}

TEST(CoverOptions, AreOfTheEnvironment) {
  ::unsetenv("WALKABOUT_COVER");
  EXPECT_FALSE(cover_options().has_value());
  ::setenv("WALKABOUT_COVER", "/tmp/x", 1);
  ::setenv("WALKABOUT_COVER_INCLUDE", "A.*;;B", 1);
  const auto options = cover_options();
  ASSERT_TRUE(options.has_value());
  EXPECT_EQ(options->folder, "/tmp/x");
  EXPECT_EQ(options->include, (std::vector<std::string>{"A.*", "B"}));
  EXPECT_TRUE(options->exclude.empty());
  EXPECT_FALSE(options->counts);
  ::setenv("WALKABOUT_SOCKET", "/tmp/s", 1);
  EXPECT_FALSE(cover_options().has_value()) << "it is to be recorded";
  for (const char* name : {"WALKABOUT_COVER", "WALKABOUT_COVER_INCLUDE", "WALKABOUT_SOCKET"})
    ::unsetenv(name);
}

}  // namespace
}  // namespace walkabout::agent
