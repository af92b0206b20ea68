// How a recording begins and ends, and what it tells the person who reads it.
#pragma once

#include <cstdint>
#include <string>

#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

inline constexpr uint32_t kStreamVersion = 2;
// Until this version a stream had one source, CPU time, and no Source record.
inline constexpr uint32_t kFirstVersionWithSources = 2;

// kSuspend: Windows, where a thread of the agent stops the others one by one.
enum class Engine : uint8_t { kPerf = 1, kTimer = 2, kSuspend = 3 };

struct Session {
  static constexpr RecordType kType = RecordType::kSession;
  uint32_t version = kStreamVersion;
  uint32_t pid = 0;
  std::string command_line;  // arguments joined by spaces
  std::string runtime;       // ".NET 10.0.12"
  std::string os;            // uname: "Linux 6.1.0 x86_64"
  std::string host;
  uint64_t wall_start_ns = 0;       // CLOCK_REALTIME when sampling began
  uint64_t monotonic_start_ns = 0;  // CLOCK_MONOTONIC then
  uint64_t interval_ns = 0;         // asked for, CPU time per sample of a thread
  Engine engine = Engine::kPerf;
  bool kernel_ticks = false;  // ticks inside system calls are seen (else their time is in the next weight)
  bool oracle = false;
  uint32_t depth = 0;  // frames kept of one stack
  std::string agent_version;
  // The program ran already: its start is not in the recording, but in an earlier one, or in none.
  bool attached = false;
};
template <typename = void>
constexpr auto fields(const Session*) {
  return std::tuple(as::number(1, &Session::version).always_written(), as::number(2, &Session::pid),
                    as::text(3, &Session::command_line, Place::kCommandLine),
                    as::text(4, &Session::runtime, Place::kNone), as::text(5, &Session::os, Place::kNone),
                    as::text(6, &Session::host, Place::kHost), as::number(7, &Session::wall_start_ns),
                    as::number(8, &Session::monotonic_start_ns), as::time(9, &Session::interval_ns),
                    as::choice(10, &Session::engine, Engine::kSuspend).always_written(),
                    as::number(11, &Session::kernel_ticks), as::number(12, &Session::oracle),
                    as::number(13, &Session::depth), as::text(14, &Session::agent_version, Place::kNone),
                    as::number(15, &Session::attached));
}

enum class Severity : uint8_t { kInfo = 0, kWarning = 1 };
// One sentence for the person who reads the recording.
struct Message {
  static constexpr RecordType kType = RecordType::kMessage;
  uint64_t time_us = 0;
  Severity severity = Severity::kInfo;
  std::string text;
};
template <typename = void>
constexpr auto fields(const Message*) {
  return std::tuple(as::time(1, &Message::time_us), as::choice(2, &Message::severity, Severity::kWarning),
                    as::text(3, &Message::text, Place::kSentence));
}

// The agent stopped in good order. A recording without it was cut off.
struct End {
  static constexpr RecordType kType = RecordType::kEnd;
  uint64_t time_us = 0;
};
template <typename = void>
constexpr auto fields(const End*) {
  return std::tuple(as::time(1, &End::time_us));
}

}  // namespace walkabout::wire
