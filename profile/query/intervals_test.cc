#include "profile/query/intervals.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/query/filter.h"

namespace walkabout::profile {
namespace {

constexpr uint64_t kUs = 1000;

wire::Source event(uint32_t id, const std::string& name) {
  wire::Source source;
  source.id = base::SourceId(id);
  source.name = name;
  source.values = {{name + "s", "count", wire::Adding::kSum}, {"time", "nanoseconds", wire::Adding::kSum}};
  source.clock = static_cast<uint32_t>(wire::Clock::kEvent);
  return source;
}

// CPU time of two threads each 10 us; pauses on thread 0 until 40 (20 us) and until 90 (10 us); compiles on
// thread 1.
class Recorded {
 public:
  Recorded() {
    profile_.nodes = {{}};
    profile_.threads = {{"main", 1}, {"worker", 2}};
    profile_.sources = {wire::cpu_source({}), event(5, "gc"), event(6, "jit")};
    profile_.duration_us = 100;
    for (uint64_t at = 10; at <= 100; at += 10) {
      for (const uint32_t thread : {0u, 1u}) profile_.samples.push_back({at, 1, thread});
    }
    lasts(1, 0, 40, 20);
    lasts(1, 0, 90, 10);
  }
  void lasts(uint8_t source, uint32_t thread, uint64_t end_us, uint64_t own_us,
             wire::WalkEnd end = wire::WalkEnd::kRooted) {
    Sample sample{end_us, 1, thread};
    sample.source = source;
    sample.end = end;
    sample.more = static_cast<uint32_t>(profile_.more_values.size());
    profile_.more_values.push_back(own_us * kUs);
    profile_.samples.push_back(sample);
  }
  // "thread:time" of what is left.
  std::string left(const Filter& filter) const {
    const base::Result<Profile> p = filtered(profile_, filter);
    if (!p.ok()) return p.message();
    std::string out;
    for (const Sample& s : p->samples)
      out += (out.empty() ? "" : " ") + std::to_string(s.thread) + ":" + std::to_string(s.time_us);
    return out;
  }
  Profile& profile() { return profile_; }
  const Profile& profile() const { return profile_; }

 private:
  Profile profile_;
};

TEST(Intervals, APauseIsOneOfAllThreads) {
  EXPECT_EQ(Recorded().left({.during = {"gc"}}), "0:30 1:30 0:40 1:40 0:90 1:90");
  EXPECT_EQ(Recorded().left({.thread = "worker", .during = {"gc"}}), "1:30 1:40 1:90");
}

TEST(Intervals, WhatIsWithinAndWhatIsNotAreAll) {
  const Recorded recorded;
  const auto samples = [&](const Filter& filter) {
    return filtered(recorded.profile(), filter)->samples.size();
  };
  EXPECT_EQ(samples({.during = {"gc"}}) + samples({.not_during = {"gc"}}), samples({}));
  EXPECT_EQ(samples({.during = {"gc"}, .not_during = {"gc"}}), 0u);
}

// A method is compiled from 20 to 80 and another within it from 40 to 60: 40 and 20 us are their own.
TEST(Intervals, OneWithinAnother) {
  Recorded recorded;
  recorded.lasts(2, 1, 60, 20);
  recorded.lasts(2, 1, 80, 40);
  EXPECT_EQ(recorded.left({.during = {"jit"}}), "1:30 1:40 1:50 1:60 1:70 1:80");
  EXPECT_EQ(recorded.left({.during = {"jit", "gc"}}), "1:30 1:40");
}

TEST(Intervals, OneAfterAnother) {
  Recorded recorded;
  recorded.lasts(2, 1, 60, 20);
  recorded.lasts(2, 1, 80, 20);
  const auto jit = Intervals::of(recorded.profile(), "jit");
  ASSERT_TRUE(jit.ok());
  EXPECT_FALSE(jit->has(1, 40));
  EXPECT_TRUE(jit->has(1, 41));
  EXPECT_TRUE(jit->has(1, 61));
  EXPECT_FALSE(jit->has(1, 81));
  EXPECT_FALSE(jit->has(0, 50)) << "another thread's";
}

TEST(Intervals, WhatWasSummedHasNoMoment) {
  Recorded recorded;
  recorded.lasts(2, 1, 60, 30);
  recorded.lasts(2, 1, 70, 10, wire::WalkEnd::kNotWalked);
  const Filter filter{.event = "jit", .not_during = {"jit"}};
  const auto p = filtered(recorded.profile(), filter);
  ASSERT_TRUE(p.ok());
  EXPECT_TRUE(p->samples.empty());
  ASSERT_EQ(p->messages.size(), 2u);
  EXPECT_NE(p->messages[0].text.find("25% of the time of jit"), std::string::npos) << p->messages[0].text;
  EXPECT_NE(p->messages[1].text.find("not walked: 1;"), std::string::npos) << p->messages[1].text;
}

TEST(Intervals, OfWhatHasNone) {
  EXPECT_NE(Recorded()
                .left({.during = {"cpu"}})
                .find("no event with a begin and an end; the recording has gc, jit"),
            std::string::npos);
  EXPECT_NE(Recorded().left({.not_during = {"nothing"}}).find("'nothing' is no event"), std::string::npos);
  Recorded thinned;
  thinned.profile().thinned.span_us = 1000;
  EXPECT_NE(thinned.left({.during = {"gc"}}).find("put together"), std::string::npos);
}

}  // namespace
}  // namespace walkabout::profile
