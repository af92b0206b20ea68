#include "profile/query/pool_blocked.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/model/test_recording.h"

namespace walkabout::profile {
namespace {

constexpr uint64_t kMs = 1'000'000;  // nanoseconds

class PoolBlockedTest : public ::testing::Test {
 protected:
  PoolBlockedTest() {
    profile_.nodes = {{}};
    profile_.threads = {{"a", 1}, {"b", 2}, {"c", 3}};
    profile_.sources = {testing::wall_source()};
    profile_.label_sets = {{},
                           {static_cast<uint64_t>(wire::ThreadState::kRunning), 0},
                           {static_cast<uint64_t>(wire::ThreadState::kBlocked), 0}};
    profile_.duration_us = 1'000'000;
    profile_.view = View{0, 0};
  }
  // Outermost frame first.
  uint32_t node(const std::vector<std::string>& stack) {
    uint32_t node = 0;
    for (const std::string& name : stack) {
      profile_.frames.push_back({name, "", "", name[0] == '[' ? Kind::kRuntime : Kind::kManaged});
      profile_.nodes.push_back({node, static_cast<uint32_t>(profile_.frames.size() - 1)});
      node = static_cast<uint32_t>(profile_.nodes.size() - 1);
    }
    return node;
  }
  void add(uint32_t thread, uint64_t end_ms, uint64_t ms, uint32_t node, uint32_t labels = 2) {
    Sample sample{end_ms * 1000, ms * kMs, thread, node};
    sample.labels = labels;
    profile_.samples.push_back(sample);
  }
  PoolBlocked blocked(uint64_t begin_ms, uint64_t end_ms) {
    return pool_blocked(profile_, begin_ms * 1000, end_ms * 1000, 10);
  }
  std::string name(uint32_t frame) const { return frame == kNoFrame ? "" : profile_.frames[frame].name; }
  PoolStack of(std::vector<std::string> below) {
    std::vector<std::string> stack = {worker_, pool_};
    stack.insert(stack.end(), below.begin(), below.end());
    return pool_stack(profile_, node(stack));
  }

