// The agent as it is, but that it stays in its callbacks, before its own work or behind it, until other
// threads have finished a collection, loaded a module and ended; in those callbacks in which the runtime lets
// some of that not happen, for 10 ms or until the rest has. One thread at a time stays, and none before all
// three have happened once. At the end the agent reports, for each callback and event, how often each of the
// three came.
#include <time.h>

#include <array>
#include <atomic>
#include <string>

#include "agent/entry/make_profiler.h"
#include "agent/linux/session/profiler.h"
#include "agent/linux/session/recording.h"
#include "clr/abi/callback_report.h"

namespace walkabout::agent {
namespace {

enum What : uint32_t { kCollection = 1, kLoad = 2, kDeath = 4 };
constexpr uint32_t kEverything = kCollection | kLoad | kDeath;
constexpr std::array<What, 3> kWhats{kCollection, kLoad, kDeath};

// Where the agent stays: the callbacks, and the runtime's events by their ids, that it does something in; and
// what may happen meanwhile. The others: all threads are stopped, or about to be (0), or the thread is in
// cooperative mode, and a collection waits for it.
struct Stay {
  const char* name;
  uint32_t event;  // 0: a callback
  uint32_t may_happen;
};
constexpr uint32_t kNoCollection = kLoad | kDeath;
enum Callback : size_t {
  kModuleLoadFinished,
  kModuleUnloadStarted,
  kModuleUnloadFinished,
  kThreadAssigned,
  kThreadDestroyed,
  kThreadNameChanged,
  kSuspendStarted,
  kSuspendFinished,
  kResumeStarted,
  kResumeFinished,
  kThreadSuspended,
  kFirstEvent
};
constexpr Stay kStays[] = {
    {"ModuleLoadFinished", 0, kEverything},
    {"ModuleUnloadStarted", 0, kEverything},
    {"ModuleUnloadFinished", 0, kEverything},
    {"ThreadAssignedToOSThread", 0, kEverything},
    {"ThreadDestroyed", 0, kEverything},
    {"ThreadNameChanged", 0, kEverything},
    {"RuntimeSuspendStarted", 0, 0},
    {"RuntimeSuspendFinished", 0, 0},
    {"RuntimeResumeStarted", 0, 0},
    {"RuntimeResumeFinished", 0, kEverything},
    {"RuntimeThreadSuspended", 0, kEverything},
    {"GCStart", 1, 0},
    {"GCEnd", 2, 0},
    {"GCRestartEEEnd", 3, kEverything},
    {"GCHeapStats", 4, 0},
    {"GCRestartEEBegin", 7, 0},
    {"GCSuspendEEEnd", 8, 0},
    {"GCSuspendEEBegin", 9, kEverything},
    {"AllocationTick", 10, kNoCollection},
    {"ThreadPoolWorkerThreadStart", 50, kEverything},
    {"ThreadPoolWorkerThreadAdjustmentAdjustment", 55, kEverything},
    {"TypeLoadStart", 73, kEverything},
    {"TypeLoadStop", 74, kEverything},
    {"ExceptionThrown", 80, kNoCollection},
    {"ContentionStart", 81, kEverything},
    {"ThreadCreated", 85, kEverything},
    {"ContentionStop", 91, kEverything},
    {"MethodLoadVerbose", 143, kEverything},
    {"MethodUnloadVerbose", 144, kEverything},
    {"MethodJittingStarted", 145, kEverything},
    {"ModuleLoad", 152, kEverything},
    {"AssemblyLoad", 154, kEverything},
    {"WaitHandleWaitStart", 301, kEverything},
    {"WaitHandleWaitStop", 302, kEverything},
    {"AllocationSampled", 303, kNoCollection},
};
constexpr size_t kNowhere = std::size(kStays);

constexpr uint32_t kTries = 1000;  // of one callback, until all that may has happened
constexpr long kPauseNs = 200'000;
constexpr int kPauses = 100;    // of one try: 20 ms
constexpr int kFewPauses = 50;  // where a collection cannot end, and soon everything waits for one

struct Seen {
  std::atomic<uint32_t> tries{0};
  std::array<std::atomic<uint32_t>, kWhats.size()> came{};
};

size_t stay_of(uint32_t event) {
  for (size_t i = kFirstEvent; i < kNowhere; ++i)
    if (kStays[i].event == event) return i;
  return kNowhere;
}

class HeldProfiler : public Profiler {
 public:
  clr::HRESULT ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) override {
    happened(kLoad);
    return held(kModuleLoadFinished, [&] { return Profiler::ModuleLoadFinished(module, status); });
  }
  clr::HRESULT ModuleUnloadStarted(clr::ModuleID module) override {
    return held(kModuleUnloadStarted, [&] { return Profiler::ModuleUnloadStarted(module); });
  }
  clr::HRESULT ModuleUnloadFinished(clr::ModuleID module, clr::HRESULT status) override {
    return held(kModuleUnloadFinished, [&] { return Profiler::ModuleUnloadFinished(module, status); });
  }
  clr::HRESULT ThreadAssignedToOSThread(clr::ThreadID thread, uint32_t os_thread) override {
    return held(kThreadAssigned, [&] { return Profiler::ThreadAssignedToOSThread(thread, os_thread); });
  }
  clr::HRESULT ThreadDestroyed(clr::ThreadID thread) override {
    happened(kDeath);
    return held(kThreadDestroyed, [&] { return Profiler::ThreadDestroyed(thread); });
  }
  clr::HRESULT ThreadNameChanged(clr::ThreadID thread, uint32_t length, clr::WCHAR* name) override {
    return held(kThreadNameChanged, [&] { return Profiler::ThreadNameChanged(thread, length, name); });
  }
  clr::HRESULT RuntimeSuspendStarted(clr::COR_PRF_SUSPEND_REASON reason) override {
    return held(kSuspendStarted, [&] { return Profiler::RuntimeSuspendStarted(reason); });
  }
  clr::HRESULT RuntimeSuspendFinished() override {
    return held(kSuspendFinished, [&] { return Profiler::RuntimeSuspendFinished(); });
  }
  clr::HRESULT RuntimeResumeStarted() override {
    return held(kResumeStarted, [&] { return Profiler::RuntimeResumeStarted(); });
  }
  clr::HRESULT RuntimeResumeFinished() override {
    happened(kCollection);
    return held(kResumeFinished, [&] { return Profiler::RuntimeResumeFinished(); });
  }
  clr::HRESULT RuntimeThreadSuspended(clr::ThreadID thread) override {
    return held(kThreadSuspended, [&] { return Profiler::RuntimeThreadSuspended(thread); });
  }
  clr::HRESULT EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t id, uint32_t version,
                                       uint32_t metadata_size, const uint8_t* metadata, uint32_t size,
                                       const uint8_t* data, const clr::GUID* activity,
                                       const clr::GUID* related, clr::ThreadID thread, uint32_t frames,
                                       uintptr_t* stack) override {
    return held(stay_of(id), [&] {
      return Profiler::EventPipeEventDelivered(provider, id, version, metadata_size, metadata, size, data,
                                               activity, related, thread, frames, stack);
    });
  }

