// The field numbers of every message of the stream: the numbers behind the members in wire/records.h, once,
// for the encoder and the decoder. They are part of the format and never change; new fields take new numbers.
#pragma once

#include <cstdint>

namespace walkabout::wire {

enum class SessionField : uint32_t {
  kVersion = 1,
  kPid = 2,
  kCommandLine = 3,
  kRuntime = 4,
  kOs = 5,
  kHost = 6,
  kWallStart = 7,
  kMonotonicStart = 8,
  kInterval = 9,
  kEngine = 10,
  kKernelTicks = 11,
  kOracle = 12,
  kDepth = 13,
  kAgentVersion = 14,
};

enum class ThreadField : uint32_t { kId = 1, kTid = 2, kOsName = 3, kManagedName = 4, kKind = 5, kStart = 6 };

enum class ModuleField : uint32_t {
  kCode = 1,
  kKind = 2,
  kPath = 3,
  kBuildId = 4,
  kStart = 5,
  kSize = 6,
  kBias = 7,
};

enum class MethodField : uint32_t {
  kId = 1,
  kType = 2,
  kMethod = 3,
  kParameters = 4,
  kModule = 5,
  kFlags = 6
};

enum class JitCodeField : uint32_t {
  kCode = 1,
  kMethod = 2,
  kTier = 3,
  kStart = 4,
  kSize = 5,
  kMainSize = 6
};

enum class MethodRangeField : uint32_t { kModule = 1, kBegin = 2, kEnd = 3, kMethod = 4 };

enum class NodesField : uint32_t { kParent = 1, kFrame = 2, kOffset = 3, kNewTree = 4 };

enum class SamplesField : uint32_t { kThread = 1, kTime = 2, kWeight = 3, kStack = 4, kEnd = 5, kFlags = 6 };

enum class OracleField : uint32_t {
  kThread = 1,
  kSample = 2,
  kHresult = 3,
  kFrame = 4,
  kOffset = 5,
  kOurCycles = 6,
  kClrCycles = 7,
  kSeeded = 8,
  kClrFirst = 9,
  kAboveSeed = 10,
};

enum class ThreadEndField : uint32_t { kThread = 1, kTime = 2, kUnsampled = 3 };

enum class CountersField : uint32_t {
  kTime = 1,
  kAttempts = 2,
  kSamples = 3,
  kDrops = 4,
  kHandler = 5,
  kAgentThreads = 6,
  kProcessCpu = 7,
  kWalkCyclesP50 = 8,
  kWalkFrames = 9,
  kTimerOverruns = 10,
  kUnknownPc = 11,
};

enum class MessageField : uint32_t { kTime = 1, kSeverity = 2, kText = 3 };

enum class RateField : uint32_t { kTime = 1, kInterval = 2, kBefore = 3, kCost = 4, kBudget = 5 };

enum class EndField : uint32_t { kTime = 1 };

enum class NativeSymbolsField : uint32_t { kModule = 1, kStripped = 2, kFound = 3, kSource = 4, kSymbol = 5 };

enum class NativeSymbolField : uint32_t { kBegin = 1, kEnd = 2, kName = 3, kRawName = 4, kApproximate = 5 };

}  // namespace walkabout::wire
