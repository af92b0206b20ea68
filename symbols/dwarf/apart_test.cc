// Work in a process of its own: however it ends, this one goes on and knows.
#include "symbols/dwarf/apart.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <vector>

#include "base/fd.h"
#include "base/sanitizers.h"

namespace walkabout::symbols {
namespace {

TEST(Apart, HasItsAnswer) {
  std::string word = "as it was";
  const ApartResult done = run_apart({}, {}, [&word] {
    word = "changed there";
    return std::string(1 << 20, 'x');
  });
  EXPECT_EQ(done.end, ApartEnd::kDone);
  EXPECT_EQ(done.answer, std::string(1 << 20, 'x'));
  EXPECT_EQ(word, "as it was");
  EXPECT_EQ(run_apart({}, {}, [] { return std::string(); }).end, ApartEnd::kDone);
}

TEST(Apart, ACrashIsItsOwn) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL}) {
    const ApartResult crashed = run_apart({}, {}, [signal]() -> std::string {
      ::signal(signal, SIG_DFL);
      ::raise(signal);
      return "went on";
    });
    EXPECT_EQ(crashed.end, ApartEnd::kCrashed) << signal;
    EXPECT_EQ(crashed.answer, "");
  }
  EXPECT_EQ(run_apart({}, {}, []() -> std::string { ::_exit(0); }).end, ApartEnd::kCrashed)
      << "it ended without an answer";
  EXPECT_EQ(run_apart({}, {}, []() -> std::string { throw 1; }).end, ApartEnd::kCrashed);
}

TEST(Apart, MemoryIsBounded) {
  ApartLimits limits;
  limits.memory = 64 << 20;
  const ApartResult full = run_apart(limits, {}, []() -> std::string {
    std::vector<std::string> all;
    for (;;) all.emplace_back(1 << 20, 'x');
  });
  // AddressSanitizer's allocator throws nothing: it ends the process itself.
  EXPECT_EQ(full.end, base::kAddressSanitizer ? ApartEnd::kCrashed : ApartEnd::kOutOfMemory);
}

TEST(Apart, TimeIsBounded) {
  ApartLimits limits;
  limits.seconds = 1;
  const ApartResult busy = run_apart(limits, {}, []() -> std::string {
    for (;;) ::getppid();
  });
  EXPECT_EQ(busy.end, ApartEnd::kTooLong);
  EXPECT_GE(busy.cpu_us, 500'000u);
  limits.clock_seconds = 1;
  const ApartResult waiting = run_apart(limits, {}, []() -> std::string {
    for (;;) ::pause();
  });
  EXPECT_EQ(waiting.end, ApartEnd::kTooLong);
}

TEST(Apart, TooLongAnAnswerIsNone) {
  ApartLimits limits;
  limits.answer = 1000;
  const ApartResult endless = run_apart(limits, {}, [] { return std::string(10 << 20, 'x'); });
  EXPECT_EQ(endless.end, ApartEnd::kTooLong);
  EXPECT_EQ(endless.answer, "");
}

TEST(Apart, OnlyWhatIsNamedIsOpen) {
  const base::Fd kept(::open("/dev/null", O_RDONLY | O_CLOEXEC)), other(::open("/dev/null", O_RDONLY));
  const ApartResult done = run_apart({}, {kept.get()}, [&] {
    return std::string(::fcntl(kept.get(), F_GETFD) >= 0 ? "kept " : "") +
           (::fcntl(other.get(), F_GETFD) >= 0 ? "other" : "");
  });
  EXPECT_EQ(done.answer, "kept ");
}

// As whoever started us may have it.
TEST(Apart, AlsoWhereNobodyReportsEnds) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  const ApartResult done = run_apart({}, {}, [] { return std::string("done"); });
  const ApartResult crashed = run_apart({}, {}, []() -> std::string { ::abort(); });
  ::signal(SIGCHLD, before);
  EXPECT_EQ(done.end, ApartEnd::kDone);
  EXPECT_EQ(done.answer, "done");
  EXPECT_EQ(crashed.end, ApartEnd::kCrashed);
}

}  // namespace
}  // namespace walkabout::symbols
