// What every x_fuzz.cc defines, and how it says that something is wrong. libFuzzer calls the target in a
// `fuzz` build; in every other build replay_main.cc calls it with the files of corpus/x, as a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

// Returns 0. Whatever the bytes are, nothing may crash, hang or break an expectation.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace walkabout::fuzz {

// Ends the program when `good` is false: that is how libFuzzer and ctest hear of it.
inline void expect(bool good, const char* what) {
  if (good) [[likely]]
    return;
  std::fprintf(stderr, "expectation broken: %s\n", what);
  std::abort();
}

}  // namespace walkabout::fuzz
