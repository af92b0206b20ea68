// Tests only: the agent, which also walks the calling thread from inside the CLR's callbacks, where nothing
// is stopped, while its sampler goes on. What was walked is named at Shutdown and written to the file
// WALKABOUT_WALKS, a line for each walk:
//   callback TAB compared|filled TAB what DoStackSnapshot returned TAB how it ended TAB frames TAB the CLR's
//   frames
// frames: leaf first, with | between; native ones "[native]". compared: our own walk and the CLR's; filled:
// the CLR's with native frames filled in, as the sampler has them. Callbacks come on any thread; one lock, of
// what was walked, not held across a call into the CLR.
#include "base/windows/win32.h"
// after win32.h
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "agent/windows/session/profiler.h"
#include "agent/windows/session/thread_walk.h"
#include "clr/abi/profiler_server.h"
#include "clr/names/method_name.h"
#include "tests/windows/frame_infos.h"
#include "wire/agent_id.h"

namespace {

using namespace walkabout;

constexpr uint32_t kDepth = 256;
constexpr size_t kMost = 300;      // walks kept of one callback
constexpr int kMostRequests = 40;  // exceptions at which frame infos are requested

struct Walked {
  std::string callback;
  bool compared = false;
  std::string answer;
  wire::WalkEnd end{};
  std::vector<wire::Frame> frames, clr_frames;
};

class CallbackWalks final : public agent::WindowsProfiler {
 public:
  clr::HRESULT Initialize(clr::IUnknown* unknown) override {
    const clr::HRESULT result = WindowsProfiler::Initialize(unknown);
    uint32_t low = 0, high = 0;
    if (clr::failed(result) || clr::failed(info()->GetEventMask2(&low, &high))) return result;
    return info()->SetEventMask2(low | clr::COR_PRF_MONITOR_EXCEPTIONS, high | clr::COR_PRF_HIGH_BASIC_GC);
  }

  clr::HRESULT Shutdown() override {
    write();
    return WindowsProfiler::Shutdown();
  }

  clr::HRESULT ModuleLoadFinished(clr::ModuleID module, clr::HRESULT status) override {
    const clr::HRESULT result = WindowsProfiler::ModuleLoadFinished(module, status);
    clr::ThreadID first = 0;
    if (recording() != nullptr && first_.load() == 0 && !clr::failed(info()->GetCurrentThreadID(&first)))
      first_.store(first);
    walk("ModuleLoadFinished");
    return result;
  }

  clr::HRESULT GarbageCollectionStarted(int generations, clr::BOOL* collected,
                                        clr::COR_PRF_GC_REASON reason) override {
    walk("GarbageCollectionStarted");
    return WindowsProfiler::GarbageCollectionStarted(generations, collected, reason);
  }

  clr::HRESULT ExceptionThrown(clr::ObjectID) override {
    walk("ExceptionThrown");
    if (recording() == nullptr || requests_.fetch_add(1) >= kMostRequests) return clr::S_OK;
    frame_infos_.request(info(), 0);
    if (first_.load() != 0) frame_infos_.request(info(), first_.load());
    return clr::S_OK;
  }

 private:
  void walk(const char* callback) {
    if (recording() == nullptr) return;
    {
      const std::lock_guard lock(mutex_);
      if (count_[callback] >= kMost) return;
      ++count_[callback];
    }
    for (const bool compared : {false, true}) {
      Walked walked = walk_self(compared);
      walked.callback = callback;
      const std::lock_guard lock(mutex_);
      walked_.push_back(std::move(walked));
    }
  }

  Walked walk_self(bool compared) {
    agent::ThreadWalk walk(
        {info(), recording()->registry, recording()->watchdog, agent::NativeFrames::kFull, kDepth, compared});
    std::vector<uint64_t> memory(sizeof(wire::RawSample) / sizeof(uint64_t) + kDepth * 2);
    auto* sample = new (memory.data()) wire::RawSample;
    const agent::ThreadHandle self(static_cast<pid_t>(::GetCurrentThreadId()));
    walk.walk_self(self.stack(), sample);
    const auto* frames = reinterpret_cast<const wire::Frame*>(sample + 1);
    const auto* clr_frames = frames + sample->frames;
    return {{},
            compared,
            walk.figures().sentences().at(0),
            sample->end,
            {frames, clr_frames},
            {clr_frames, clr_frames + sample->clr_frames}};
  }

  clr::FunctionID function_of(wire::Frame frame) {
    agent::CompiledMethod method;
    if (frame.kind() == wire::FrameKind::kJitted &&
        recording()->registry.compiled_method(frame.code(), &method))
      return method.function;
    clr::FunctionID function = 0;
    const unwind::ReaderGate::Reader inside(recording()->gate);
    for (const unwind::Image* image : recording()->registry.all_images()) {
      if (image->code != frame.code()) continue;
      // A return address may lie behind the last instruction.
      const auto* at = reinterpret_cast<const uint8_t*>(image->base + frame.offset() - 1);
      if (!clr::failed(info()->GetFunctionFromIP(at, &function))) return function;
    }
    return 0;
  }

  std::string names_of(const std::vector<wire::Frame>& frames, clr::MethodNames& names) {
    std::string all;
    for (const wire::Frame frame : frames) {
      const clr::FunctionID function = frame.managed() ? function_of(frame) : 0;
      const clr::MethodName name = function != 0 ? names.of(function) : clr::MethodName{};
      if (!all.empty()) all += '|';
      all += function != 0 ? (name.type.empty() ? name.method : name.type + "." + name.method)
                           : (frame.managed() ? "?" : "[native]");
    }
    return all;
  }

  void write() {
    const char* path = std::getenv("WALKABOUT_WALKS");
    std::FILE* file = path != nullptr && recording() != nullptr ? std::fopen(path, "wb") : nullptr;
    if (file == nullptr) return;
    clr::MethodNames names(info());
    std::vector<Walked> all;
    {
      const std::lock_guard lock(mutex_);
      all.swap(walked_);
    }
    for (const Walked& w : all) {
      std::fprintf(file, "%s\t%s\t%s\t%d\t%s\t%s\n", w.callback.c_str(), w.compared ? "compared" : "filled",
                   w.answer.c_str(), static_cast<int>(w.end), names_of(w.frames, names).c_str(),
                   names_of(w.clr_frames, names).c_str());
    }
    frame_infos_.write(file, names);
    std::fclose(file);
  }

  std::atomic<clr::ThreadID> first_{0};  // that the CLR began on; it runs Main
  std::atomic<int> requests_{0};
  tests::FrameInfos frame_infos_;
  std::mutex mutex_;
  std::map<std::string, size_t> count_;
  std::vector<Walked> walked_;
};

clr::IUnknown* make() { return static_cast<clr::ICorProfilerCallback11*>(new CallbackWalks); }

}  // namespace

extern "C" clr::HRESULT DllGetClassObject(const clr::GUID& clsid, const clr::GUID& riid, void** object) {
  return clr::serve_profiler<make>(clr::guid(wire::kAgentClsid), clsid, riid, object);
}

extern "C" clr::HRESULT DllCanUnloadNow() { return clr::S_FALSE; }
