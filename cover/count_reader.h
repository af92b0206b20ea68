// The files that covered processes left (wire/cover_file.h): which methods were probed, and what of them ran.
// Hostile bytes; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/byte_span.h"
#include "base/result.h"

namespace walkabout::cover {

struct CountedMethod {
  uint32_t body_hash = 0;
  std::vector<uint64_t> counts;  // of its probes
  // By what it ran in (Counted::tests): whether each of its probes did.
  std::map<uint32_t, std::vector<uint8_t>> in_tests;
};

// A test, the other methods of a type, or nothing that is known.
struct CountedTest {
  std::string version, path;  // the test assembly's MVID and file; empty: nothing that is known
  uint32_t token = 0;         // of a method or a type
};

// One build of a module, in however many processes.
struct CountedModule {
  std::string path;                           // where the first of them had it
  std::map<uint32_t, CountedMethod> methods;  // by token
  std::map<uint32_t, uint32_t> left_alone;    // token → CoverLeftAlone::cause
};

struct Counted {
  std::map<std::string, CountedModule> modules;  // by MVID
  bool counts = false;                           // how often; else 1 says that it ran
  uint64_t processes = 0;
  uint64_t no_room = 0;       // methods that were left as they are: a file could not grow
  uint64_t not_mapped = 0;    // modules that could not be covered
  uint64_t without_file = 0;  // processes for whose counts there was no room at all
  // Where tests were told apart.
  std::vector<CountedTest> tests;
  std::map<std::pair<std::string, uint32_t>, uint32_t> test_numbers;  // by MVID and token: in tests
  uint64_t unwrapped = 0;      // methods of test assemblies whose flow is not told
  uint64_t lost_in_tests = 0;  // runs of probes for which a test had no room
  uint64_t contradicted = 0;   // methods of which two processes had another body
};

// Adds one file's. What is cut off is left out; an error says that it is no such file.
base::Status read_counts(base::Bytes file, Counted* counted);

}  // namespace walkabout::cover
