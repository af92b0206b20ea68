#include "profile/query/sync_over_async.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace walkabout::profile {
namespace {

class SyncOverAsyncTest : public ::testing::Test {
 protected:
  SyncOverAsyncTest() {
    profile_.nodes = {{}};
    profile_.threads = {{"worker", 1}};
    wire::Source waits;
    waits.id = base::SourceId(6);
    waits.name = "waits";
    waits.values = {{"time waited", "nanoseconds", wire::Adding::kSum}};
    profile_.sources = {waits};
  }
  // Outermost frame first.
  void add(const std::vector<std::string>& stack, uint64_t ns, uint32_t labels = 0) {
    uint32_t node = 0;
    for (const std::string& name : stack) {
      profile_.frames.push_back({name, "", "", name[0] == '[' ? Kind::kRuntime : Kind::kManaged});
      profile_.nodes.push_back({node, static_cast<uint32_t>(profile_.frames.size() - 1)});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    Sample sample{profile_.samples.size(), ns, 0, node};
    sample.labels = labels;
    profile_.samples.push_back(sample);
  }
  std::string name(uint32_t frame) const { return profile_.frames[frame].name; }

  const std::string pool_ = "System.Threading.ThreadPoolWorkQueue.Dispatch()";
  const std::string wait_ = "System.Threading.Tasks.Task.InternalWaitCore(int, CancellationToken)";
  const std::string result_ = "System.Threading.Tasks.Task<int>.get_Result()";
  Profile profile_;
};

TEST_F(SyncOverAsyncTest, APoolThreadThatBlocksOnATask) {
  add({pool_, "Shop.Orders.Load()", result_, wait_, "[libcoreclr.so]"}, 30);
  add({pool_, "Shop.Orders.Save()", wait_, "System.Threading.ManualResetEventSlim.Wait()"}, 50);
  const auto found = sync_over_async(profile_, {0, 0});
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->amount.weight, 80u);
  ASSERT_EQ(found->waits.size(), 2u);
  EXPECT_EQ(name(found->waits[0].caller), "Shop.Orders.Save()");
  EXPECT_EQ(name(found->waits[1].caller), "Shop.Orders.Load()");
  EXPECT_EQ(name(found->waits[1].method), result_);
}

TEST_F(SyncOverAsyncTest, OtherThreadsAndOtherWaitsAreNone) {
  add({"Program.Main()", wait_}, 10);                                                // not of the pool
  add({pool_, "Shop.Orders.Load()", "System.Threading.Monitor.Enter(object)"}, 10);  // no task
  // Inside of a task's own code a lock, and a task that is running.
  add({pool_, "System.Threading.Tasks.Task.InnerInvoke()", "Shop.Orders.Load()",
       "System.Threading.Monitor.Enter(object)"},
      10);
  EXPECT_FALSE(sync_over_async(profile_, {0, 0}).has_value());
}

TEST_F(SyncOverAsyncTest, OfWallClockTimeWhatIsBlocked) {
  profile_.sources[0].name = "wall";
  profile_.sources[0].labels = {{"state", static_cast<uint32_t>(wire::LabelType::kThreadState)}};
  profile_.label_sets = {{},
                         {static_cast<uint64_t>(wire::ThreadState::kRunning)},
                         {static_cast<uint64_t>(wire::ThreadState::kBlocked)}};
  add({pool_, "Shop.Orders.Load()", wait_}, 10, 1);
  add({pool_, "Shop.Orders.Load()", wait_}, 20, 2);
  EXPECT_EQ(sync_over_async(profile_, {0, 0})->amount.weight, 20u);
}

TEST_F(SyncOverAsyncTest, OfAnotherEventNothingIsKnown) {
  profile_.sources[0].name = "locks";
  add({pool_, "Shop.Orders.Load()", wait_}, 10);
  EXPECT_FALSE(sync_over_async(profile_, {0, 0}).has_value());
}

}  // namespace
}  // namespace walkabout::profile
