// The rules of the profiling API that the callbacks have to keep (docs/accuracy.md has the list): the real
// profiler under a runtime that refuses everything. Each test in a process of its own, for a profiler cannot
// be unloaded; a rule that is broken by waiting ends it after kTimeoutSeconds.
#include "agent/linux/session/profiler.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "agent/core/fake_managed_code.h"
#include "agent/core/fake_runtime.h"
#include "agent/linux/handler/capture.h"
#include "agent/linux/handler/handler.h"
#include "agent/linux/session/recording.h"
#include "base/clock.h"
#include "clr/abi/hresults.h"
#include "clr/events/eventpipe_method.h"
#include "wire/client_data.h"

namespace walkabout::agent {
namespace {

using testing::FakeManagedCode;
using testing::FakeRuntime;

constexpr unsigned kTimeoutSeconds = 60;
constexpr uint64_t kMethod = 0x7f00'0000'1230;
constexpr clr::ThreadID kThread = 0x1000;

uint32_t os_thread() { return static_cast<uint32_t>(::syscall(SYS_gettid)); }

constexpr clr::EVENTPIPE_PROVIDER kRuntimeProvider = 1;

void deliver(Profiler& profiler, uint32_t event, const std::vector<uint8_t>& payload) {
  profiler.EventPipeEventDelivered(kRuntimeProvider, event, 2, 0, nullptr,
                                   static_cast<uint32_t>(payload.size()), payload.data(), nullptr, nullptr,
                                   kThread, 0, nullptr);
}

// Everything the runtime reports to us in a thread's life.
void every_callback(Profiler& profiler, const FakeManagedCode& code, uint64_t method) {
  char16_t name[] = u"worker";
  profiler.ThreadAssignedToOSThread(kThread, os_thread());
  profiler.ThreadNameChanged(kThread, 6, name);
  profiler.ModuleLoadFinished(method, clr::S_OK);
  deliver(profiler, clr::kMethodJittingStarted, {});
  deliver(profiler, clr::kMethodLoadVerbose, code.payload(method));
  deliver(profiler, clr::kMethodUnloadVerbose, code.payload(method));
  profiler.ModuleUnloadStarted(method);
  profiler.RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_FOR_GC);
  profiler.RuntimeResumeStarted();
  profiler.RuntimeResumeFinished();
  profiler.ThreadDestroyed(kThread);
}

void start(Profiler& profiler, FakeRuntime& runtime, const char* interval) {
  ::alarm(kTimeoutSeconds);
  ::setenv("WALKABOUT_STREAM", "/dev/null", 1);
  ::setenv("WALKABOUT_INTERVAL", interval, 1);
  ::unsetenv("WALKABOUT_SOCKET");
  if (profiler.Initialize(&runtime) != clr::S_OK) ::_exit(2);
}

void nothing(void*) {}

// Samples of the calling thread in `code`.
void take_samples(const FakeManagedCode& code, uint64_t wanted) {
  while (current_slot() == nullptr) code.run(nothing, nullptr, 10'000);
  const std::atomic<uint64_t>& taken = current_slot()->shared->cpu().samples;
  const uint64_t end = taken.load() + wanted;
  while (taken.load() < end) code.run(nothing, nullptr, 10'000);
}

// Rule 3. A call into the CLR may wait until a collection is over, and a collection waits for every thread
// that is in a callback: so whoever asks the CLR must hold nothing that a callback needs.
// Broken by a lock_guard of CodeRegistry's lock in CodeWriter::declare_jitted around the question for the
// name: the spooler waited for the callback, the callback for the lock, until SIGALRM.
TEST(ProfilerRulesDeathTest, WhoCallsTheClrHoldsNothingThatACallbackWaitsFor) {
  const auto body = [] {
    static FakeRuntime runtime(clr::E_FAIL);
    static FakeManagedCode code, other_code;
    auto* profiler = new Profiler;
    std::atomic<uint32_t> rounds{0};
    static thread_local bool t_in_callback = false;
    runtime.in_call = [&] {
      if (t_in_callback) return;
      std::thread([&] {
        t_in_callback = true;
        every_callback(*profiler, other_code, kMethod + 8);
        ++rounds;
      }).join();
    };
    start(*profiler, runtime, "1ms");
    std::thread([&] {
      t_in_callback = true;  // its own questions are the spooler's in the other test
      profiler->ThreadAssignedToOSThread(kThread, os_thread());
      deliver(*profiler, clr::kMethodLoadVerbose, code.payload(kMethod));
      while (runtime.count("GetFunctionInfo2") == 0) take_samples(code, 1);
      t_in_callback = false;
      every_callback(*profiler, code, kMethod);
    }).join();
    profiler->Shutdown();
    ::_exit(rounds >= 6 ? 0 : 3);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

// Rule 8. Broken by a CodeWriter that forgets what it declared (declared_ and methods_): a question for each
// sample.
TEST(ProfilerRulesDeathTest, WhatTheClrRefusesIsNotRequestedAgain) {
  const auto body = [] {
    static FakeManagedCode code;
    static FakeRuntime runtime(clr::CORPROF_E_DATAINCOMPLETE);
    auto* profiler = new Profiler;
    start(*profiler, runtime, "1ms");
    std::map<std::string, uint32_t> called;
    std::thread([&] {
      profiler->ThreadAssignedToOSThread(kThread, os_thread());
      deliver(*profiler, clr::kMethodLoadVerbose, code.payload(kMethod));
      while (runtime.count("GetFunctionInfo2") == 0) take_samples(code, 1);
      take_samples(code, 100);  // the first question's pass is over
      called = runtime.counts();
      take_samples(code, 200);
    }).join();
    profiler->Shutdown();
    for (const char* once : {"SetEventMask2", "EventPipeStartSession", "GetFunctionInfo2"}) {
      if (called[once] != 1) ::_exit(3);
    }
    if (runtime.count("SuspendRuntime") != 0) ::_exit(5);  // rule 1
    ::_exit(runtime.counts() == called ? 0 : 4);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

// What a thread cannot do without (a signal's frame included), and a little.
size_t small_stack() {
  constexpr size_t kLittle = 16 << 10;
  return static_cast<size_t>(::sysconf(_SC_THREAD_STACK_MIN)) + kLittle;
}

void on_small_stacks(uint32_t threads, void* (*run)(void*), void* argument) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, small_stack());
  ::pthread_attr_setguardsize(&attributes, 64 << 10);
  std::vector<pthread_t> started(threads);
  for (pthread_t& thread : started) {
    if (::pthread_create(&thread, &attributes, run, argument) != 0) ::_exit(5);
  }
  for (const pthread_t thread : started) ::pthread_join(thread, nullptr);
  ::pthread_attr_destroy(&attributes);
}

struct Calls {
  Profiler* profiler;
  std::atomic<uint64_t> methods{kMethod};
};

void* make_calls(void* data) {
  auto* calls = static_cast<Calls*>(data);
  const FakeManagedCode code;
  for (int i = 0; i < 50; ++i) {
    every_callback(*calls->profiler, code, calls->methods += 8);
    code.run(nothing, nullptr, 10'000);
  }
  take_samples(code, 1);
  return nullptr;
}

// Rule 5. Broken by a local array of 32 KB in ModuleLoadFinished: SIGSEGV in the guard behind the stack.
TEST(ProfilerRulesDeathTest, CallbacksComeAllAtOnceAndOnSmallStacks) {
  const auto body = [] {
    static FakeRuntime runtime(clr::E_FAIL);
    static Calls calls{new Profiler};
    start(*calls.profiler, runtime, "100us");
    on_small_stacks(16, make_calls, &calls);
    calls.profiler->Shutdown();
    ::_exit(runtime.count("GetModuleInfo2") == 16 * 50 ? 0 : 3);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

constexpr base::SourceId kFake(9);
constexpr uint32_t kFakeEvent = 303;

// Samples at every event, in the middle of the runtime. What a drop leaves goes with the next sample.
struct FakeSource : Source {
  ThreadTable* threads = nullptr;
  uint64_t owed = 0, sampled = 0;  // of the one thread that has events
  wire::Source declaration(uint64_t) const override { return {}; }
  base::Status start(const SourceContext&) override { return {}; }
  void stop() override {}
  void on_event(const RuntimeEvent& event) override {
    if (event.id != kFakeEvent) return;
    ThreadSlot* slot = threads->callback_slot();
    owed += event.payload.size();
    if (slot == nullptr || capture_here(*slot, {kFake, {&owed, 1}, {}})) return;
    sampled += std::exchange(owed, 0);
  }
};

// Never made: it names what a Profiler shows to its heirs alone.
struct Inside : Profiler {
  static Recording& of(const Profiler& profiler) { return *(profiler.*(&Inside::recording))(); }
};

// The spooler does not know it, and refuses its samples. Their number is what is looked at.
FakeSource& add_fake_source(const Profiler& profiler) {
  auto source = std::make_unique<FakeSource>();
  FakeSource& added = *source;
  added.threads = Inside::of(profiler).threads.get();
  Inside::of(profiler).sources.push_back({{kFake, 0}, std::move(source)});
  return added;
}

// Broken by one lane for handler and callback, and by an account that both write.
TEST(ProfilerRulesDeathTest, ASourceSamplesInTheMiddleOfACallbackWhileTicksCome) {
  const auto body = [] {
    static FakeRuntime runtime(clr::E_FAIL);
    static FakeManagedCode code;
    auto* profiler = new Profiler;
    start(*profiler, runtime, "100us");
    FakeSource& source = add_fake_source(*profiler);
    bool right = false;
    std::thread([&] {
      profiler->ThreadAssignedToOSThread(kThread, os_thread());
      deliver(*profiler, clr::kMethodLoadVerbose, code.payload(kMethod));
      constexpr uint64_t kEventsMade = 2000;
      const std::vector<uint8_t> payload(3);
      for (uint64_t i = 0; i < kEventsMade; ++i) {
        deliver(*profiler, kFakeEvent, payload);
        code.run(nothing, nullptr, 2'000);
      }
      take_samples(code, 5);
      const wire::SlotHeader& shared = *current_slot()->shared;
      const wire::SourceAccount& account = shared.lane(wire::Lane::kCallback).of(kFake);
      uint64_t drops = 0;
      for (size_t i = 0; i < std::size(account.drops); ++i)
        drops += i == static_cast<size_t>(wire::DropCause::kCorrupt) ? 0 : account.drops[i].load();
      right = account.attempts == kEventsMade && account.samples + drops == kEventsMade &&
              account.samples > kEventsMade / 50 &&
              source.sampled + source.owed == kEventsMade * payload.size();
    }).join();
    profiler->Shutdown();
    ::_exit(right ? 0 : 3);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "");
}

// The runtime frees the object behind a refusal, whoever holds references to it: a profiler that still does
// is the death of the program at the next attach.
TEST(ProfilerRefusalDeathTest, LeavesNoReferenceAndTheNextAttachBegins) {
  const auto body = [] {
    static FakeRuntime runtime(clr::E_FAIL), attached(clr::E_FAIL), again(clr::E_FAIL);
    const auto is_released = [](const FakeRuntime& r) { return r.references == 1; };
    auto* profiler = new Profiler;
    ::alarm(kTimeoutSeconds);
    ::setenv("WALKABOUT_STREAM", "/no/such/folder/out", 1);
    if (profiler->Initialize(&runtime) == clr::S_OK || !is_released(runtime)) ::_exit(2);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    const rlimit little{1'000'000, limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &little);
    std::string data;
    wire::add_client_value("WALKABOUT_STREAM", "/dev/null", &data);
    const auto attach = [&](FakeRuntime& to) {
      return profiler->InitializeForAttach(&to, data.data(), static_cast<uint32_t>(data.size()));
    };
    if (attach(attached) == clr::S_OK || !is_released(attached)) ::_exit(3);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::_exit(attach(again) == clr::S_OK && !is_released(again) ? 0 : 4);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "not profiling this process");
}

// What began is ended before it is freed: threads of ours, ticks.
TEST(ProfilerRefusalDeathTest, EndsWhatHasBegun) {
  const auto body = [] {
    static FakeRuntime runtime(clr::E_FAIL);
    auto* profiler = new Profiler;
    ::alarm(kTimeoutSeconds);
    ::setenv("WALKABOUT_STREAM", "/dev/null", 1);
    ::setenv("WALKABOUT_INTERVAL", "100us", 1);
    constexpr uid_t kSomebody = 54321;  // root has as many threads as it wants
    if (::geteuid() == 0 && ::setresuid(kSomebody, kSomebody, kSomebody) != 0) ::_exit(2);
    const rlimit one_more{2, 2};  // the spooler's, and none for the sampler
    if (::setrlimit(RLIMIT_NPROC, &one_more) != 0) ::_exit(3);
    if (profiler->Initialize(&runtime) == clr::S_OK) ::_exit(4);
    const uint64_t end_ns = base::thread_cpu_ns() + 20'000'000;
    while (base::thread_cpu_ns() < end_ns) {
    }
    ::_exit(runtime.references == 1 ? 0 : 5);
  };
  EXPECT_EXIT(body(), ::testing::ExitedWithCode(0), "no thread for the agent");
}

}  // namespace
}  // namespace walkabout::agent
