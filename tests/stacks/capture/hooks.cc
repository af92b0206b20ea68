// Makes the agent a capturing one, in a library of its own (libwalkabout.so in build/…/capture/): the linker
// sends the handler's calls of the walker, its setting up and its end here (--wrap, see
// CMakeLists.txt), so that the production agent has no trace of it. WALKABOUT_CAPTURE names the file that
// takes the captured stacks, each behind its length (32 bits).
//
// The handler's part is async-signal-safe; a thread of its own reduces what it caught.
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <unordered_set>

#include "agent/linux/handler/handler.h"
#include "agent/linux/session/oracle.h"
#include "tests/stacks/capture/reduce.h"
#include "tests/stacks/capture/trace.h"

namespace walkabout::stacks {
namespace {

using agent::OracleAnswer;
using agent::OracleWalk;

constexpr size_t kPlaces = 32;
constexpr size_t kMaxStacks = 200'000;
constexpr uint64_t kMaxFile = 1u << 30;
constexpr unsigned kPauseUs = 300;

// Zero-initialized memory of the library: pages that are never used cost nothing.
CapturedWalk g_places[kPlaces];
unwind::CodeMap g_code;
std::atomic<bool> g_stop{false};
OracleWalk g_oracle = nullptr;
int g_file = -1;
pthread_t g_thread;
thread_local CapturedWalk* t_walk =
    nullptr;  // of this thread's tick: the walk or the CLR's answer is to come

CapturedWalk* claim() {
  for (CapturedWalk& place : g_places) {
    uint32_t free = CapturedWalk::kFree;
    if (place.state.compare_exchange_strong(free, CapturedWalk::kFilling, std::memory_order_acquire))
      return &place;
  }
  return nullptr;
}

void hand_over(CapturedWalk* walk) { walk->state.store(CapturedWalk::kReady, std::memory_order_release); }

void drop(CapturedWalk* walk) { walk->state.store(CapturedWalk::kFree, std::memory_order_release); }

// Of the calling thread's handler, before its sample is counted.
uint64_t sample_now(const agent::ThreadSlot& slot) {
  return slot.shared->cpu().samples.load(std::memory_order_relaxed);
}

// A place for this tick's walk: the one the CLR's answer already lies in, when it was asked first.
CapturedWalk* place_for(const agent::ThreadSlot& slot) {
  CapturedWalk* walk = t_walk;
  t_walk = nullptr;
  if (walk != nullptr && walk->sample == sample_now(slot)) return walk;
  if (walk != nullptr) drop(walk);  // of a tick without an answer
  walk = claim();
  if (walk == nullptr) return nullptr;
  walk->begin();
  walk->tid = static_cast<uint32_t>(slot.tid.load(std::memory_order_relaxed));
  walk->sample = sample_now(slot);
  return walk;
}

// In the handler, behind its own walk.
void capture(WalkFunction walker, const unwind::Registers& leaf, const unwind::Memory& memory,
             const unwind::CodeMap& code, const unwind::WalkOutcome& outcome, uint64_t frames) {
  const agent::ThreadSlot* slot = agent::current_slot();
  CapturedWalk* walk = slot != nullptr && g_file >= 0 ? place_for(*slot) : nullptr;
  if (walk == nullptr) return;
  walk->leaf = leaf;
  walk->outcome = outcome;
  walk->frame_count = frames;
  if (!trace(walker, memory, code, walk)) return drop(walk);
  if (!outcome.saw_managed || walk->clr_requested) return hand_over(walk);
  t_walk = walk;
}

// In the handler, before its own walk or behind it.
OracleAnswer request_clr_walk(const unwind::Registers& seed, const unwind::CodeMap& code,
                              std::span<const wire::Frame> ours, bool interrupted, wire::Frame* frames,
                              uint32_t capacity) {
  const OracleAnswer answer = g_oracle(seed, code, ours, interrupted, frames, capacity);
  const agent::ThreadSlot* slot = agent::current_slot();
  if (slot == nullptr) return answer;
  const bool walked = t_walk != nullptr && t_walk->sample == sample_now(*slot);
  CapturedWalk* walk = place_for(*slot);
  if (walk == nullptr) return answer;
  walk->clr_requested = true;
  walk->hresult = answer.hresult;
  walk->clr_count = std::min(answer.frames, kMaxFrames);
  std::copy(frames, frames + walk->clr_count, walk->clr);
  if (walked)
    hand_over(walk);
  else
    t_walk = walk;
  return answer;
}

// Loops give the same stack thousands of times.
uint64_t key_of(const CapturedWalk& walk) {
  uint64_t key = walk.clr_count;
  for (uint64_t i = 0; i < walk.traced_count; ++i) {
    key = (key ^ walk.frames[i].bits) * 0x9e3779b97f4a7c15u;
    key ^= key >> 29;
  }
  return key;
}

class Writer {
 public:
  void write(const CapturedWalk& walk, const unwind::CodeMap& code) {
    // A walk that differs with and without its memo is an error no fixture can show: say it.
    if (walk.frame_count != walk.traced_count || walk.outcome.end != walk.traced.end) {
      ::dprintf(STDERR_FILENO, "capture_stack: with its memo a walk had %lu frames, without it %lu\n",
                static_cast<unsigned long>(walk.frame_count), static_cast<unsigned long>(walk.traced_count));
      return;
    }
    if (seen_.size() >= kMaxStacks || written_ >= kMaxFile || !seen_.insert(key_of(walk)).second) return;
    StackFile file;
    if (!reduce(walk, code, &file)) return;
    const std::string message = encode(file);
    const auto size = static_cast<uint32_t>(message.size());
    std::string record(sizeof size, '\0');
    std::memcpy(record.data(), &size, sizeof size);
    record += message;
    if (::write(g_file, record.data(), record.size()) == static_cast<ssize_t>(record.size()))
      written_ += record.size();
  }

