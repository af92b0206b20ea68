#include "agent/core/code_notes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <vector>

#include "agent/linux/ring_memory.h"

namespace walkabout::agent {
namespace {

class CodeNotesTest : public ::testing::Test {
 protected:
  CodeNotesTest() {
    EXPECT_TRUE(rings_.map(4096, 1).ok());
    notes_.begin(rings_);
  }
  const wire::NotesHeader& header() const { return *reinterpret_cast<wire::NotesHeader*>(rings_.notes()); }
  char byte(uint64_t at) const {
    return static_cast<char>(rings_.notes()[wire::kSlotHeaderSize + at % wire::kNotesSize]);
  }
  std::vector<std::string> entries() const {
    std::vector<std::string> all;
    for (uint64_t at = header().begin; at < header().end;) {
      char bytes[sizeof(uint32_t)];
      for (char& b : bytes) b = byte(at++);
      uint32_t size = 0;
      std::memcpy(&size, bytes, sizeof size);
      std::string entry;
      for (uint32_t i = 0; i < size; ++i) entry += byte(at++);
      all.push_back(entry);
    }
    return all;
  }

  DescriptorHost host_;
  RingMemory rings_{host_};
  CodeNotes notes_;
};

TEST_F(CodeNotesTest, EntriesLieOneBehindTheOther) {
  notes_.add("one");
  notes_.add("");
  notes_.add("twotwo");
  EXPECT_EQ(entries(), (std::vector<std::string>{"one", "twotwo"}));
  EXPECT_EQ(header().lost, 0u);
}

TEST_F(CodeNotesTest, TheOldestGiveWay) {
  const uint32_t size = 40'001, count = 3 * wire::kNotesSize / size;
  for (uint32_t i = 0; i < count; ++i) notes_.add(std::string(size, static_cast<char>('a' + i % 26)));
  const std::vector<std::string> left = entries();
  ASSERT_GE(left.size(), wire::kNotesSize / (size + 4) - 1);
  EXPECT_EQ(header().lost + left.size(), count);
  for (size_t i = 0; i < left.size(); ++i)
    EXPECT_EQ(left[i], std::string(size, static_cast<char>('a' + (count - left.size() + i) % 26)));
}

TEST_F(CodeNotesTest, WhatIsTooLongIsCounted) {
  notes_.add(std::string(wire::kLongestNote + 1, 'x'));
  notes_.add("y");
  EXPECT_EQ(entries(), (std::vector<std::string>{"y"}));
  EXPECT_EQ(header().lost, 1u);
}

TEST_F(CodeNotesTest, AForkedChildWritesNothing) {
  notes_.add("one");
  const pid_t child = ::fork();
  if (child == 0) {
    notes_.add("of the child");
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  notes_.add("two");
  EXPECT_EQ(entries(), (std::vector<std::string>{"one", "two"}));
}

TEST(CodeNotes, WithoutMemoryNothingIsWritten) {
  CodeNotes notes;
  notes.add("one");
  EXPECT_FALSE(notes.begun());
}

}  // namespace
}  // namespace walkabout::agent