  const std::string worker_ = "System.Threading.PortableThreadPool.WorkerThread.WorkerThreadStart()";
  const std::string pool_ = "System.Threading.ThreadPoolWorkQueue.Dispatch()";
  const std::string wait_ = "System.Threading.Tasks.Task.InternalWaitCore(int, CancellationToken)";
  Profile profile_;
};

TEST_F(PoolBlockedTest, TheCallThatBlocks) {
  const PoolStack task = of({"Shop.Load()", "System.Threading.Tasks.Task<int>.GetResultCore(bool)", wait_,
                             "System.Threading.ManualResetEventSlim.Wait(int)", "[libcoreclr.so]"});
  EXPECT_EQ(task.of, PoolStack::Of::kWork);
  EXPECT_EQ(task.call, PoolCall::kTask);
  EXPECT_EQ(name(task.caller), "Shop.Load()");
  EXPECT_EQ(name(task.method), "System.Threading.Tasks.Task<int>.GetResultCore(bool)");
  EXPECT_EQ(of({"Shop.A()", "System.Threading.Thread.Sleep(int)"}).call, PoolCall::kSleep);
  EXPECT_EQ(
      of({"Shop.A()", "System.Threading.SemaphoreSlim.Wait(int)", "System.Threading.Monitor.Wait(object)"})
          .call,
      PoolCall::kSemaphore);
  EXPECT_EQ(of({"Shop.A()", "System.Threading.Monitor.Wait(object)"}).call, PoolCall::kMonitorWait);
  EXPECT_EQ(of({"Shop.A()", "System.Threading.Monitor.Enter_Slowpath(object)"}).call, PoolCall::kLock);
  EXPECT_EQ(of({"Shop.A()", "System.Threading.WaitHandle.WaitOneNoCheck(int)"}).call, PoolCall::kHandle);
  EXPECT_EQ(of({"Shop.A()", "System.Net.Sockets.Socket.Receive(byte[])", "Interop.Sys.Receive(int)"}).call,
            PoolCall::kNetwork);
  EXPECT_EQ(of({"Shop.A()", "System.Data.Whatever.Open()"}).call, PoolCall::kOther);
  EXPECT_EQ(of({"Shop.A()", "[libcoreclr.so]"}).call, PoolCall::kNative);
}

TEST_F(PoolBlockedTest, TheInnermostMethodOfTheUsersIsWhoCalls) {
  const PoolStack stack = of({"Shop.Outer()", "System.Threading.Tasks.Task.InnerInvoke()", "Shop.Inner()",
                              "System.Net.Http.HttpClient.Send(HttpRequestMessage)", wait_});
  EXPECT_EQ(name(stack.caller), "Shop.Inner()");
  EXPECT_EQ(name(stack.method), "System.Net.Http.HttpClient.Send(HttpRequestMessage)");
  EXPECT_EQ(stack.call, PoolCall::kTask);
  // A lock of the user's below a task that runs is no wait for a task.
  EXPECT_EQ(of({wait_, "Shop.Inner()", "System.Threading.Monitor.Enter(object)"}).call, PoolCall::kLock);
  EXPECT_EQ(of({"Microsoft.Extensions.Whatever.Run()", wait_}).caller, kNoFrame);
}

TEST_F(PoolBlockedTest, OnlyWorkersThatHaveWork) {
  const uint32_t work = node({worker_, pool_, "Shop.A()", "System.Threading.Thread.Sleep(int)"});
  add(0, 100, 100, work);
  add(0, 150, 50, work, 1);                                                               // it runs
  add(0, 400, 200, node({worker_, "System.Threading.LowLevelLifoSemaphore.Wait(int)"}));  // no work
  add(0, 500, 30, node({"[unknown]"}));                                                   // of a worker
  add(1, 100, 100, node({"Program.Main()", "System.Threading.Thread.Sleep(int)"}));
  add(2, 100, 100,
      node({"Shop.A()", "System.Threading.PortableThreadPool.WorkerThread.MaybeAddWorkingWorker()"}));
  const PoolBlocked b = blocked(0, 1000);
  EXPECT_EQ(b.all.weight, 100 * kMs);
  EXPECT_EQ(b.all.samples, 1u);
  EXPECT_EQ(b.calls[static_cast<size_t>(PoolCall::kSleep)].weight, 100 * kMs);
  EXPECT_EQ(b.unknown_ns, 30 * kMs);
  ASSERT_EQ(b.waits.size(), 1u);
  EXPECT_EQ(name(b.waits[0].caller), "Shop.A()");
  EXPECT_EQ(b.most, 1u);
}

TEST_F(PoolBlockedTest, HowManyAtOnce) {
  const uint32_t work = node({pool_, "Shop.A()", "System.Threading.Thread.Sleep(int)"});
  add(1, 250, 100, work);
  add(0, 300, 300, work);
  add(0, 400, 60, work);
  add(0, 400, 40, work);   // told at once, and was one after the other
  add(2, 500, 100, work);  // begins as another one ends
  const PoolBlocked b = blocked(0, 1000);
  EXPECT_EQ(b.all.weight, 600 * kMs);
  EXPECT_EQ(b.most, 2u);
  EXPECT_EQ(b.parts[0].most, 1u);
  EXPECT_EQ(b.parts[1].most, 2u);
  EXPECT_EQ(b.parts[3].most, 1u);
  EXPECT_EQ(b.parts[4].most, 1u);
  EXPECT_EQ(b.parts[5].most, 0u);
  EXPECT_EQ(b.parts[1].blocked_ns, 150 * kMs);
  EXPECT_EQ(b.parts[3].blocked_ns, 100 * kMs);
}

TEST_F(PoolBlockedTest, TimeIsCutToWhatIsLookedAt) {
  const uint32_t work = node({pool_, "Shop.A()", "System.Threading.Thread.Sleep(int)"});
  add(1, 150, 100, work);
  add(0, 2000, 2000, work);  // told behind the end
  const PoolBlocked b = blocked(100, 600);
  EXPECT_EQ(b.all.weight, 550 * kMs);
  EXPECT_EQ(b.most, 2u);
  EXPECT_EQ(b.parts.size(), 10u);
  EXPECT_EQ(b.parts[9].blocked_ns, 50 * kMs);
}

TEST_F(PoolBlockedTest, WhereSingleSamplesAreNotKnownNorIsTheMostAtOnce) {
  profile_.thinned.span_us = 1000;
  add(0, 300, 300, node({pool_, "Shop.A()", "System.Threading.Thread.Sleep(int)"}));
  const PoolBlocked b = blocked(0, 1000);
  EXPECT_FALSE(b.most.has_value());
  EXPECT_EQ(b.all.weight, 300 * kMs);
}

}  // namespace
}  // namespace walkabout::profile
