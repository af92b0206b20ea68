// Coverage as files: each format that `walkabout cover` writes, by the suffix of a file's name. One thread.
#pragma once

#include <iosfwd>
#include <string_view>

#include "base/result.h"
#include "cover/line_coverage.h"

namespace walkabout::cover {

using WriteCoverage = base::Status (*)(const Coverage& coverage, std::ostream& out);
// Null: no format has such a name.
WriteCoverage format_of_coverage(std::string_view path);
inline constexpr std::string_view kCoverageSuffixes = ".cobertura.xml .xml .info .html .cover";

// Cobertura's coverage-04.dtd. Files are named below the folder that all have in common.
base::Status write_cobertura(const Coverage& coverage, std::ostream& out);
// LCOV's trace file, as lcov and genhtml read it. Source: geninfo(1).
base::Status write_lcov(const Coverage& coverage, std::ostream& out);
// A page of its own: what ran of each file, and the sources with their lines marked. Sources are read from
// this machine's files.
base::Status write_cover_page(const Coverage& coverage, std::ostream& out);
// Walkabout's own, which can be read again.
base::Status write_cover(const Coverage& coverage, std::ostream& out);

// Of write_cover's. Hostile text.
base::Result<Coverage> read_cover(std::string_view text);

}  // namespace walkabout::cover
