// The source "exceptions": every throw, with the stack that threw, the type and the message; and every
// handler that begins, with its method and the same type. In a storm all are counted by type, kind and
// handler, and some of their stacks are walked; the others' messages are left out.
//
// Throws: on the thread that throws, before the runtime looks for a handler. Handlers: on the same thread, as
// the runtime calls them; its stack has the handler's method and, above it, what threw still.
//
// The event of a handler does not say which exception it handles. It is the one that the thread threw last
// where the thread has had no event of either kind since, where the stack is not so much shorter that the
// throw's frames are gone, and where that throw came from no finally block or filter of an exception still
// unhandled: the runtime swallows those of filters. Else its type is not known; nor is that of what was
// thrown again on .NET 9 and later, which raises no event.
#pragma once

#include "agent/sources/event_source.h"
#include "clr/events/eventpipe_method.h"
#include "clr/events/exception.h"

namespace walkabout::agent {

class ExceptionsSource final : public EventSource {
 public:
  ExceptionsSource() : EventSource(wire::source_id("exceptions"), kShare, kLabelsOfSums) {}
  static constexpr size_t kValues = 2, kLabels = 4;
  wire::Source declaration(uint64_t period_ns) const override;
  SourceNeeds needs(uint32_t runtime) const override;
  void on_event(const RuntimeEvent& event) override;

 private:
  static constexpr uint32_t kShare = 200;
  // In a sum a throw keeps its first labels: messages can be as many as throws.
  static constexpr size_t kLabelsOfSums = 3;
  // A thread's last throw, until a handler begins.
  struct Thrown {
    uint64_t type, kind;
    uint64_t sp;  // 0: there is none
    bool inside;  // of the dispatch of another one
  };
  // A handler's label, by the hash of its name as the runtime writes it.
  struct Handler {
    uint64_t hash, label;
  };
  // The labels of a throw, by the hash of its type's name and its kind.
  struct TypeAndKind {
    uint64_t hash, type, kind;
  };
  // In a storm a thread throws one type, and comes to one handler, again and again.
  struct Thread {
    Thrown thrown;
    TypeAndKind labels;  // of the last throw
    Handler handler;     // the last one
  };
  void thrown(const RuntimeEvent& event);
  void handled(const RuntimeEvent& event);
  void look_up(const clr::ExceptionThrown& thrown, TypeAndKind& last);
  uint64_t handler_label(Handler& last, const clr::EventString& method);

  PerThread<Thread> threads_;
};

}  // namespace walkabout::agent