  clr::HRESULT Shutdown() override {
    ends_.store(true, std::memory_order_relaxed);
    for (size_t place = 0; place < kNowhere; ++place) report(place);
    return Profiler::Shutdown();
  }

 private:
  template <typename Work>
  clr::HRESULT held(size_t place, Work work) {
    const bool stays = is_wanted(place) && !busy_.exchange(true, std::memory_order_acquire);
    const uint32_t turn = stays ? seen_[place].tries.fetch_add(1, std::memory_order_relaxed) : 0;
    if (stays && turn % 2 == 0) stay(place);
    const clr::HRESULT hr = work();
    if (stays && turn % 2 != 0) stay(place);
    if (stays) busy_.store(false, std::memory_order_release);
    return hr;
  }

  // Once before the work and once behind it at least.
  bool is_wanted(size_t place) const {
    if (place == kNowhere || recording() == nullptr || ends_.load(std::memory_order_relaxed)) return false;
    if (seen_by(happened_) != kEverything) return false;
    const uint32_t tries = seen_[place].tries.load(std::memory_order_relaxed);
    const uint32_t missing = kStays[place].may_happen & ~seen_by(seen_[place].came);
    return tries < 2 || (tries < kTries && missing != 0);
  }

  static uint32_t seen_by(const std::array<std::atomic<uint32_t>, kWhats.size()>& counts) {
    uint32_t seen = 0;
    for (size_t i = 0; i < kWhats.size(); ++i)
      if (counts[i].load(std::memory_order_relaxed) != 0) seen |= kWhats[i];
    return seen;
  }

  void happened(What what) {
    for (size_t i = 0; i < kWhats.size(); ++i)
      if (kWhats[i] == what) happened_[i].fetch_add(1, std::memory_order_relaxed);
  }

  void stay(size_t place) {
    std::array<uint32_t, kWhats.size()> before{};
    for (size_t i = 0; i < kWhats.size(); ++i) before[i] = happened_[i].load(std::memory_order_relaxed);
    const uint32_t may_happen = kStays[place].may_happen;
    uint32_t came = 0;
    const int most = (may_happen & kCollection) == 0 ? kFewPauses : kPauses;
    for (int pauses = 0; pauses < most && (may_happen == 0 || (may_happen & ~came) != 0); ++pauses) {
      const timespec time{0, kPauseNs};
      ::nanosleep(&time, nullptr);
      for (size_t i = 0; i < kWhats.size(); ++i)
        if (happened_[i].load(std::memory_order_relaxed) != before[i]) came |= kWhats[i];
      if (ends_.load(std::memory_order_relaxed)) break;
    }
    for (size_t i = 0; i < kWhats.size(); ++i)
      if ((came & kWhats[i]) != 0) seen_[place].came[i].fetch_add(1, std::memory_order_relaxed);
  }

  void report(size_t place) {
    const Seen& seen = seen_[place];
    const uint32_t tries = seen.tries.load();
    if (tries == 0 || recording() == nullptr) return;
    std::string text = std::string("held in ") + kStays[place].name + " " + std::to_string(tries) + ":";
    constexpr std::array<const char*, kWhats.size()> kNames{" collections ", " loads ", " deaths "};
    for (size_t i = 0; i < kWhats.size(); ++i) {
      const bool may = (kStays[place].may_happen & kWhats[i]) != 0;
      text += kNames[i] + (may ? std::to_string(seen.came[i]) : std::string("-"));
    }
    recording()->spooler->report(wire::Severity::kInfo, text);
  }

  std::atomic<bool> busy_{false};
  std::array<std::atomic<uint32_t>, kWhats.size()> happened_{};
  std::array<Seen, kNowhere> seen_{};
  std::atomic<bool> ends_{false};
};

}  // namespace

clr::CallbackBase* make_profiler() { return new clr::Reporting<HeldProfiler>; }

}  // namespace walkabout::agent
