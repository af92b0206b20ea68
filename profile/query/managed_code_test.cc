#include "profile/query/managed_code.h"

#include <gtest/gtest.h>

#include "profile/query/view.h"

namespace walkabout::profile {
namespace {

DisplayFrame frame_of(const char* name, Kind kind, Origin origin) {
  DisplayFrame frame{name, name, "m", kind, true};
  frame.origin = origin;
  return frame;
}

TEST(ManagedCode, IsOfWhoseCodeRan) {
  Profile p;
  p.threads = {{"main", 1}};
  p.frames = {frame_of("Mine", Kind::kManaged, Origin::kMine),
              frame_of("System.Linq", Kind::kManaged, Origin::kFramework),
              frame_of("Builder.Start", Kind::kManaged, Origin::kAsync),
              frame_of("memcpy", Kind::kNative, Origin::kFramework),
              frame_of("[left out]", Kind::kOther, Origin::kMarker)};
  p.nodes = {{0, 0}, {0, 0}, {1, 1}, {2, 0}, {3, 2}, {3, 3}, {3, 4}, {0, 4}};
  const auto sample = [&p](uint32_t node, uint64_t weight, Activity activity) {
    Sample s{0, weight, 0, node};
    s.activity = activity;
    p.samples.push_back(s);
  };
  sample(1, 10, Activity::kManaged);
  sample(2, 20, Activity::kManaged);
  sample(3, 40, Activity::kManaged);
  sample(4, 80, Activity::kManaged);
  sample(5, 160, Activity::kNative);
  sample(6, 320, Activity::kManaged);  // below a marker, the program's
  sample(7, 640, Activity::kManaged);  // nobody's
  const ManagedCode code = managed_code(p, view_of(p), activity_rows(p, view_of(p)));
  EXPECT_EQ(code.mine.weight, 370u);
  EXPECT_EQ(code.mine.samples, 3u);
  EXPECT_EQ(code.framework.weight, 100u);
}

}  // namespace
}  // namespace walkabout::profile
