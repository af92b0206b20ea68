// The numbers of the records (wire/records.h).
#pragma once

#include <cstdint>

namespace walkabout::wire {

enum class RecordType : uint32_t {
  kSession = 1,
  kThread = 2,
  kModule = 3,
  kMethod = 4,
  kJitCode = 5,
  kMethodRange = 6,
  kNodes = 7,
  kSamples = 8,
  kOracle = 9,
  kThreadEnd = 10,
  kCounters = 11,
  kMessage = 12,
  kEnd = 13,
  kNativeSymbols = 14,  // appended by the CLI, never by the agent
  kRate = 15,
  kSource = 16,
  kText = 17,
  kSweep = 18,
  kAssembly = 19,
  kIlMap = 20,
  kSourceLines = 21,  // appended by the CLI, never by the agent
  kInlineTree = 22,
  kNativeLines = 23,  // appended by the CLI, never by the agent
  kSnapshot = 24,
  kCountedMethod = 25,
  kCallCounts = 26,
  kCallPattern = 27,
  kCallState = 28,
  kTraceNodes = 29,
  kTraceTimes = 30,
  kTraceSpread = 31,
  kTracedCall = 32,
  kTraceState = 33,
  kCallerCounts = 34,
};

}  // namespace walkabout::wire
