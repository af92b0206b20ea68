// A source's own thread: named, counted among the agent's, never sampled, in the agent's table of
// descriptors, with a slot for what it captures of other threads.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>

#include "agent/linux/own_thread.h"
#include "agent/sources/source.h"

namespace walkabout::agent {

class SourceThread {
 public:
  // run(): on the new thread; null: there is no slot to be had, which was reported with the sentence
  // `without`. An error: there is no thread.
  base::Status start(const SourceContext& context, const char* name, const char* without,
                     std::function<void(ThreadSlot* writer)> run);
  void join() { thread_.join(); }

 private:
  OwnThread thread_;
  std::atomic<pid_t> tid_{0};
};

}  // namespace walkabout::agent
