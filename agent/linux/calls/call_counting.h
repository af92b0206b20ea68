// Counts the calls of chosen methods (`walkabout count`): has the runtime compile them again with a call of
// walkabout_count_call() at their beginning, and says what was counted.
//
// What was loaded before the recording began is looked through on a thread of its own, some methods at a
// time; a module that is loaded later in the callback of its load, before any code of it runs. So of a
// program that was started each call is counted, of one that ran already each from then on.
//
// module_loaded(): callbacks. The rewriter's part: compiling threads. emit(): the spooler. start(), stop():
// whoever begins and ends the recording. No lock is held across a call into the CLR.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/linux/calls/call_counters.h"
#include "agent/linux/calls/chosen_methods.h"
#include "agent/linux/calls/code_port.h"
#include "agent/linux/own_thread.h"
#include "base/mutex.h"
#include "clr/names/module_names.h"
#include "wire/call_records.h"
#include "wire/method_pattern.h"

namespace walkabout::agent {

class CallCounting final : public MethodRewriter {
 public:
  // What is counted without a word more from the user.
  static constexpr size_t kMostWithoutAsking = 50'000;

  struct Parts {
    CodePort& port;
    CallCounters& counters;
    clr::ICorProfilerInfo12* info;
  };
  CallCounting(const Parts& parts, std::vector<wire::MethodPattern> patterns, bool any_number);
  virtual ~CallCounting();
  CallCounting(const CallCounting&) = delete;
  CallCounting& operator=(const CallCounting&) = delete;

  // Of a program that runs: looks through these, none of which can be unloaded. *tid: that of the thread that
  // does. Of one that begins there is nothing to look through.
  base::Status start(std::vector<clr::ModuleID> modules, std::atomic<pid_t>* tid);
  // One that cannot be unloaded; and one that can, of which nothing is counted.
  void module_loaded(clr::ModuleID module);
  void leave_out(const std::string& path);
  // What was chosen and counted since the last time. time_us: of the recording.
  void emit(uint64_t time_us, std::string* records);
  // Gives all methods their own code back, unless the process ends. Nothing is counted any more. Once.
  void stop(bool process_ends);

  void rewrite(clr::ModuleID module, clr::mdMethodDef method,
               clr::ICorProfilerFunctionControl& control) override;
  void refused(clr::ModuleID module, clr::mdMethodDef method, clr::HRESULT why) override;

 private:
  using Key = ChosenMethods::Key;
  struct Chosen {
    clr::ModuleID module;
    clr::mdMethodDef token;
    std::string problem;  // why it is left alone; empty: it is not
  };
  struct Problem {
    uint32_t index;
    std::string why;
  };
  struct PatternState {
    uint64_t methods = 0;
    std::string similar;
    bool emitted = false;  // as it is
  };

  bool looked();
  bool is_new(clr::ModuleID module);
  bool may_match(std::string_view file) const;
  void note_caller(clr::ModuleID module, clr::mdMethodDef method);
  bool look_through(const std::vector<clr::ModuleID>& modules);
  void look(clr::ModuleID module, std::vector<Chosen>* chosen);
  bool ask_for(const std::vector<Chosen>& chosen, bool at_once);
  bool is_too_many(size_t more);
  bool request(const std::vector<uint32_t>& methods, bool at_once);
  void find_similar();
  void find_runtime_async(const std::vector<clr::ModuleID>& modules);
  void leave_alone(uint32_t index, std::string why) WALKABOUT_REQUIRES(mutex_);
  std::string change(clr::ModuleID module, clr::mdMethodDef method, uint32_t index,
                     clr::mdSignature signature, clr::ICorProfilerFunctionControl& control);
  clr::mdSignature signature_in(clr::ModuleID module);
  size_t revert(const std::vector<Key>& methods);
  wire::CountedMethod describe(uint32_t index, clr::ModuleNames& names, clr::mdMethodDef token) const;
  void emit_counts(uint64_t time_us, size_t declared, std::string* records);

  const Parts parts_;
  const std::vector<wire::MethodPattern> patterns_;
  const bool any_number_;
  OwnThread thread_;
  std::atomic<bool> stopping_{false};
  std::atomic<uint32_t> loading_{0};  // callbacks in module_loaded()
  std::vector<uint64_t> emitted_;     // by method; the spooler's
  std::string last_state_;            // as emitted; the spooler's

  base::Mutex mutex_;
  std::unordered_set<clr::ModuleID> modules_ WALKABOUT_GUARDED_BY(mutex_);
  ChosenMethods methods_ WALKABOUT_GUARDED_BY(mutex_);
  std::unordered_map<clr::ModuleID, clr::mdSignature> signatures_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<PatternState> pattern_states_ WALKABOUT_GUARDED_BY(mutex_);
  std::vector<Problem> problems_ WALKABOUT_GUARDED_BY(mutex_);
  std::string declared_ WALKABOUT_GUARDED_BY(mutex_);  // records for the next pass
  wire::CallState state_ WALKABOUT_GUARDED_BY(mutex_);
};

}  // namespace walkabout::agent
