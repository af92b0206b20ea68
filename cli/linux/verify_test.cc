#include "cli/linux/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/linux/hresult_name.h"
#include "cli/test_report.h"
#include "recording/reader.h"

namespace walkabout::cli {
namespace {

using ::testing::HasSubstr;

profile::Verification verification() {
  const testing::RecordingFile file;
  profile::VerifyCollector collector;
  EXPECT_TRUE(recording::read_recording(file.path(), collector).ok());
  return collector.verify(3);
}

TEST(VerifyJson, HasExactlyTheseNames) {
  const Json json = verify_json(verification());
  EXPECT_EQ(json["compared"], 2);
  EXPECT_EQ(json["equal"], 1);
  EXPECT_EQ(json["different"], 1);
  EXPECT_EQ(json["explained"], Json::object());
  EXPECT_EQ(json["unexplained"], 1);
  EXPECT_EQ(json["refused"], Json::parse(R"({"CORPROF_E_STACKSNAPSHOT_UNSAFE":1})"));
  EXPECT_EQ(json["examples"][0]["verdict"], "unexplained");
  EXPECT_EQ(json["examples"][0]["tid"], 22);
  EXPECT_EQ(json["examples"][0]["ours"].size(), 3u);
  EXPECT_EQ(json["examples"][0]["clr"].size(), 1u);
}

TEST(VerifyText, ShowsBothStacksBesideEachOther) {
  const std::string text = verify_text(verification());
  EXPECT_THAT(text, HasSubstr("equal                                                  1    50.000%\n"));
  EXPECT_THAT(text, HasSubstr("CORPROF_E_STACKSNAPSHOT_UNSAFE"));
  EXPECT_THAT(text, HasSubstr("unexplained: thread 22, sample 0\n"
                              "  ours                       the CLR's\n"
                              "  [libc.so.6 qsort +0x510]\n"
                              "  Demo.Sorter.Sort() +0x4\n"
                              "  Demo.Program.Main() +0x4   Demo.Program.Main() +0x4\n"));
}

TEST(HresultName, IsTheHeadersElseTheNumber) {
  EXPECT_EQ(hresult_name(0x80004005), "E_FAIL");
  EXPECT_EQ(hresult_name(0x8013135f), "CORPROF_E_STACKSNAPSHOT_UNMANAGED_CTX");
  EXPECT_EQ(hresult_name(wire::kRuntimeSuspending), "runtime_suspending");
  EXPECT_EQ(hresult_name(wire::kInsideRuntime), "inside_runtime");
  EXPECT_EQ(hresult_name(wire::kInsideLoader), "inside_loader");
  EXPECT_EQ(hresult_name(0x8013abcd), "0x8013abcd");
}

}  // namespace
}  // namespace walkabout::cli
