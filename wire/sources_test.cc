#include "wire/sources.h"

#include <gtest/gtest.h>

#include <iterator>
#include <set>

#include "wire/records.h"

namespace walkabout::wire {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr SourceRow kTable[] = {{"cpu", base::SourceId(1), 0, 0, 0, "CPU time"},
                                {"wall", base::SourceId(2), 50 * kMs, kMs, 10'000 * kMs, "time"},
                                {"rare", base::SourceId(7), 100'000, 20'000, 3 * kMs, "odd"}};

TEST(Sources, TheTableHasEachIdAndNameOnce) {
  std::set<std::string_view> names;
  std::set<base::SourceId> ids;
  for (const SourceRow& row : kSources) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(ids.insert(row.id).second) << row.name;
    EXPECT_TRUE(row.id.valid() && row.id.value <= kMostSources) << row.name;
    if (row.most_ns != 0) {
      EXPECT_GT(row.least_ns, 0u) << row.name;
      EXPECT_LE(row.least_ns, row.usual_ns) << row.name;
      EXPECT_LE(row.usual_ns, row.most_ns) << row.name;
    }
  }
  EXPECT_EQ(source_id("cpu"), kCpuSource);
  EXPECT_LE(std::size(kCallbackParts), 32u);
  EXPECT_TRUE(parse_events(kUsualEvents).ok());
}

TEST(Sources, AListIsReadInTheOrderOfTheIds) {
  const auto events = parse_events("rare=2ms,wall,cpu", kTable);
  ASSERT_TRUE(events.ok()) << events.message();
  EXPECT_EQ(*events, (std::vector<SourceChoice>{
                         {kCpuSource, 0}, {base::SourceId(2), 50 * kMs}, {base::SourceId(7), 2 * kMs}}));
  EXPECT_TRUE(is_on(*events, kCpuSource));
  EXPECT_FALSE(is_on(*events, base::SourceId(3)));
  EXPECT_FALSE(is_on(*parse_events("wall=1ms", kTable), kCpuSource));
  EXPECT_EQ((*parse_events("wall=10s", kTable))[0].period_ns, 10'000 * kMs);
}

TEST(Sources, AllAndDefaultStandForSeveral) {
  EXPECT_EQ(*parse_events("all", kTable), *parse_events("cpu,wall,rare", kTable));
  EXPECT_EQ(*parse_events("default", kTable), *parse_events("cpu,wall", kTable));
  EXPECT_EQ(*parse_events("default,wall=2ms,rare", kTable), *parse_events("cpu,wall=2ms,rare", kTable));
  EXPECT_EQ(parse_events("all")->size(), std::size(kSources) - 3) << "without callbacks, async and call";
  EXPECT_EQ(parse_events("default")->size(), std::size(kDefaultEvents));
}

TEST(Sources, OneThatHasPartsIsMadeOfThoseThatAreNamed) {
  constexpr SourcePart kParts[] = {
      {"some", true, ""}, {"costly", false, "twice the time"}, {"more", true, ""}};
  const SourceRow table[] = {kTable[0], {"odd", base::SourceId(9), 0, 0, 0, "odd things", kParts}};
  const auto parts = [&](const char* list) { return parse_events(list, table)->front().parts; };
  EXPECT_EQ(parts("odd"), 0b101u);
  EXPECT_EQ(parts("odd=costly"), 0b10u);
  EXPECT_EQ(parts("odd=more+costly"), 0b110u);
  EXPECT_EQ(*parse_events("all", table), *parse_events("cpu", table));
  EXPECT_EQ(parse_events("all,odd", table)->size(), 2u);
  for (const char* wrong : {"odd=", "odd=none", "odd=some+", "odd=some+some", "odd=1ms"}) {
    const auto events = parse_events(wrong, table);
    ASSERT_FALSE(events.ok()) << wrong;
    EXPECT_EQ(
        events.message(),
        std::string(wrong) +
            " is not a list of its parts, each once, with + between; there are: cpu (CPU time), odd[=PART+…] "
            "(odd things; not of all; usual parts: some, more; others: costly (twice the time))");
  }
}

TEST(Sources, WhatIsWrongIsReportedWithWhatThereIs) {
  for (const char* wrong : {"", "cpu,", ",cpu", "gc", "cpu,cpu", "wall,wall=2ms", "cpu=1ms",
                            "wall=", "wall=fast", "wall=999us", "wall=11s", "wall=-5ms", "Cpu", " cpu"}) {
    const auto events = parse_events(wrong, kTable);
    ASSERT_FALSE(events.ok()) << wrong;
    EXPECT_TRUE(events.message().ends_with(
        "; there are: cpu (CPU time), wall[=PERIOD] (time, 1ms to 10s, 50ms if not named), "
        "rare[=PERIOD] (odd, 20us to 3ms, 100us if not named)"))
        << events.message();
  }
  EXPECT_EQ(parse_events("wall=11s", kTable)
                .message()
                .rfind("wall=11s is not a time like 50ms, from 1ms to 10s", 0),
            0u);
  EXPECT_EQ(parse_events("gc", kTable).message().rfind("no event is called 'gc'", 0), 0u);
}

}  // namespace
}  // namespace walkabout::wire
