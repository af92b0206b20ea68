#include "profile/query/pool_stack.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace walkabout::profile {
namespace {

struct Known {
  std::string_view begin;  // of the method's name
  PoolCall call;
};

// The first that fits counts.
constexpr Known kCalls[] = {
    {"System.Threading.Monitor.Wait(", PoolCall::kMonitorWait},
    {"System.Threading.Monitor.ObjWait(", PoolCall::kMonitorWait},
    {"System.Threading.Monitor.", PoolCall::kLock},
    {"System.Threading.Lock.", PoolCall::kLock},
    {"System.Threading.ReaderWriterLock", PoolCall::kLock},
    {"System.Threading.SemaphoreSlim.", PoolCall::kSemaphore},
    {"System.Threading.ManualResetEventSlim.", PoolCall::kHandle},
    {"System.Threading.WaitHandle.", PoolCall::kHandle},
    {"System.Threading.CountdownEvent.", PoolCall::kHandle},
    {"System.Threading.Barrier.", PoolCall::kHandle},
    {"System.Threading.Thread.Sleep", PoolCall::kSleep},
    {"System.Threading.Thread.Join(", PoolCall::kJoin},
    {"System.Net.", PoolCall::kNetwork},
    {"System.IO.", PoolCall::kFile},
    {"Microsoft.Win32.SafeHandles.SafeFileHandle.", PoolCall::kFile},
    {"System.Diagnostics.Process", PoolCall::kProcess},
};

bool is_of_framework(std::string_view name) {
  return name.starts_with("System.") || name.starts_with("Microsoft.") || name.starts_with("Interop") ||
         name.starts_with("[") || name.starts_with("(dynamicClass)") ||
         name.find("IL_STUB") != std::string_view::npos;
}

// The outermost method that is known: what is below is how it waits.
class CallFinder {
 public:
  // From the leaf outward.
  void see(std::string_view method) {
    on_task_ = on_task_ || waits_for_task(method);
    const auto known = std::find_if(std::begin(kCalls), std::end(kCalls),
                                    [&](const Known& one) { return method.starts_with(one.begin); });
    if (known != std::end(kCalls)) call_ = known->call;
  }
  PoolCall call() const { return on_task_ ? PoolCall::kTask : call_; }

 private:
  bool on_task_ = false;
  PoolCall call_ = PoolCall::kOther;
};

}  // namespace

const char* to_string(PoolCall call) {
  constexpr std::array<const char*, kPoolCalls> kTexts = {
      "sync over async", "lock",         "Monitor.Wait", "semaphore",
      "event or handle", "Thread.Sleep", "Thread.Join",  "network",
      "file or pipe",    "process",      "other",        "native code or the runtime"};
  return kTexts[static_cast<size_t>(call)];
}

PoolStack pool_stack(const Profile& profile, uint32_t node) {
  PoolStack out;
  CallFinder finder;
  for (; node != 0; node = profile.nodes[node].parent) {
    const uint32_t frame = profile.nodes[node].frame;
    if (profile.frames[frame].kind != Kind::kManaged) continue;
    const std::string_view name = profile.frames[frame].name;
    if (takes_pools_work(name)) {
      out.of = PoolStack::Of::kWork;
      break;
    }
    if (is_pools_worker(name)) {
      out.of = PoolStack::Of::kIdle;
      break;
    }
    if (out.caller != kNoFrame) continue;
    if (!is_of_framework(name)) {
      out.caller = frame;
    } else {
      out.method = frame;
      finder.see(name);
    }
  }
  const bool is_native = out.method == kNoFrame;
  out.call = is_native ? PoolCall::kNative : finder.call();
  return out;
}

}  // namespace walkabout::profile
