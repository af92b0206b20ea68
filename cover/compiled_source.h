// The sources of what was covered, on this machine, and whether they are still those that were compiled.
// Hostile paths and files; one thread.
#pragma once

#include <string>
#include <vector>

#include "cover/line_coverage.h"
#include "pdb/portable_pdb.h"

namespace walkabout::cover {

// As SourceFile::checksum has it.
std::string checksum_of(const pdb::Document& document);

struct SourceText {
  std::string text;
  bool is_there = false;
  bool is_another = false;  // the checksum is known and not this text's
};
SourceText read_source(const std::string& path, const std::string& checksum);

// The paths of sources that are there and have changed since they were compiled.
std::vector<std::string> changed_sources(const Coverage& coverage);

}  // namespace walkabout::cover
