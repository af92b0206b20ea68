// The source "callbacks": the callbacks of the profiling API, each with its whole stack, its name, and the
// name of what it is about where the runtime says that without a collection. By parts (wire/sources.h), so
// that a program pays for those alone that were asked for.
//
// On the thread that the runtime calls, before the agent does its own part: in any mode of the thread, also
// while all threads stand. An object's type is read while it may not move.
#pragma once

#include <array>
#include <atomic>

#include "agent/shared/pages.h"
#include "agent/sources/event_source.h"
#include "clr/abi/callback_report.h"
#include "clr/names/short_name.h"

namespace walkabout::agent {

class CallbacksSource final : public EventSource {
 public:
  CallbacksSource() : EventSource(wire::source_id("callbacks"), kShare), known_(kKnown) {}
  wire::Source declaration(uint64_t period_ns) const override;
  void choose(uint32_t parts) override { parts_ = parts; }
  SourceNeeds needs(uint32_t runtime) const override;
  std::string refusal(bool attached, bool beside) const override;
  base::Status start(const SourceContext& context) override;
  void stop() override {
    EventSource::stop();
    once_.end();
    many_.end();
  }
  void on_callback(const clr::CallbackCall& call) override;

 private:
  enum class Object : uint8_t;
  struct Row;
  // Where a thread puts a name together: its stack may have no room for one.
  struct Room {
    clr::ShortName name;
    bool used = false;  // by a call that this one is within
  };
  static const Row& row_of(clr::Callback callback);
  // What the call is about: a text, or 0. room: the calling thread's.
  uint64_t object(const Row& row, const clr::CallbackCall& call, Room& room);
  // False: another thing may have the id soon.
  bool find_name(const Row& row, const clr::CallbackCall& call, uint64_t id, clr::ShortName& name) const;
  uint64_t known(uint64_t id) const;
  void know(uint64_t id, uint64_t text);
  void forget();

  // The callbacks of some parts come in storms: they have captures of their own. Where each is about another
  // thing, that is left out of sums.
  static constexpr uint32_t kShare = 10;
  static constexpr EventCapture::Share kShareOfMany{50, true};
  static constexpr size_t kLabelsOfOnce = 1;
  EventCapture once_{wire::source_id("callbacks"), kShareOfMany, kLabelsOfOnce};
  EventCapture many_{wire::source_id("callbacks"), kShareOfMany};
  uint32_t parts_ = 0;
  clr::ICorProfilerInfo12* info_ = nullptr;
  std::array<uint64_t, clr::kCallbacks> names_{};  // texts of the callbacks' names
  // Names of classes and functions that were looked for last, until a module goes: id << kTextBits | text, at
  // a place that the id says. Ids are addresses, of 47 bits.
  static constexpr size_t kKnown = 8192;
  static constexpr uint32_t kTextBits = 17;
  static_assert(TextTable::kSlots <= size_t{1} << kTextBits);
  mutable PagedArray<std::atomic<uint64_t>> known_;
  PerThread<Room> rooms_;
};

}  // namespace walkabout::agent
