#include "collect/noted_texts.h"

#include <gtest/gtest.h>

#include <cstring>

#include "wire/encode.h"
#include "wire/text_note.h"

namespace walkabout::cli {
namespace {

using base::TextId;

std::string entry(uint32_t id, std::u16string_view text, bool cut = false,
                  uint64_t state = wire::TextNote::kWritten) {
  const wire::TextNote note{TextId(id), static_cast<uint32_t>(text.size() * sizeof(char16_t)), cut, false};
  const uint64_t head = note.head() | state;
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(text.data()), note.size);
  bytes.resize(note.entry_size(), '\0');
  return bytes;
}

// The record, or nothing.
std::string declared(NotedTexts& texts, uint32_t id, bool message = false) {
  std::string out;
  return texts.declare(TextId(id), message, &out) ? out : "none";
}

std::string encoded(const wire::Text& text) {
  std::string out;
  wire::encode(text, out);
  return out;
}

TEST(NotedTexts, EachOnceAndAsItsLabelHasIt) {
  NotedTexts texts(entry(1, u"Größe") + entry(99'999, u"no more", true));
  EXPECT_EQ(declared(texts, 1), encoded({TextId(1), "Größe", {}}));
  EXPECT_EQ(declared(texts, 1), "");
  EXPECT_EQ(declared(texts, 99'999, true), encoded({TextId(99'999), {}, "no more..."}));
  EXPECT_EQ(declared(texts, 2), "none");
}

// Their threads died, before the head was there or before the text was; or the head came behind the reader.
TEST(NotedTexts, WhatIsNotWholeIsSkipped) {
  std::string headless = entry(4, u"a text whose head is not there yet, or never");
  headless.replace(0, sizeof(uint64_t), sizeof(uint64_t), '\0');
  NotedTexts texts(entry(1, u"one") + std::string(24, '\0') + entry(2, u"half of it", false, 0) + headless +
                   entry(3, u"three"));
  EXPECT_NE(declared(texts, 1), "none");
  EXPECT_EQ(declared(texts, 2), "none");
  EXPECT_NE(declared(texts, 3), "none");
}

// A label that is damaged must not show the program's data as a name: --redact leaves messages out.
TEST(NotedTexts, AMessageIsOneWhateverItsLabelSays) {
  const std::u16string_view text = u"secret";
  const wire::TextNote note{TextId(1), static_cast<uint32_t>(text.size() * sizeof(char16_t)), false, true};
  std::string bytes = entry(1, text);
  const uint64_t head = note.head() | wire::TextNote::kWritten;
  std::memcpy(bytes.data(), &head, sizeof head);
  NotedTexts texts(bytes);
  EXPECT_EQ(declared(texts, 1, false), encoded({TextId(1), {}, "secret"}));
}

TEST(NotedTexts, IdsThatNobodyHasAreNoHeads) {
  NotedTexts texts(entry(wire::kTextIds, u"none") + entry(0, u"none") + entry(5, u"five"));
  EXPECT_EQ(declared(texts, wire::kTextIds), "none");
  EXPECT_NE(declared(texts, 5), "none");
}

TEST(NotedTexts, CutAtEveryByte) {
  const std::string all = entry(1, u"first") + entry(2, u"second");
  for (size_t size = 0; size <= all.size(); ++size) {
    NotedTexts texts(std::string_view(all).substr(0, size));
    EXPECT_EQ(declared(texts, 1) != "none", size >= entry(1, u"first").size());
    EXPECT_EQ(declared(texts, 2) != "none", size == all.size());
  }
}

}  // namespace
}  // namespace walkabout::cli
