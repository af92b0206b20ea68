#include "diagnostics/attach_profiler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "clr/abi/hresults.h"
#include "diagnostics/test_port.h"

namespace walkabout::diagnostics {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

uint32_t code(clr::HRESULT hresult) { return static_cast<uint32_t>(hresult); }

std::string check(const std::string& answer) {
  testing::TestPort runtime({answer});
  return check_runtime(Port(runtime.path())).message();
}

TEST(Attach, OldRuntimesAreReported) {
  EXPECT_EQ(check(testing::done(testing::process_info("8.0.1"))), "");
  EXPECT_EQ(check(testing::done(testing::process_info("11.0.0-preview.1"))), "");
  EXPECT_THAT(check(testing::done(testing::process_info("7.0.20"))), HasSubstr(".NET 7.0.20: too old"));
  EXPECT_THAT(check(testing::refused(0x80131385)), HasSubstr("too old"));
  EXPECT_NE(check(testing::done("short")), "");
}

TEST(Attach, TheCommandIsAsTheRuntimeReadsIt) {
  testing::TestPort runtime({testing::done(std::string(4, '\0'))});
  auto request = send_attach(Port(runtime.path()), {"00112233-4455-6677-8899-AABBCCDDEEFF", "/a.so", "data"});
  ASSERT_TRUE(request.ok());
  EXPECT_EQ(request->wait(20'000)->hresult, 0u);
  const std::string sent = runtime.requests().at(0).substr(kHeaderSize);
  const auto guid = guid_bytes("00112233-4455-6677-8899-AABBCCDDEEFF");
  EXPECT_EQ(sent.substr(4, 16), std::string(guid.begin(), guid.end()));
  EXPECT_EQ(sent.substr(20), PayloadWriter().string("/a.so").number(4).bytes("data").done());
}

TEST(Attach, EachRefusalHasItsSentence) {
  Process process = std::move(*look_at(::getpid()));
  process.environment = "CORECLR_PROFILER_PATH=/opt/apm/agent.so";
  const auto why = [&](clr::HRESULT hresult) { return why_refused(code(hresult), process).message(); };
  EXPECT_THAT(why(clr::CORPROF_E_PROFILER_ALREADY_ACTIVE),
              AllOf(HasSubstr("CORECLR_PROFILER_PATH"), Not(HasSubstr("/opt/apm"))));
  EXPECT_THAT(why(clr::CORPROF_E_PROFILER_ALREADY_ACTIVE), HasSubstr("--beside"));
  EXPECT_THAT(why(clr::CORPROF_E_PROFILER_DETACHING), HasSubstr("still leaving"));
  std::promise<void> named, over;
  std::thread agent([&] {
    ::pthread_setname_np(::pthread_self(), "walkabout-spool");
    named.set_value();
    over.get_future().wait();
  });
  named.get_future().wait();
  EXPECT_THAT(why(clr::CORPROF_E_PROFILER_DETACHING), HasSubstr("another walkabout counts the calls"));
  over.set_value();
  agent.join();
  EXPECT_THAT(why(clr::CORPROF_E_RUNTIME_UNINITIALIZED), HasSubstr("still starting"));
  EXPECT_THAT(why_refused(0x80131385, process).message(), HasSubstr("takes no profiler"));
  EXPECT_THAT(why_refused(0x80070008, process).message(), HasSubstr("no thread"));
  EXPECT_THAT(why_refused(0x80004005, process).message(), HasSubstr("0x80004005"));
  EXPECT_EQ(passing(code(clr::CORPROF_E_PROFILER_DETACHING)), Passing::kLeaving);
  EXPECT_EQ(passing(code(clr::CORPROF_E_PROFILER_ALREADY_ACTIVE)), Passing::kTaken);
  EXPECT_EQ(passing(code(clr::CORPROF_E_NOT_YET_AVAILABLE)), Passing::kStarting);
  EXPECT_EQ(passing(0x80004005), Passing::kNo);
}

}  // namespace
}  // namespace walkabout::diagnostics
