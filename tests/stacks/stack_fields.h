// Field numbers of the messages of a .stacks file, once, for the encoder and the decoder (format.md).
#pragma once

#include <cstdint>

namespace walkabout::stacks {

enum class FileField : uint32_t { kProgram = 1, kImage = 2, kRegion = 3, kStack = 4 };
enum class RunField : uint32_t { kAddress = 1, kBytes = 2 };
enum class ImageField : uint32_t {
  kCode = 1,
  kName = 2,
  kBuildId = 3,
  kBegin = 4,
  kEnd = 5,
  kBase = 6,
  kFlags = 7,
  kHeader = 8,
  kCfi = 9,
  kPlt = 10,
  kFunctions = 11,
  kUnwind = 12,
};
enum ImageFlag : uint32_t { kManagedFlag = 1, kJitCompilerFlag = 2 };
enum class RegionField : uint32_t {
  kCode = 1,
  kBegin = 2,
  kMethodStart = 3,
  kSize = 4,
  kUnwind = 5,
  kName = 6
};
enum class StackField : uint32_t {
  kSituation = 1,
  kJudge = 2,
  kLeaf = 3,
  kMemory = 4,
  kFrames = 5,
  kClr = 6,
  kEnd = 7,
  kTid = 8,
  kSample = 9,
  kHresult = 10,
  kClrRequested = 11,
};

}  // namespace walkabout::stacks
