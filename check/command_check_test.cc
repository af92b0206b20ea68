#include "check/command_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "check/agent_check.h"
#include "check/program_kind.h"
#include "check/runtimes.h"

namespace walkabout::cli {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class CommandCheck : public ::testing::Test {
 protected:
  CommandCheck() { EXPECT_NE(::mkdtemp(folder_.data()), nullptr); }
  ~CommandCheck() override { fs::remove_all(folder_); }
  std::string write(const std::string& name, const std::string& text, mode_t mode = 0755) {
    std::string path = folder_ + "/" + name;
    fs::create_directories(fs::path(path).parent_path());
    std::ofstream(path) << text;
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }
  std::string folder_ = "/tmp/walkabout-command-XXXXXX";
};

TEST_F(CommandCheck, WhatCannotBeStarted) {
  write("plain", "text", 0644);
  for (const std::string name : {"no-such-program", "plain", "", "/no/such"}) {
    const CheckResults found = check_command({name}, folder_);
    ASSERT_EQ(found.size(), 1u) << name;
    EXPECT_EQ(found[0].verdict, Verdict::kNo) << name;
  }
  EXPECT_THAT(check_command({folder_ + "/plain"}, "")[0].what, HasSubstr("may not be executed"));
  EXPECT_THAT(check_command({folder_}, "")[0].what, HasSubstr("may not be executed"));
}

TEST_F(CommandCheck, ItIsFoundAsAShellFindsIt) {
  write("a/tool", "#!/bin/sh\n", 0644);
  const std::string path = write("b/tool", "#!/bin/sh\n");
  EXPECT_EQ(find_program("tool", folder_ + "/a:" + folder_ + "/b"), path);
  EXPECT_EQ(find_program("tool", folder_), "");
}

TEST_F(CommandCheck, ProgramsThatAreNotDotnetThemselves) {
  const CheckResults script = check_command({write("start.sh", "#!/bin/sh\n")}, "");
  EXPECT_EQ(script[1].verdict, Verdict::kWarn);
  EXPECT_THAT(script[1].what, HasSubstr("script"));
  EXPECT_THAT(check_command({"/bin/sh"}, "")[1].what, HasSubstr("not a .NET program"));
  EXPECT_EQ(program_kind(write("cut",
                               "\x7f"
                               "ELF")),
            ProgramKind::kOther);
  EXPECT_EQ(program_kind(folder_ + "/missing"), ProgramKind::kOther);
}

TEST_F(CommandCheck, TheRuntimeAProgramRequests) {
  const std::string dll = write("app.dll", "");
  EXPECT_EQ(wanted_runtime(dll), 0);
  for (const auto& [json, version] :
       std::vector<std::pair<std::string, int>>{{R"({"runtimeOptions": {"tfm": "net10.0"}})", 10},
                                                {R"({"runtimeOptions": {"tfm": 10}})", 0},
                                                {R"({"runtimeOptions": []})", 0},
                                                {"{", 0},
                                                {"[]", 0}}) {
    write("app.runtimeconfig.json", json);
    EXPECT_EQ(wanted_runtime(dll), version) << json;
  }
}

TEST_F(CommandCheck, RuntimesThatAreInstalled) {
  EXPECT_EQ(check_runtimes({}).verdict, Verdict::kWarn);
  for (const std::string version : {"10.0.1", "7.0.20", "8.0.2"})
    write("shared/Microsoft.NETCore.App/" + version + "/libcoreclr.so", "");
  fs::create_directories(folder_ + "/shared/Microsoft.NETCore.App/11.0.0");  // being installed, or left over
  const std::vector<Runtime> found = runtimes_in({folder_, "/no/such", folder_});
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[2].version, "10.0.1");
  EXPECT_EQ(check_runtimes(found).what, ".NET 7.0.20, 8.0.2, 10.0.1");
  EXPECT_EQ(check_runtimes({found[0]}).verdict, Verdict::kWarn);
  EXPECT_EQ(check_symbols(found[2].folder + "/libcoreclr.so", {}).verdict, Verdict::kWarn);
}

TEST_F(CommandCheck, EventsThatARuntimeCannotGive) {
  EXPECT_EQ(check_events("10.0.1").what, "all");
  EXPECT_EQ(check_events("9.0.3").what.rfind("all; sizes of allocations", 0), 0u);
  EXPECT_EQ(check_events("8.0.31").what.rfind("all but waits", 0), 0u);
  EXPECT_EQ(check_events("").what, "all that the runtime has");
}

TEST_F(CommandCheck, CallbacksAreOfferedWithTheirCosts) {
  EXPECT_THAT(check_callbacks().what,
              HasSubstr("objects (from the start only; an allocation takes 200 ns more)"));
}

TEST_F(CommandCheck, AnAgentThatOthersMayWriteIsNotTrusted) {
  const std::string agent = write("lib/libwalkabout.so", "", 0644);
  EXPECT_EQ(check_agent_file(agent).verdict, Verdict::kOk);
  EXPECT_EQ(::chmod((folder_ + "/lib").c_str(), 0777), 0);
  EXPECT_THAT(check_agent_file(agent).remedy, HasSubstr("chmod go-w " + folder_ + "/lib"));
  EXPECT_EQ(::chmod((folder_ + "/lib").c_str(), 01777), 0);
  EXPECT_EQ(check_agent_file(agent).verdict, Verdict::kOk);
  EXPECT_EQ(::chmod(agent.c_str(), 0646), 0);
  EXPECT_THAT(check_agent_file(agent).what, HasSubstr("may be written by others"));
  EXPECT_EQ(check_agent_file(folder_ + "/missing").verdict, Verdict::kNo);
  EXPECT_EQ(check_agent_file(folder_).verdict, Verdict::kNo);
}

}  // namespace
}  // namespace walkabout::cli
