// The functions of the CLR that compiled code calls: the JIT's table of helpers, one word for each helper in
// the order of the release. Of helpers that are functions of the runtime the word is the address; of those
// that are looked up later (later_helpers.h) it is a number, one more each time; of those that are not used
// it is zero. A table that has all of that at the release's places is taken, and no other: about 200 words,
// of which 48 to 133 name a function. So an unknown release has no names, and no wrong ones.
//
// Pure. Source of the order: src/coreclr/inc/jithelpers.h of .NET 8, 9, 10, whose helpers are named here as
// there ("CORINFO_HELP_COUNTPROFILE32"); checked with 8.0.31, 9.0.20, 10.0.12.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "symbols/elf/loaded_data.h"

namespace walkabout::symbols {

struct JitHelpers {
  std::map<std::string, uint64_t> functions;  // by name: where it begins
  std::map<uint64_t, std::string> later;      // by number, those that have names
};

JitHelpers read_jit_helpers(const LoadedData& data);

}  // namespace walkabout::symbols
