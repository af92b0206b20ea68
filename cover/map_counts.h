// From what probes counted to lines and arms: each module's file and PDB are read, each method's probes
// placed again (il/probe_plan.h), and its places looked up in the PDB. Modules' and PDBs' files are hostile;
// they are believed only if they are the build that ran. One thread.
//
// Lines and branches are those that coverlet has: a line ran if a statement on it did, but a statement's
// lines that others within it have are theirs; branches that the compiler made up are left out.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cover/count_reader.h"
#include "cover/line_coverage.h"
#include "cover/test_map.h"

namespace walkabout::cover {

struct Mapping {
  // An arm has hits where its target ran, whichever way led there: as coverlet counts them. Else where the
  // arm itself was taken.
  bool reached_arms = false;
  // Whether this source is wanted.
  std::function<bool(const std::string& path)> wants;
};

struct LeftOut {
  std::vector<std::string> modules;  // and sources, as sentences: which, and why
  uint64_t methods = 0;              // of which it is not known whether they ran
  uint64_t sources = 0;              // that are not on this machine
};

// tests: of the lines, in which tests each ran; null: that is not asked.
Coverage map_counts(const Counted& counted, const Mapping& mapping, LeftOut* left_out,
                    TestMap* tests = nullptr);

}  // namespace walkabout::cover
