// The source "jit": each method that is compiled, with the time that took and the stack that needed it: the
// first caller's, or that of the thread that compiles in the background.
//
// On the thread that compiles, when it is done. By events on Linux, by callbacks on Windows, where the tier
// is not known and a name has no generic arguments.
#pragma once

#include "agent/sources/event_source.h"
#include "agent/sources/nested_times.h"
#include "clr/events/eventpipe_method.h"
#include "clr/names/short_name.h"

namespace walkabout::agent {

class JitSource final : public EventSource {
 public:
  // What is kept of a compiled method while the stack is walked.
  struct Compiled {
    uint64_t id = 0;  // MethodID of the event, FunctionID of the callback
    uint64_t own_ns = 0;
    uint32_t il_size = 0, size = 0;
    uint8_t tier = 0;
    clr::EventString type, name;
  };
  JitSource() : EventSource(wire::source_id("jit"), kShare, kLabelsOfSums) {}
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  base::Status start(const SourceContext& context) override;
  void on_event(const RuntimeEvent& event) override;
  void on_compile_begin(clr::FunctionID method, uint32_t il_size) override;
  void on_compile_end(clr::FunctionID method, uint32_t code_size) override;

 private:
  void begins(const RuntimeEvent& event, NestedTimes& compiles);
  void ends(const RuntimeEvent& event, NestedTimes& compiles);
  // name(): the text of the method's name, where the stack will be walked.
  template <typename Name>
  void capture(const Compiled& method, Name name);

  static constexpr uint32_t kShare = 10;
  // In a sum a method is one of its tier.
  static constexpr size_t kLabelsOfSums = 1;
  PerThread<NestedTimes> compiles_;
  PerThread<clr::ShortName> names_;  // where a thread puts one together
  clr::ICorProfilerInfo12* info_ = nullptr;
};

}  // namespace walkabout::agent
