// Has the runtime compile chosen methods again with a probe in each (`walkabout count`, `walkabout trace`),
// and in the end as they were; says what became of them.
//
// What was loaded before the recording began is looked through on a thread of its own, some methods at a
// time; a module that is loaded later in the callback of its load, before any code of it runs. So of a
// program that was started each call is seen, of one that ran already each from then on.
//
// module_loaded(): callbacks. The rewriter's part: compiling threads. emit(): the spooler. start(), stop():
// whoever begins and ends the recording. No lock is held across a call into the CLR.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "agent/linux/calls/chosen_methods.h"
#include "agent/linux/calls/code_port.h"
#include "agent/linux/calls/method_probe.h"
#include "agent/linux/calls/method_search.h"
#include "agent/linux/own_thread.h"
#include "base/mutex.h"
#include "wire/call_records.h"
#include "wire/method_pattern.h"

namespace walkabout::agent {

class MethodProbing final : public MethodRewriter {
 public:
  // What gets probes without a word more from the user.
  static constexpr size_t kMostWithoutAsking = 50'000;

  struct Parts {
    CodePort& port;
    MethodProbe& probe;
    clr::ICorProfilerInfo12* info;
  };
  MethodProbing(const Parts& parts, std::vector<wire::MethodPattern> patterns, bool any_number);
  virtual ~MethodProbing();
  MethodProbing(const MethodProbing&) = delete;
  MethodProbing& operator=(const MethodProbing&) = delete;

  // Of a program that runs: looks through these, none of which can be unloaded. *tid: that of the thread that
  // does. Of one that begins there is nothing to look through.
  base::Status start(std::vector<clr::ModuleID> modules, std::atomic<pid_t>* tid);
  // One that cannot be unloaded; and one that can, of which nothing gets a probe.
  void module_loaded(clr::ModuleID module);
  void leave_out(const std::string& path);
  // What was chosen and counted since the last time. time_us: of the recording.
  void emit(uint64_t time_us, std::string* records);
  // Gives all methods their own code back, unless the process ends. Nothing gets a probe any more. Once.
  void stop(bool process_ends);

  void rewrite(clr::ModuleID module, clr::mdMethodDef method,
               clr::ICorProfilerFunctionControl& control) override;
  void refused(clr::ModuleID module, clr::mdMethodDef method, clr::HRESULT why) override;

 private:
  using Key = ChosenMethods::Key;
  struct Problem {
    uint32_t index;
    std::string why;
  };

  bool looked();
  std::vector<clr::ModuleID> modules_seen();
  bool is_new(clr::ModuleID module);
  void note_caller(clr::ModuleID module, clr::mdMethodDef method);
  bool look_through(const std::vector<clr::ModuleID>& modules);
  bool ask_for(const std::vector<FoundMethod>& found, bool at_once);
  bool is_too_many(size_t more);
  bool take_up(clr::ModuleID module);
  bool request(const std::vector<uint32_t>& methods, bool at_once);
  void find_runtime_async(const std::vector<clr::ModuleID>& modules);
  void leave_alone(uint32_t index, std::string why) WALKABOUT_REQUIRES(mutex_);
  std::string change(const ProbedMethod& method, clr::ICorProfilerFunctionControl& control);
  void give_back();
  size_t revert(const std::vector<Key>& methods);

  const Parts parts_;
  const bool any_number_;
  MethodSearch search_;
  OwnThread thread_;
  std::atomic<bool> stopping_{false};
  std::atomic<uint32_t> loading_{0};  // callbacks in module_loaded()
  std::string last_state_;            // as emitted; the spooler's

  base::Mutex mutex_;
  std::unordered_set<clr::ModuleID> modules_ WALKABOUT_GUARDED_BY(mutex_);
  ChosenMethods methods_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<Problem> problems_ WALKABOUT_GUARDED_BY(mutex_);
  std::string declared_ WALKABOUT_GUARDED_BY(mutex_);  // records for the next pass
  wire::CallState state_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