 private:
  std::unordered_set<uint64_t> seen_;
  uint64_t written_ = 0;
};

bool pass(Writer& writer) {
  bool any = false;
  for (CapturedWalk& walk : g_places) {
    if (walk.state.load(std::memory_order_acquire) != CapturedWalk::kReady) continue;
    {
      const unwind::ReaderGate::Reader inside(agent::tick_gate());
      writer.write(walk, g_code);
    }
    drop(&walk);
    any = true;
  }
  return any;
}

void* run(void*) {
  Writer writer;
  while (!g_stop.load(std::memory_order_acquire)) {
    if (!pass(writer)) ::usleep(kPauseUs);
  }
  pass(writer);
  return nullptr;
}

void start(const agent::HandlerSetup& setup) {
  const char* path = ::getenv("WALKABOUT_CAPTURE");
  if (path == nullptr || setup.oracle == nullptr) return;
  g_code = setup.code;
  g_oracle = setup.oracle;
  const int file = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  sigset_t all, before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  if (file >= 0 && ::pthread_create(&g_thread, nullptr, run, nullptr) == 0) g_file = file;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace
}  // namespace walkabout::stacks

// The linker's names for what is wrapped. A function whose type has changed is not wrapped any more: its
// mangled name, spelled in CMakeLists.txt, is another one.
namespace wb = walkabout;
static_assert(std::is_same_v<decltype(wb::unwind::walk),
                             wb::unwind::WalkOutcome(const wb::unwind::Registers&, const wb::unwind::Memory&,
                                                     const wb::unwind::CodeMap&, wb::unwind::FrameSink&,
                                                     wb::unwind::WalkMemo*, wb::unwind::Seed)>);
static_assert(std::is_same_v<decltype(wb::agent::set_handler), void(const wb::agent::HandlerSetup&)>);
static_assert(std::is_same_v<decltype(wb::agent::stop_handler), void()>);

#define WALK \
  _ZN9walkabout6unwind4walkERKNS0_9RegistersERKNS0_6MemoryERKNS0_7CodeMapERNS0_9FrameSinkEPNS0_8WalkMemoENS0_4SeedE
#define SET_HANDLER _ZN9walkabout5agent11set_handlerERKNS0_12HandlerSetupE
#define STOP_HANDLER _ZN9walkabout5agent12stop_handlerEv
#define JOIN(a, b) a##b
#define REAL(name) JOIN(__real_, name)
#define WRAP(name) JOIN(__wrap_, name)

extern "C" {
wb::unwind::WalkOutcome REAL(WALK)(const wb::unwind::Registers&, const wb::unwind::Memory&,
                                   const wb::unwind::CodeMap&, wb::unwind::FrameSink&, wb::unwind::WalkMemo*,
                                   wb::unwind::Seed);
void REAL(SET_HANDLER)(const wb::agent::HandlerSetup&);
void REAL(STOP_HANDLER)();

wb::unwind::WalkOutcome WRAP(WALK)(const wb::unwind::Registers& leaf, const wb::unwind::Memory& memory,
                                   const wb::unwind::CodeMap& code, wb::unwind::FrameSink& sink,
                                   wb::unwind::WalkMemo* memo, wb::unwind::Seed seed) {
  const wb::unwind::WalkOutcome outcome = REAL(WALK)(leaf, memory, code, sink, memo, seed);
  wb::stacks::capture(REAL(WALK), leaf, memory, code, outcome, sink.total());
  return outcome;
}

void WRAP(SET_HANDLER)(const wb::agent::HandlerSetup& setup) {
  wb::agent::HandlerSetup capturing = setup;
  wb::stacks::start(setup);
  if (wb::stacks::g_file >= 0) capturing.oracle = wb::stacks::request_clr_walk;
  REAL(SET_HANDLER)(capturing);
}

void WRAP(STOP_HANDLER)() {
  REAL(STOP_HANDLER)();
  if (wb::stacks::g_file < 0) return;
  wb::stacks::g_stop.store(true, std::memory_order_release);
  ::pthread_join(wb::stacks::g_thread, nullptr);
}
}
