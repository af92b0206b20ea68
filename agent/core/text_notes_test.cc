#include "agent/core/text_notes.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "agent/linux/ring_memory.h"

namespace walkabout::agent {
namespace {

using base::TextId;

class TextNotesTest : public ::testing::Test {
 protected:
  TextNotesTest() {
    EXPECT_TRUE(rings_.map(4096, 1).ok());
    notes_.begin(rings_);
  }
  wire::TextNotesHeader& header() { return *reinterpret_cast<wire::TextNotesHeader*>(rings_.text_notes()); }
  void add(TextNotes& notes, uint32_t id, std::string_view text, bool cut = false) {
    notes.add(TextId(id), {reinterpret_cast<const uint8_t*>(text.data()), text.size()}, cut, false);
  }
  // What is written, by its id; with three dots where it was cut.
  std::map<uint32_t, std::string> entries() {
    std::map<uint32_t, std::string> all;
    const uint8_t* bytes = rings_.text_notes() + wire::kSlotHeaderSize;
    for (uint64_t at = 0; at < header().used;) {
      uint64_t head = 0;
      std::memcpy(&head, bytes + at, sizeof head);
      const wire::TextNote note = wire::TextNote::of(head);
      EXPECT_TRUE(wire::TextNote::is_head(head));
      EXPECT_NE(head & wire::TextNote::kWritten, 0u);
      const std::string text(reinterpret_cast<const char*>(bytes + at + sizeof head), note.size);
      all[note.id.value] = text + (note.cut ? "..." : "");
      at += note.entry_size();
    }
    return all;
  }

  DescriptorHost host_;
  RingMemory rings_{host_};
  TextNotes notes_;
};

TEST_F(TextNotesTest, EntriesLieOneBehindTheOther) {
  add(notes_, 1, "one");
  add(notes_, 2, "");
  add(notes_, 70'000, "seventy thousand", true);
  EXPECT_EQ(entries(), (std::map<uint32_t, std::string>{{1, "one"}, {70'000, "seventy thousand..."}}));
  EXPECT_EQ(header().lost, 0u);
}

TEST_F(TextNotesTest, WhatHasNoRoomIsCountedUntilThereIsRoom) {
  const std::string text(1000, 't');
  const uint64_t entry = 1008, fits = TextNotes::kAhead / entry;
  for (uint32_t i = 1; i <= fits + 5; ++i) add(notes_, i, text);
  EXPECT_EQ(entries().size(), fits);
  EXPECT_EQ(header().lost, 5u);
  notes_.make_room();
  add(notes_, 9'999, text);
  EXPECT_EQ(entries().count(9'999), 1u);
}

TEST_F(TextNotesTest, TheyEndWithTheirMemory) {
  const std::string text(wire::TextNote::kLongest, 't');
  for (uint32_t i = 1; i <= 2 * wire::kTextNotesSize / text.size(); ++i) {
    add(notes_, i, text);
    notes_.make_room();
  }
  EXPECT_EQ(entries().size(), wire::kTextNotesSize / (8 + 0x8000));
  EXPECT_LE(header().used, wire::kTextNotesSize);
  EXPECT_EQ(header().backed, wire::kTextNotesSize);
}

TEST_F(TextNotesTest, WhatIsTooLongIsCounted) {
  add(notes_, 1, std::string(wire::TextNote::kLongest + 1, 'x'));
  EXPECT_EQ(header().lost, 1u);
  EXPECT_EQ(header().used, 0u);
}

TEST_F(TextNotesTest, ManyThreadsWrite) {
  constexpr uint32_t kEach = 1000;
  std::vector<std::thread> threads;
  for (uint32_t n = 0; n < 4; ++n) {
    threads.emplace_back([this, n] {
      for (uint32_t i = 1; i <= kEach; ++i) {
        const uint32_t id = n * kEach + i;
        add(notes_, id, std::to_string(id));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto all = entries();
  EXPECT_EQ(all.size(), 4 * kEach);
  for (const auto& [id, text] : all) EXPECT_EQ(text, std::to_string(id));
}

TEST_F(TextNotesTest, AForkedChildWritesNothing) {
  add(notes_, 1, "one");
  const pid_t child = ::fork();
  if (child == 0) {
    add(notes_, 2, "of the child");
    ::_exit(0);
  }
  ::waitpid(child, nullptr, 0);
  add(notes_, 3, "three");
  EXPECT_EQ(entries(), (std::map<uint32_t, std::string>{{1, "one"}, {3, "three"}}));
}

TEST(TextNotes, WithoutMemoryNothingIsWritten) {
  TextNotes notes;
  const uint8_t text[] = {'x', 0};
  notes.add(TextId(1), text, false, false);
  notes.make_room();
}

}  // namespace
}  // namespace walkabout::agent
