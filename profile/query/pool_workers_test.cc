#include "profile/query/pool_workers.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace walkabout::profile {
namespace {

class PoolWorkersTest : public ::testing::Test {
 protected:
  PoolWorkersTest() {
    profile_.nodes = {{}};
    profile_.threads = {{"worker", 1}};
    profile_.duration_us = 1'000;
    wire::Source threads;
    threads.id = base::SourceId(9);
    threads.name = "threads";
    threads.values = {{"thread events", "count"}};
    threads.labels = {{"kind", static_cast<uint32_t>(wire::LabelType::kText)},
                      {"workers", static_cast<uint32_t>(wire::LabelType::kNumber)}};
    profile_.sources = {threads};
  }
  void add(uint64_t time_us, const std::string& kind, uint64_t workers,
           wire::WalkEnd end = wire::WalkEnd::kRooted, uint64_t events = 1) {
    profile_.texts.push_back(kind);
    profile_.label_sets.push_back({profile_.texts.size(), workers});
    Sample sample{time_us, events, 0, 0, end};
    sample.labels = static_cast<uint32_t>(profile_.label_sets.size() - 1);
    profile_.samples.push_back(sample);
  }
  PoolWorkers workers(uint64_t begin_us, uint64_t end_us) const {
    return pool_workers(profile_, begin_us, end_us).value_or(PoolWorkers());
  }
  static uint64_t added(const PoolWorkers& workers, const std::string& reason) {
    for (const PoolReason& one : workers.reasons) {
      if (one.name == reason) return one.added;
    }
    return 0;
  }

  Profile profile_;
};

TEST_F(PoolWorkersTest, CountsWorkersAsTheyBeginAndEnd) {
  add(100, "pool worker begins", 1);
  add(150, "pool worker begins", 2);
  add(450, "pool worker begins", 3);
  add(850, "pool worker ends", 2);
  const PoolWorkers w = workers(0, 1000);
  EXPECT_EQ(w.begin, 0u);
  EXPECT_EQ(w.most, 3u);
  EXPECT_EQ(w.end, 2u);
  EXPECT_EQ(w.begun, 3u);
  EXPECT_EQ(w.ended, 1u);
  ASSERT_EQ(w.parts.size(), kPoolParts);
  EXPECT_EQ(w.parts[0].most, 0u);
  EXPECT_EQ(w.parts[1].most, 2u);
  EXPECT_EQ(w.parts[3].most, 2u);
  EXPECT_EQ(w.parts[4].most, 3u);
  EXPECT_EQ(w.parts[8].most, 3u) << "three until one ended";
  EXPECT_EQ(w.parts[9].most, 2u);
}

TEST_F(PoolWorkersTest, ThoseThatWereThereBefore) {
  add(100, "pool worker begins", 7);
  add(700, "pool worker begins", 8);
  const PoolWorkers w = workers(500, 1000);
  EXPECT_EQ(w.begin, 7u);
  EXPECT_EQ(w.most, 8u);
  EXPECT_EQ(w.begun, 1u);
}

TEST_F(PoolWorkersTest, AfterAnAttachTheirNumberIsNotKnownBeforeOneBeginsOrEnds) {
  profile_.session.attached = true;
  add(500, "pool worker begins", 7);
  const PoolWorkers w = workers(0, 1000);
  EXPECT_FALSE(w.begin.has_value());
  EXPECT_EQ(w.most, 7u);
  EXPECT_FALSE(w.parts[0].most.has_value());
  EXPECT_EQ(w.parts[5].most, 7u);
  EXPECT_FALSE(workers(0, 400).most.has_value());
}

TEST_F(PoolWorkersTest, WhyTheirNumberChanges) {
  add(100, "pool adjusted: climbing", 4);
  add(200, "pool adjusted: starvation", 9);  // four were to run, eight did
  add(300, "pool adjusted: blocked workers", 12);
  add(400, "pool adjusted: blocked workers", 10);
  add(500, "pool adjusted: blocked workers", 11);
  const PoolWorkers w = workers(0, 1000);
  ASSERT_EQ(w.reasons.size(), 3u);
  EXPECT_EQ(added(w, "climbing"), 0u) << "how many there were before is not known";
  EXPECT_EQ(added(w, "starvation"), 1u) << "the pool adds one each time";
  EXPECT_EQ(added(w, "blocked workers"), 4u);
  EXPECT_EQ(w.reasons[2].removed, 2u);
  EXPECT_EQ(w.reasons[2].times, 3u);
  EXPECT_EQ(w.reasons[2].first_us, 300u);
  EXPECT_EQ(w.reasons[2].last_us, 500u);
  EXPECT_EQ(w.parts[2].added, 1u);
  EXPECT_EQ(w.parts[3].added, 3u);
  EXPECT_EQ(added(workers(350, 1000), "blocked workers"), 1u);
}

TEST_F(PoolWorkersTest, TheFirstForBlockedWorkersIsOneMoreWhereTheProgramBegins) {
  add(300, "pool adjusted: blocked workers", 3);
  EXPECT_EQ(added(workers(0, 1000), "blocked workers"), 1u);
  profile_.session.attached = true;
  EXPECT_EQ(added(workers(0, 1000), "blocked workers"), 0u) << "it may be for less";
}

TEST_F(PoolWorkersTest, SumsHaveNoOrder) {
  add(300, "pool worker begins", 3, wire::WalkEnd::kNotWalked, 2);
  const PoolWorkers w = workers(0, 1000);
  EXPECT_FALSE(w.end.has_value());
  EXPECT_EQ(w.most, 3u);
  EXPECT_EQ(w.begun, 2u);
  EXPECT_EQ(w.summed, 2u);
}

TEST_F(PoolWorkersTest, StarvedIsAPoolThatAddsWorkersForWorkThatWaits) {
  add(100, "pool adjusted: climbing", 4);
  EXPECT_FALSE(is_pool_starved(profile_));
  add(200, "pool adjusted: starvation", 5);
  EXPECT_TRUE(is_pool_starved(profile_));
  profile_.sources[0].name = "loads";
  EXPECT_FALSE(is_pool_starved(profile_));
  EXPECT_FALSE(pool_workers(profile_, 0, 1000).has_value());
}

}  // namespace
}  // namespace walkabout::profile
