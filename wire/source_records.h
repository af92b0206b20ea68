// The kinds of samples of a recording: what each measures, what its labels mean, what makes it sample.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.h"
#include "wire/field.h"
#include "wire/record_type.h"

namespace walkabout::wire {

// How a value of several samples becomes one.
enum class Adding : uint8_t { kSum = 0, kMax = 1 };

// What a source measures at each sample.
struct SourceValue {
  std::string name;  // "cpu time"
  std::string unit;  // "nanoseconds", "bytes", "count"
  Adding adding = Adding::kSum;
};
template <typename = void>
constexpr auto fields(const SourceValue*) {
  return std::tuple(as::text(1, &SourceValue::name, Place::kNone),
                    as::text(2, &SourceValue::unit, Place::kNone),
                    as::choice(3, &SourceValue::adding, Adding::kMax));
}

// What the number of a label means. A reader shows one that it does not know as a number.
enum class LabelType : uint32_t {
  kNumber = 0,
  kThreadState = 1,  // a ThreadState
  kSystemCall = 2,   // its number on the system of Session.os, plus 1; 0: none
  kAddress = 3,
  kText = 4,     // the id of a Text; 0: none
  kMessage = 5,  // the same, and what the text says is the program's data
  kType = 6,     // the same, and the text is a type's name as the runtime has it
  kObject = 7,   // a followed object's number, for Sweep; readers show what it survived instead
  kThread = 8,   // a thread's TID; 0: not known
  kMethod = 9,   // equal for compiles of one method; readers do not show it
};

// What a thread was doing at a sample.
enum class ThreadState : uint32_t {
  kRunning = 1,   // on a processor
  kRunnable = 2,  // waiting for one
  kBlocked = 3,
};

// What tells samples of one stack apart.
struct SourceLabel {
  std::string name;   // "state"
  uint32_t type = 0;  // a LabelType
};
template <typename = void>
constexpr auto fields(const SourceLabel*) {
  return std::tuple(as::text(1, &SourceLabel::name, Place::kNone), as::number(2, &SourceLabel::type));
}

// Whether its number is the id of a Text.
inline bool is_text(const SourceLabel& label) {
  return label.type == static_cast<uint32_t>(LabelType::kText) ||
         label.type == static_cast<uint32_t>(LabelType::kMessage) ||
         label.type == static_cast<uint32_t>(LabelType::kType);
}

// What makes a source sample. A reader takes one that it does not know as kEvent.
enum class Clock : uint32_t {
  kEvent = 0,      // something happened; period: every so many, in the unit of the first value
  kThreadCpu = 1,  // a thread's CPU time; period in nanoseconds
  kWall = 2,       // CLOCK_MONOTONIC; period in nanoseconds
};

struct Session;

inline constexpr base::SourceId kCpuSource(1);

// A kind of sample of this recording: emitted behind Session, before its first samples.
struct Source {
  static constexpr RecordType kType = RecordType::kSource;
  base::SourceId id;
  std::string name;                 // "cpu": what the user calls it by
  std::vector<SourceValue> values;  // at least one
  std::vector<SourceLabel> labels;
  uint32_t clock = 0;  // a Clock
  uint64_t period = 0;
};
template <typename = void>
constexpr auto fields(const Source*) {
  return std::tuple(as::number(1, &Source::id), as::text(2, &Source::name, Place::kNone),
                    as::messages(3, &Source::values), as::messages(4, &Source::labels),
                    as::number(5, &Source::clock), as::time(6, &Source::period));
}
// What a recording without Source records has.
Source cpu_source(const Session& session);

// What labels of types kText, kMessage and kType stand for: a type's name, an exception's message. Emitted
// before the first sample with its id.
struct Text {
  static constexpr RecordType kType = RecordType::kText;
  base::TextId id;
  std::string text;
  std::string message;  // instead: of labels of type kMessage
};
template <typename = void>
constexpr auto fields(const Text*) {
  return std::tuple(as::number(1, &Text::id), as::text(2, &Text::text, Place::kNone),
                    as::text(3, &Text::message, Place::kMessage));
}

}  // namespace walkabout::wire
