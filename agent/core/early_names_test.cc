#include "agent/core/early_names.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "clr/abi/hresults.h"
#include "clr/abi/null_info.h"

namespace walkabout::agent {
namespace {

constexpr clr::ThreadID kNamed = 0x1234;
constexpr pid_t kTid = 77;

// Knows the thread's number once it has begun.
struct Runtime : clr::NullICorProfilerInfo15 {
  clr::HRESULT GetThreadInfo(clr::ThreadID, uint32_t* os_thread) override {
    *os_thread = begun ? kTid : 0;
    if (after_answer) after_answer();
    return clr::S_OK;
  }
  bool begun = false;
  std::function<void()> after_answer;
};

struct Table {
  static Table with_thread() { return {{{kTid, ""}}}; }
  bool set_managed_name(pid_t tid, std::string& name) {
    if (names.count(tid) == 0) return false;
    names[tid] = std::move(name);
    return true;
  }
  std::map<pid_t, std::string> names;
};

TEST(EarlyNames, IsTheThreadsOnceItBegan) {
  EarlyNames names;
  Runtime runtime;
  Table table;
  names.name_changed(&runtime, kNamed, "worker", table);
  table.names[kTid] = "";
  names.began(kNamed, kTid, table);
  EXPECT_EQ(table.names[kTid], "worker");
}

TEST(EarlyNames, OfARunningThreadIsItsAtOnceAndNotKept) {
  EarlyNames names;
  Runtime runtime;
  runtime.begun = true;
  Table table = Table::with_thread();
  names.name_changed(&runtime, kNamed, "worker", table);
  EXPECT_EQ(table.names[kTid], "worker");
  EXPECT_EQ(names.take(kNamed), "");
}

// Two threads of the program: one names, the other begins between the runtime's answer and ours.
TEST(EarlyNames, IsNotLostWhereTheThreadBeginsMeanwhile) {
  EarlyNames names;
  Runtime runtime;
  Table table;
  runtime.after_answer = [&] {
    table.names[kTid] = "";
    names.began(kNamed, kTid, table);
  };
  names.name_changed(&runtime, kNamed, "worker", table);
  EXPECT_EQ(table.names[kTid], "worker");
}

// The second is reported while the first waits for the runtime's answer.
TEST(EarlyNames, TheLaterOfTwoIsTheOneThatStays) {
  EarlyNames names;
  Runtime runtime;
  runtime.begun = true;
  Table table = Table::with_thread();
  bool first = true;
  runtime.after_answer = [&] {
    if (first) {
      first = false;
      names.name_changed(&runtime, kNamed, "second", table);
    }
  };
  names.name_changed(&runtime, kNamed, "first", table);
  EXPECT_EQ(table.names[kTid], "second");
  EXPECT_EQ(names.take(kNamed), "");
}

TEST(EarlyNames, OfARunningThreadIsNotLostWhereTooManyWaitForTheirs) {
  EarlyNames names;
  for (clr::ThreadID thread = 1; names.keep(thread, "never started"); ++thread) {
  }
  Runtime runtime;
  runtime.begun = true;
  Table table = Table::with_thread();
  names.name_changed(&runtime, 1'000'000, "worker", table);
  EXPECT_EQ(table.names[kTid], "worker");
}

TEST(EarlyNames, AreTakenOnce) {
  EarlyNames names;
  names.keep(1, "first");
  names.keep(2, "other");
  names.keep(1, "named again");
  EXPECT_EQ(names.take(1), "named again");
  EXPECT_EQ(names.take(1), "");
  EXPECT_EQ(names.take(2), "other");
}

TEST(EarlyNames, OfThreadsNeverStartedTakeNoMoreThanSoMuch) {
  EarlyNames names;
  for (clr::ThreadID thread = 1; thread <= 10'000; ++thread) names.keep(thread, "never started");
  names.keep(1, "known ones may change");
  EXPECT_EQ(names.take(1), "known ones may change");
  EXPECT_EQ(names.take(4096), "never started");
  EXPECT_EQ(names.take(4097), "");
}

}  // namespace
}  // namespace walkabout::agent
