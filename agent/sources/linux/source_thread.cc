#include "agent/sources/linux/source_thread.h"

#include <utility>

namespace walkabout::agent {

base::Status SourceThread::start(const SourceContext& context, const char* name, const char* without,
                                 std::function<void(ThreadSlot* writer)> run) {
  const auto body = [&threads = context.threads, &spooler = context.spooler, without, run = std::move(run)] {
    threads.host().enter();
    ThreadSlot* const writer = threads.add_writer();
    if (writer == nullptr) spooler.report(wire::Severity::kWarning, without);
    run(writer);
  };
  if (base::Status s = context.threads.host().try_call([&] { return thread_.start(name, &tid_, body); });
      !s.ok())
    return s;
  context.threads.exclude(tid_.load());
  context.spooler.add_helper(name, tid_);
  return {};
}

}  // namespace walkabout::agent
