#include "agent/linux/session/ancestors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace walkabout::agent {
namespace {

bool a_grandchild_finds(const std::string& name) {
  const pid_t child = ::fork();
  if (child == 0) {
    const pid_t grandchild = ::fork();
    if (grandchild == 0) ::_exit(an_ancestor_has(name) ? 0 : 1);
    int status = 0;
    ::waitpid(grandchild, &status, 0);
    ::_exit(WEXITSTATUS(status));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 0;
}

TEST(Ancestors, WhatOneOfThemHasMappedIsFound) {
  const std::string name = "ancestor-" + std::to_string(::getpid()) + ".so";
  const std::string path = ::testing::TempDir() + name;
  std::ofstream(path) << "something";
  EXPECT_FALSE(a_grandchild_finds(name)) << "not mapped yet";
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  void* mapped = ::mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_TRUE(a_grandchild_finds(name));
  EXPECT_FALSE(a_grandchild_finds("cestor-" + std::to_string(::getpid()) + ".so")) << "the whole name counts";
  EXPECT_FALSE(an_ancestor_has(name)) << "of itself nothing is asked";
  ::munmap(mapped, 4096);
  ::close(file);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace walkabout::agent
