// The stepping agent: the agent as it is, and two functions that a program under test calls around what is to
// be stepped through. Environment: what the agent wants (WALKABOUT_STREAM, …), and WALKABOUT_STEP_REPORT, the
// file the results are appended to.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/entry/make_profiler.h"
#include "agent/linux/own_thread.h"
#include "agent/linux/session/images.h"
#include "agent/linux/session/profiler.h"
#include "agent/linux/session/recording.h"
#include "clr/events/eventpipe_method.h"
#include "tests/step/step_report.h"
#include "tests/step/stepper.h"

namespace walkabout::agent {
namespace {

struct Stepping {
  step::Stepper stepper;
  step::Report report;
  std::string section;
};
std::atomic<Stepping*> g_stepping{nullptr};  // release: partner of the exported functions

class StepProfiler : public Profiler {
 public:
  clr::HRESULT Initialize(clr::IUnknown* unknown) override {
    const clr::HRESULT hr = Profiler::Initialize(unknown);
    if (clr::failed(hr)) return hr;
    CodeRegistry& registry = recording()->registry;
    const unwind::CodeMap code{&registry.images(), &registry.jitted(), find_new_module,
                               &registry.generation()};
    g_stepping.store(new Stepping{step::Stepper(code, recording()->gate), step::Report(registry, info()), {}},
                     std::memory_order_release);
    return hr;
  }

  clr::HRESULT EventPipeEventDelivered(clr::EVENTPIPE_PROVIDER provider, uint32_t event_id,
                                       uint32_t event_version, uint32_t metadata_size,
                                       const uint8_t* metadata, uint32_t data_size, const uint8_t* data,
                                       const clr::GUID* activity, const clr::GUID* related,
                                       clr::ThreadID thread, uint32_t frames, uintptr_t* stack) override {
    clr::MethodLoad event;
    Stepping* stepping = g_stepping.load(std::memory_order_acquire);
    if (stepping != nullptr && event_id == clr::kMethodLoadVerbose &&
        clr::parse_method_load({data, data_size}, event_version, &event) &&
        static_cast<wire::Tier>(event.tier) == wire::Tier::kOsr) {
      stepping->stepper.judge().note_replacement(event.start);
    }
    return Profiler::EventPipeEventDelivered(provider, event_id, event_version, metadata_size, metadata,
                                             data_size, data, activity, related, thread, frames, stack);
  }
};

void append(const std::string& text) {
  const char* path = ::getenv("WALKABOUT_STEP_REPORT");
  const int fd = path != nullptr ? ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (fd < 0) return;
  if (::write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) ::abort();
  ::close(fd);
}

// The CLR's object of the calling thread.
uint64_t own_runtime_thread() {
  for (const ThreadSlot& slot : thread_slots()) {
    if (slot.tid.load(std::memory_order_acquire) == ::gettid())
      return slot.clr_thread.load(std::memory_order_relaxed);
  }
  return 0;
}

}  // namespace

clr::CallbackBase* make_profiler() { return new StepProfiler; }

}  // namespace walkabout::agent

using walkabout::agent::g_stepping;

// Steps the calling thread from here on, for at most `budget` instructions. 0: it is not stepped.
extern "C" __attribute__((visibility("default"))) int walkabout_step_begin(const char* section,
                                                                           uint64_t budget) {
  auto* stepping = g_stepping.load(std::memory_order_acquire);
  if (stepping == nullptr) return 0;
  if (stepping->stepper.busy()) return 0;
  stepping->stepper.judge().set_unwinder(stepping->report.library("libgcc_s.so.1"));
  if (!stepping->stepper.begin(budget, walkabout::agent::own_runtime_thread())) return 0;
  stepping->section = section;
  return 1;
}

// By the thread that began.
extern "C" __attribute__((visibility("default"))) void walkabout_step_end() {
  auto* stepping = g_stepping.load(std::memory_order_acquire);
  if (stepping == nullptr) return;
  stepping->stepper.end();
  // The CLR answers questions for names on a thread of its own or on one it does not know.
  walkabout::agent::OwnThread thread;
  std::atomic<pid_t> tid{0};
  const auto write_report = [&] {
    walkabout::agent::append(stepping->report.of(stepping->section, stepping->stepper));
  };
  if (thread.start("walkabout-step", &tid, write_report).ok()) thread.join();
  stepping->stepper.done();
}
