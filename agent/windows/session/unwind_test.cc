// Our steps against the system's: RtlVirtualUnwind on the same stopped thread, frame by frame to its entry.
#include "base/windows/win32.h"
// after win32.h
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <sstream>
#include <string>

#include "agent/windows/context_registers.h"
#include "agent/windows/dynamic_function.h"
#include "agent/windows/session/images.h"
#include "agent/windows/stopped_thread.h"
#include "unwind/managed/pe_walk.h"

namespace walkabout::agent {
namespace {

std::atomic<bool> g_stop{false};
std::atomic<uint64_t> g_sink{0};

int compare(const void* a, const void* b) {
  g_sink.fetch_add(1);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}

// Callbacks, the heap, short functions, system calls.
DWORD WINAPI work(void*) {
  int items[64];
  while (!g_stop.load()) {
    for (int& item : items) item = std::rand();
    std::qsort(items, 64, sizeof(int), compare);
    void* memory = ::HeapAlloc(::GetProcessHeap(), 0, 16 + static_cast<size_t>(items[0] % 4096));
    ::HeapFree(::GetProcessHeap(), 0, memory);
    ::Sleep(0);
  }
  return 0;
}

// One step of the system's.
bool system_step(CONTEXT* c) {
  DWORD64 base = 0, frame = 0;
  void* handler = nullptr;
  const PRUNTIME_FUNCTION function = ::RtlLookupFunctionEntry(c->Rip, &base, nullptr);
  if (function == nullptr) {
    c->Rip = *reinterpret_cast<uint64_t*>(c->Rsp);
    c->Rsp += 8;
  } else {
    ::RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, c->Rip, function, c, &handler, &frame, nullptr);
  }
  return c->Rip != 0;
}

// Of one step. Plain numbers: what is written while the thread stands must not allocate, it may hold the
// heap.
struct Stepped {
  int frame = 0;
  bool we_go_on = false, they_go_on = false;
  uint64_t our_pc = 0, our_sp = 0, their_pc = 0, their_sp = 0;
  wire::WalkEnd end{};
};

std::string text_of(const Stepped& s) {
  std::ostringstream out;
  out << std::hex << "frame " << s.frame << ": ours " << s.we_go_on << ' ' << s.our_pc << " sp " << s.our_sp
      << " end " << static_cast<int>(s.end) << ", theirs " << s.they_go_on << ' ' << s.their_pc << " sp "
      << s.their_sp;
  return out.str();
}

struct Compared {
  int frames = 0;
  int same = 0;
  bool rooted = false;
  Stepped different;  // frame 0: none
};

// Wine's way back from the host's code is in no image.
int walks_from_elsewhere_allowed() {
  return ::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != nullptr ? 25 : 0;
}

struct UnwindTest : ::testing::Test {
  UnwindTest() {
    images.follow_loader();
    EXPECT_TRUE(dog.start().ok());
  }
  ~UnwindTest() override {
    images.stop_following();
    dog.stop();
  }

  // While the thread stands.
  Compared compare_steps(const StoppedThread& stopped) {
    Compared result;
    const unwind::ReaderGate::Reader inside(gate);
    const unwind::Memory memory = stopped.memory();
    const unwind::PeCodeMap code{&registry.images(), &registry.jitted(), find_dynamic_function};
    unwind::PeWalk ours(stopped.registers(), true, memory, code);
    alignas(16) CONTEXT theirs = stopped.context();
    for (;;) {
      ++result.frames;
      const bool we_go_on = ours.step();
      const bool they_go_on = system_step(&theirs);
      unwind::Registers expected = ours.registers();
      registers_of(theirs, &expected);
      const auto& mine = ours.registers();
      bool same = we_go_on == they_go_on && mine.pc() == expected.pc() && mine.sp() == expected.sp();
      for (unwind::Reg reg : {unwind::kRbx, unwind::kRbp, unwind::kRsi, unwind::kRdi, unwind::kR12,
                              unwind::kR13, unwind::kR14, unwind::kR15})
        same = same && mine.r[reg] == expected.r[reg];
      result.same += same;
      if (!same)
        result.different = {result.frames, we_go_on,      they_go_on,    mine.pc(),
                            mine.sp(),     expected.pc(), expected.sp(), ours.end()};
      if (!same || !we_go_on) break;
    }
    result.rooted = ours.end() == wire::WalkEnd::kRooted;
    return result;
  }

  const unwind::Image* find(uint64_t pc) {
    const unwind::ReaderGate::Reader inside(gate);
    return registry.images().find(pc);
  }

  unwind::ReaderGate gate;
  CodeRegistry registry{gate};
  Images images{registry};
  Watchdog dog;
};

TEST_F(UnwindTest, AnyInstructionOfARunningThread) {
  DWORD tid = 0;
  g_stop.store(false);
  HANDLE thread = ::CreateThread(nullptr, 0, work, nullptr, 0, &tid);
  const ThreadHandle handle(static_cast<pid_t>(tid));
  StackBounds bounds;
  while ((bounds = handle.stack()).hi == 0) ::Sleep(1);
  StoppedThread stopped(dog);
  int frames = 0, same = 0, walks = 0, rooted = 0, elsewhere = 0;
  Stepped first_difference;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(stopped.stop(handle, bounds));
    const unwind::Image* image = find(stopped.registers().pc());
    if (image != nullptr) stopped.take_code(image->end);
    const Compared compared = compare_steps(stopped);
    if (!stopped.resume())
      continue;  // it ran meanwhile: it stood in a lock that the lookup takes, or too long
    ++walks;
    ::Sleep(i % 2);
    if (image == nullptr) {  // on Wine's way back from the host's code, which neither of the two knows
      ++elsewhere;
      continue;
    }
    frames += compared.frames, same += compared.same, rooted += compared.rooted;
    if (first_difference.frame == 0) first_difference = compared.different;
  }
  g_stop.store(true);
  ::WaitForSingleObject(thread, INFINITE);
  ::CloseHandle(thread);
  EXPECT_GT(walks, 400);
  EXPECT_LE(elsewhere, walks_from_elsewhere_allowed());
  EXPECT_GT(frames, (walks - elsewhere) * 3);
  EXPECT_EQ(same, frames) << text_of(first_difference);
  EXPECT_EQ(rooted, walks - elsewhere);
}

}  // namespace
}  // namespace walkabout::agent
