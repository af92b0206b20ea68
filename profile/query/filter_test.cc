#include "profile/query/filter.h"

#include <gtest/gtest.h>

#include "profile/build/builder.h"
#include "profile/model/test_recording.h"
#include "profile/model/test_stacks.h"

namespace walkabout::profile {
namespace {

using testing::lines;
using testing::TestRecording;

// Two threads: "main" (1) in Main;Work and Main;[libcoreclr.so];libdemo, "Worker 2" (22) in [libcoreclr.so]
// only.
Profile sample_profile() {
  Builder builder({});
  TestRecording emit(builder);
  const auto main_thread = emit.thread("main", 1);
  const auto worker = emit.thread("x", 22, "Worker 2");
  const auto clr = emit.module("/x/libcoreclr.so");
  const auto lib = emit.module("/x/libdemo.so");
  const auto root = emit.stack({emit.jitted("Demo", "Main")});
  const auto work = emit.push(root, emit.jitted("Demo", "Work"));
  const auto in_clr = emit.push(root, TestRecording::native(clr, 8));
  const auto in_lib = emit.push(in_clr, TestRecording::native(lib, 8));
  emit.sample(main_thread, 100, 10, work);
  emit.sample(main_thread, 200, 20, in_clr);
  emit.sample(main_thread, 300, 30, in_lib);
  emit.sample(worker, 400, 40, emit.stack({TestRecording::native(clr, 8)}));
  builder.on_thread_end({main_thread, 500, 5});
  builder.on_thread_end({worker, 500, 6});
  return builder.build("");
}

std::string filtered_lines(const Filter& filter) {
  const auto p = filtered(sample_profile(), filter);
  EXPECT_TRUE(p.ok()) << p.message();
  return p.ok() ? lines(*p) : "";
}

const std::string kWork = "main 100 10 managed Demo.Main();Demo.Work()\n";
const std::string kClr = "main 200 20 runtime Demo.Main();[libcoreclr.so]\n";
const std::string kLib = "main 300 35 native Demo.Main();[libcoreclr.so];[libdemo.so]\n";
const std::string kWorker = "Worker 2 400 46 runtime [libcoreclr.so]\n";

TEST(Filter, KeepsAllByDefault) { EXPECT_EQ(filtered_lines({}), kWork + kClr + kLib + kWorker); }

TEST(Filter, ByThread) {
  EXPECT_EQ(filtered_lines({.thread = "worker"}), kWorker);
  EXPECT_EQ(filtered_lines({.thread = "22"}), kWorker);
  EXPECT_EQ(filtered_lines({.thread = "1"}), kWork + kClr + kLib);
}

TEST(Filter, ListsTheThreadsWhenNoneFits) {
  const auto p = filtered(sample_profile(), {.thread = "nobody"});
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.message().find("main (1), Worker 2 (22)"), std::string::npos) << p.message();
}

TEST(Filter, ByTime) {
  EXPECT_EQ(filtered_lines({.from_us = 200, .to_us = 300}), kClr);
  EXPECT_EQ(filtered_lines({.from_us = 300}), kLib + kWorker);
}

TEST(Filter, ByFocus) {
  EXPECT_EQ(filtered_lines({.focus = "demo\\.so|Work"}), kWork + kLib);
  EXPECT_EQ(filtered_lines({.focus = "^Demo\\.Main"}), kWork + kClr + kLib);
  EXPECT_EQ(filtered_lines({.focus = "no such thing"}), "");
}

TEST(Filter, ReportsWhatIsWrongWithARegularExpression) {
  const auto p = filtered(sample_profile(), {.focus = "("});
  ASSERT_FALSE(p.ok());
  EXPECT_NE(p.message().find("'(' is no regular expression"), std::string::npos) << p.message();
}

TEST(Filter, SurvivesAVeryLongName) {
  Profile p = sample_profile();
  p.frames[0].name = std::string(1'000'000, 'a');
  EXPECT_TRUE(filtered(std::move(p), {.focus = "(a|b)*c"}).ok());
}

TEST(Filter, HidesTheRuntimeAndKeepsItsTime) {
  EXPECT_EQ(filtered_lines({.hide_runtime = true}), kWork + "main 200 20 runtime Demo.Main()\n" +
                                                        "main 300 35 native Demo.Main();[libdemo.so]\n" +
                                                        "Worker 2 400 46 runtime [runtime]\n");
}

TEST(Filter, TheRuntimesTimeIsNoThreadEntrys) {
  Builder builder({});
  TestRecording emit(builder);
  const auto clr = TestRecording::native(emit.module("/x/libcoreclr.so"), 8);
  const auto libc = TestRecording::native(emit.module("/x/libc.so.6"), 8);
  const auto entry = emit.stack({libc});
  const auto pool = emit.push(entry, clr);
  const auto work = emit.push(pool, emit.jitted("Demo", "Work"));
  const auto thread = emit.thread("t", 1);
  emit.sample(thread, 1, 10, pool);
  emit.sample(thread, 2, 20, work);
  emit.sample(thread, 3, 30, emit.push(work, clr));
  emit.sample(thread, 4, 40, emit.push(emit.push(work, clr), libc));
  emit.sample(thread, 5, 50, emit.push(emit.push(work, libc), clr));
  const auto p = filtered(builder.build(""), {.hide_runtime = true});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(lines(*p),
            "t 1 10 runtime [libc.so.6];[runtime]\n"
            "t 2 20 managed [libc.so.6];Demo.Work()\n"
            "t 3 30 runtime [libc.so.6];Demo.Work()\n"
            "t 4 40 native [libc.so.6];Demo.Work();[libc.so.6]\n"
            "t 5 50 runtime [libc.so.6];Demo.Work();[libc.so.6];[runtime]\n");
}

TEST(Filter, SumsFollow) {
  const auto p = filtered(sample_profile(), {.thread = "main", .from_us = 150});
  ASSERT_TRUE(p.ok());
  EXPECT_EQ(p->total_weight, 55u);
  EXPECT_EQ(p->threads[0].samples, 2u);
  EXPECT_EQ(p->threads[1].samples, 0u);
}

}  // namespace
}  // namespace walkabout::profile
