// The life of a thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

enum class ThreadKind : uint8_t { kNative = 0, kManaged = 1, kAgent = 2 };

// Said again when something about it changes (a name); the last one counts.
struct Thread {
  static constexpr RecordType kType = RecordType::kThread;
  base::ThreadId id;
  uint32_t tid = 0;
  std::string os_name;       // /proc/self/task/TID/comm
  std::string managed_name;  // Thread.Name, empty if never set
  ThreadKind kind = ThreadKind::kNative;
  uint64_t start_us = 0;  // when it was first seen
};
template <typename = void>
constexpr auto fields(const Thread*) {
  return std::tuple(as::number(1, &Thread::id), as::number(2, &Thread::tid),
                    as::text(3, &Thread::os_name, Place::kNone),
                    as::text(4, &Thread::managed_name, Place::kNone),
                    as::choice(5, &Thread::kind, ThreadKind::kAgent), as::time(6, &Thread::start_us));
}

// A thread is gone, or the recording ends. unsampled_ns: its CPU time after its last sample; readers add it
// to that sample. A thread that was never sampled has it in no stack; so have the agent's own threads.
struct ThreadEnd {
  static constexpr RecordType kType = RecordType::kThreadEnd;
  base::ThreadId thread;
  uint64_t time_us = 0;
  uint64_t unsampled_ns = 0;
  bool without_clock = false;  // it could not be given one, or no ring: so it was not sampled
};
template <typename = void>
constexpr auto fields(const ThreadEnd*) {
  return std::tuple(as::number(1, &ThreadEnd::thread), as::time(2, &ThreadEnd::time_us),
                    as::time(3, &ThreadEnd::unsampled_ns), as::number(4, &ThreadEnd::without_clock));
}

}  // namespace walkabout::wire
