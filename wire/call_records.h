// Calls of chosen methods that were counted, all of them: `walkabout count`. What the table of a recording
// says is recording/call_totals.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire/field.h"
#include "wire/frame.h"
#include "wire/record_type.h"

namespace walkabout::wire {

// A method whose calls are counted, or that was left alone. Names as in Method. Said again when something
// changes; the last one counts.
struct CountedMethod {
  static constexpr RecordType kType = RecordType::kCountedMethod;
  uint32_t index = 0;      // of the recording, from 0
  uint32_t flags = 0;      // MethodFlag
  std::string type;        // with the names of its parameters: all instantiations are one
  std::string method;      // likewise
  std::string parameters;  // "System.Int32, T[]"
  std::string returns;     // of a conversion
  std::string module;      // "Demo.dll"
  std::string problem;     // why its calls are not counted; empty: they are
};
template <typename = void>
constexpr auto fields(const CountedMethod*) {
  return std::tuple(
      as::number(1, &CountedMethod::index), as::number(2, &CountedMethod::flags),
      as::text(3, &CountedMethod::type, Place::kNone), as::text(4, &CountedMethod::method, Place::kNone),
      as::text(5, &CountedMethod::parameters, Place::kNone),
      as::text(6, &CountedMethod::returns, Place::kNone), as::text(7, &CountedMethod::module, Place::kPath),
      as::text(8, &CountedMethod::problem, Place::kNone));
}

// Calls since the record before, of the methods that had any; of all threads, also of those that have ended.
struct CallCounts {
  static constexpr RecordType kType = RecordType::kCallCounts;
  uint64_t time_us = 0;
  std::vector<uint64_t> index;  // of a CountedMethod declared before; rising
  std::vector<uint64_t> calls;
};
template <typename = void>
constexpr auto fields(const CallCounts*) {
  return std::tuple(as::time(1, &CallCounts::time_us), as::rising(2, &CallCounts::index),
                    as::column(3, &CallCounts::calls));
}

// The same by who made the calls: where they return to. Calls of one method from one place since the record
// before; the first may have none. Their sum is at most the method's calls: what is missing is not told.
struct CallerCounts {
  static constexpr RecordType kType = RecordType::kCallerCounts;
  uint64_t time_us = 0;
  std::vector<uint64_t> index;  // of a CountedMethod declared before
  std::vector<Frame> caller;    // its code declared before
  std::vector<uint64_t> calls;
  uint64_t no_room = 0;    // further calls: of more places than are kept apart
  uint64_t not_found = 0;  // further calls: the caller was not found
};
template <typename = void>
constexpr auto fields(const CallerCounts*) {
  return std::tuple(as::time(1, &CallerCounts::time_us), as::column(2, &CallerCounts::index),
                    as::frames(3, &CallerCounts::caller), as::column(5, &CallerCounts::calls),
                    as::number(6, &CallerCounts::no_room), as::number(7, &CallerCounts::not_found));
}

// One of the patterns that chose them, and what it chose. The last one of a number counts.
struct CallPattern {
  static constexpr RecordType kType = RecordType::kCallPattern;
  uint32_t number = 0;   // its place on the command line, from 0
  std::string pattern;   // "Orders.*"
  uint64_t methods = 0;  // that match it, or that it excludes
  std::string similar;   // where there are none: names like it, "Cart.Add, Cart.Sum"
};
template <typename = void>
constexpr auto fields(const CallPattern*) {
  return std::tuple(as::number(1, &CallPattern::number), as::text(2, &CallPattern::pattern, Place::kNone),
                    as::number(3, &CallPattern::methods), as::text(4, &CallPattern::similar, Place::kNone));
}

// What became of them. The last one counts.
struct CallState {
  static constexpr RecordType kType = RecordType::kCallState;
  uint64_t time_us = 0;
  bool looked = false;      // all that was loaded at the beginning was looked through, and asked for
  uint64_t chosen = 0;      // methods
  uint64_t too_many = 0;    // that match and were left out: there were more than one wants without a word
  uint64_t unloadable = 0;  // assemblies that were left out: their code can be unloaded
  uint64_t rewritten = 0;   // methods that were called, and so compiled with a count in them
  uint64_t refused = 0;     // methods that were left alone (CountedMethod.problem)
  uint64_t callers = 0;     // methods that had some of them inlined, and were compiled again
  uint64_t reverted = 0;    // methods and callers that have their own code again
  uint64_t request_ns = 0;  // the longest request to the runtime
  // There are methods whose task the runtime makes itself (runtime-async) and that were loaded before: calls
  // that are inlined into them are not counted.
  bool runtime_async = false;
};
template <typename = void>
constexpr auto fields(const CallState*) {
  return std::tuple(as::time(1, &CallState::time_us), as::number(2, &CallState::looked),
                    as::number(3, &CallState::chosen), as::number(4, &CallState::too_many),
                    as::number(5, &CallState::unloadable), as::number(6, &CallState::rewritten),
                    as::number(7, &CallState::refused), as::number(8, &CallState::callers),
                    as::number(9, &CallState::reverted), as::time(10, &CallState::request_ns),
                    as::number(11, &CallState::runtime_async));
}

}  // namespace walkabout::wire
