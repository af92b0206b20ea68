#include <signal.h>

#include <thread>

#include "agent/trace/shadow_copy.h"
#include "agent/trace/test_traces.h"
#include "agent/trace/trace_process.h"

namespace walkabout::agent::testing {
namespace {

using ShadowCopyTest = TracingTest;

constexpr uint32_t kDeepest = 40;

// What a frame calls follows from its own method, and from how often it was called: whoever knows a frame
// knows which frames may stand above it.
uint64_t method_above(uint64_t method, uint64_t which) { return (method * 7 + which % 3 + 1) % 100'003; }

bool may_stand_above(uint64_t below, uint64_t method) {
  for (uint64_t which = 0; which < 3; ++which)
    if (method_above(below, which) == method) return true;
  return false;
}

void call_at_random(uint64_t method, uint32_t depth, uint64_t* random) {
  const TestScope scope(method);
  for (uint64_t which = 0; which < 3; ++which) {
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    if (depth < kDeepest && *random >> 62 != 0)
      call_at_random(method_above(method, which), depth + 1, random);
    if (*random >> 58 == 0) return;
  }
}

struct Writer {
  explicit Writer(uint64_t method) : root(method), thread([this] { run(); }) {}
  ~Writer() {
    stop.store(true);
    thread.join();
  }
  void run() {
    uint64_t random = root;
    { const TestScope first(root); }
    trace.store(t_trace);
    while (!stop.load()) {
      uint32_t depth = kDeepest - 12;
      call_at_random(root, depth, &random);
    }
  }
  const uint64_t root;
  std::atomic<bool> stop{false};
  std::atomic<ThreadTrace*> trace{nullptr};
  std::thread thread;
};

// How many frames of it cannot have stood there together.
uint32_t wrong_in(std::span<const ShadowFrame> frames, uint64_t root) {
  uint32_t wrong = 0;
  for (size_t i = 0; i < frames.size(); ++i) {
    wrong += i == 0 ? frames[0].method != root : !may_stand_above(frames[i - 1].method, frames[i].method);
    wrong += i != 0 && (frames[i].number <= frames[i - 1].number || frames[i].begin < frames[i - 1].begin);
    wrong += g_trace.tree.method(frames[i].node) != frames[i].method;
  }
  return wrong;
}

TEST_F(ShadowCopyTest, WhatIsCertainStoodThereTogether) {
  begin();
  constexpr int kCopies = 20'000;
  std::vector<ShadowFrame> frames(kDeepest + 1);
  uint32_t whole = 0, wrong = 0, copied = 0;
  {
    Writer first(11), second(500);
    while (first.trace.load() == nullptr || second.trace.load() == nullptr) std::this_thread::yield();
    for (int i = 0; i < kCopies; ++i) {
      const Writer& of = i % 2 == 0 ? first : second;
      const ShadowCopy copy = copy_shadow_stack(*of.trace.load(), frames);
      EXPECT_LE(copy.certain, copy.frames);
      EXPECT_FALSE(copy.cut);
      wrong += wrong_in(std::span(frames).first(copy.certain), of.root);
      whole += copy.whole ? 1 : 0;
      copied += copy.certain;
    }
  }
  end();
  EXPECT_EQ(wrong, 0u);
  EXPECT_GT(whole, 0u);
  EXPECT_GT(copied, 0u);
}

std::atomic<uint32_t> g_handler_copies{0}, g_handler_wrong{0}, g_handler_partial{0};

void copy_in_handler(int) {
  ShadowFrame frames[kDeepest + 1];
  const ShadowCopy copy = copy_own_shadow_stack(frames);
  g_handler_copies.fetch_add(1);
  g_handler_wrong.fetch_add(wrong_in({frames, copy.certain}, 77));
  g_handler_partial.fetch_add(copy.whole ? 0 : 1);
}

TEST_F(ShadowCopyTest, InTheThreadsOwnHandlerACopyIsWhole) {
  struct sigaction action {
  }, before{};
  action.sa_handler = copy_in_handler;
  ASSERT_EQ(::sigaction(SIGUSR2, &action, &before), 0);
  begin();
  {
    Writer writer(77);
    while (writer.trace.load() == nullptr) std::this_thread::yield();
    for (int i = 0; i < 2000; ++i) {
      ::pthread_kill(writer.thread.native_handle(), SIGUSR2);
      if (i % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }
  end();
  ::sigaction(SIGUSR2, &before, nullptr);
  EXPECT_GT(g_handler_copies.load(), 0u);
  EXPECT_EQ(g_handler_wrong.load(), 0u);
  EXPECT_EQ(g_handler_partial.load(), 0u);
}

TEST_F(ShadowCopyTest, OfMoreThanThereIsRoomForTheOutermostAreCopied) {
  begin();
  const TestScope a(1), b(2), c(3);
  ShadowFrame frames[2];
  const ShadowCopy copy = copy_own_shadow_stack(frames);
  EXPECT_EQ(copy.frames, 2u);
  EXPECT_TRUE(copy.whole);
  EXPECT_TRUE(copy.cut);
  EXPECT_EQ(frames[1].method, 2u);
  end();
  EXPECT_EQ(copy_own_shadow_stack(frames).frames, 0u);
}

}  // namespace
}  // namespace walkabout::agent::testing
