#include "profile/query/headline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

using ::testing::ElementsAre;

DisplayFrame frame_called(const char* name, Kind kind, Origin origin) {
  DisplayFrame frame{name, name, "m", kind, true};
  frame.origin = origin;
  return frame;
}

class HeadlineTest : public ::testing::Test {
 protected:
  HeadlineTest() {
    p_.threads = {{"main", 1}};
    p_.frames = {frame_called("Mine", Kind::kManaged, Origin::kMine),
                 frame_called("System.Linq", Kind::kManaged, Origin::kFramework),
                 frame_called("CORINFO_HELP_NEWFAST", Kind::kRuntime, Origin::kFramework),
                 frame_called("memcpy", Kind::kNative, Origin::kFramework)};
    p_.nodes = {{0, 0}, {0, 0}, {1, 1}, {1, 2}, {1, 3}};
  }
  void sample(uint32_t node, uint64_t weight, Activity activity) {
    Sample s{0, weight, 0, node};
    s.activity = activity;
    p_.samples.push_back(s);
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> texts;
    for (const HeadlinePart& part : headline(p_, view_of(p_), activity_rows(p_, view_of(p_))))
      texts.push_back(part.what + " " + std::to_string(part.amount.weight));
    return texts;
  }

  Profile p_;
};

TEST_F(HeadlineTest, HasAllParts) {
  sample(1, 10, Activity::kManaged);
  sample(2, 20, Activity::kManaged);
  sample(3, 40, Activity::kRuntime);
  sample(4, 80, Activity::kNative);
  sample(3, 160, Activity::kJit);
  sample(3, 5, Activity::kGc);
  EXPECT_THAT(texts(), ElementsAre("your code 10", "framework 20", "JIT 160", "native code 80",
                                   "allocating 40", "GC 5"));
}

TEST_F(HeadlineTest, OfTheRuntimeAloneNothingMoreIsKnown) {
  p_.nodes.push_back({0, 2});
  sample(5, 40, Activity::kRuntime);
  EXPECT_THAT(texts(), ElementsAre("runtime 40"));
}

TEST_F(HeadlineTest, LittleWorkOfTheRuntimeIsWithTheRest) {
  p_.frames.push_back(frame_called("CORINFO_HELP_THROW", Kind::kRuntime, Origin::kFramework));
  p_.frames.push_back(frame_called("[libcoreclr.so]", Kind::kRuntime, Origin::kFramework));
  p_.nodes.push_back({1, 4});
  p_.nodes.push_back({1, 5});
  sample(1, 890, Activity::kManaged);
  sample(3, 10, Activity::kRuntime);
  sample(5, 9, Activity::kRuntime);
  sample(6, 91, Activity::kRuntime);
  EXPECT_THAT(texts(), ElementsAre("your code 890", "runtime, other 100", "allocating 10"));
}

TEST_F(HeadlineTest, EventsAreNoTime) {
  sample(1, 10, Activity::kManaged);
  wire::Source source;
  source.clock = static_cast<uint32_t>(wire::Clock::kEvent);
  source.values = {{"exceptions", "count", wire::Adding::kSum}};
  p_.sources = {source};
  EXPECT_THAT(texts(), ElementsAre());
}

}  // namespace
}  // namespace walkabout::profile
