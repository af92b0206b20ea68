#include "agent/core/text_table.h"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace walkabout::agent {
namespace {

std::span<const uint8_t> bytes_of(std::u16string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size() * sizeof(char16_t)};
}

TEST(TextTable, ATextHasOneIdAndComesBack) {
  TextTable table;
  const base::TextId id = table.id_of(bytes_of(u"System.Größe"));
  ASSERT_TRUE(id.valid());
  EXPECT_EQ(table.id_of(bytes_of(u"System.Größe")), id);
  EXPECT_NE(table.id_of(bytes_of(u"System.String")), id);
  EXPECT_EQ(table.text(id), "System.Größe");
}

TEST(TextTable, NothingHasNoId) {
  TextTable table;
  EXPECT_FALSE(table.id_of({}).valid());
  EXPECT_EQ(table.text({}), "");
  EXPECT_EQ(table.text(base::TextId(7)), "");
  EXPECT_EQ(table.text(base::TextId(UINT32_MAX)), "");
}

TEST(TextTable, ALongTextIsCutAndSaysSo) {
  TextTable table;
  const std::u16string text(1000, u'x');
  EXPECT_EQ(table.text(table.id_of(bytes_of(text))), std::string(TextTable::kLongestBytes / 2, 'x') + "...");
}

TEST(TextTable, AFullTableKeepsWhatItHas) {
  TextTable table;
  const base::TextId first = table.id_of(bytes_of(u"first"));
  std::set<uint32_t> ids;
  for (uint32_t i = 0; i < 2 * TextTable::kMostTexts; ++i) {
    const std::u16string text = {u'n', static_cast<char16_t>(1 + i % 60'000),
                                 static_cast<char16_t>(1 + i / 60'000)};
    if (const base::TextId id = table.id_of(bytes_of(text)); id.valid()) ids.insert(id.value);
  }
  EXPECT_EQ(ids.size(), TextTable::kMostTexts - 1);
  EXPECT_EQ(table.refused(), TextTable::kMostTexts + 1);
  EXPECT_EQ(table.id_of(bytes_of(u"first")), first);
  EXPECT_EQ(table.text(first), "first");
}

// Broken by one id for both: --redact would leave the name out.
TEST(TextTable, AMessageIsAnotherTextThanANameThatReadsTheSame) {
  TextTable table;
  const base::TextId name = table.id_of(bytes_of(u"System.String"));
  const base::TextId message = table.id_of_message(bytes_of(u"System.String"));
  EXPECT_NE(name, message);
  EXPECT_EQ(table.text(message), "System.String");
  EXPECT_EQ(table.id_of_many(bytes_of(u"System.String")), name);
}

TEST(TextTable, AMethodIsJoinedOfItsTypeAndName) {
  TextTable table;
  const base::TextId method = table.id_of_many(bytes_of(u"Ns.Type"), bytes_of(u"Run"));
  EXPECT_EQ(table.text(method), "Ns.Type.Run");
  EXPECT_EQ(table.id_of_many(bytes_of(u"Ns.Type"), bytes_of(u"Run")), method);
  EXPECT_NE(table.id_of_many(bytes_of(u"Ns.Type"), bytes_of(u"Ran")), method);
  EXPECT_NE(table.id_of_many(bytes_of(u"Ns.Typo"), bytes_of(u"Run")), method);
  EXPECT_EQ(table.text(table.id_of_many({}, bytes_of(u"Global"))), "Global");
  EXPECT_EQ(table.id_of_many(bytes_of(u"Global")), table.id_of_many({}, bytes_of(u"Global")));
  EXPECT_FALSE(table.id_of_many({}, {}).valid());
  constexpr size_t kUnits = TextTable::kLongestBytes / sizeof(char16_t);
  const std::u16string longest(kUnits - 2, u'T'), longer(kUnits - 1, u'T'), alone(kUnits, u'T');
  EXPECT_EQ(table.text(table.id_of_many(bytes_of(longest), bytes_of(u"m"))),
            std::string(kUnits - 2, 'T') + ".m");
  EXPECT_EQ(table.text(table.id_of_many(bytes_of(longer), bytes_of(u"m"))),
            std::string(kUnits - 1, 'T') + "....");
  EXPECT_EQ(table.text(table.id_of_many(bytes_of(alone), bytes_of(u"m"))), std::string(kUnits, 'T') + "...");
}

TEST(TextTable, ManyMessagesLeaveRoomForNames) {
  TextTable table;
  for (uint32_t i = 0; i < 2 * TextTable::kMostTexts; ++i) {
    const std::u16string text = {u'm', static_cast<char16_t>(1 + i % 60'000),
                                 static_cast<char16_t>(1 + i / 60'000)};
    table.id_of_message(bytes_of(text));
  }
  EXPECT_GT(table.refused(), TextTable::kMostTexts);
  EXPECT_TRUE(table.id_of(bytes_of(u"a new type")).valid());
  EXPECT_FALSE(table.id_of_many(bytes_of(u"a new method")).valid());
}

TEST(TextTable, ManyThreadsMeetTheSameTexts) {
  TextTable table;
  constexpr size_t kTexts = 2000;
  std::vector<std::vector<base::TextId>> ids(4);
  std::vector<std::thread> threads;
  threads.reserve(ids.size());
  for (auto& mine : ids) {
    threads.emplace_back([&table, &mine] {
      for (size_t i = 0; i < kTexts; ++i)
        mine.push_back(table.id_of(bytes_of(std::u16string{u't', static_cast<char16_t>(1 + i)})));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : ids) EXPECT_EQ(mine, ids[0]);
  EXPECT_EQ(std::set<base::TextId>(ids[0].begin(), ids[0].end()).size(), kTexts);
  EXPECT_EQ(table.text(ids[0][64]), "tA");
}

}  // namespace
}  // namespace walkabout::agent
