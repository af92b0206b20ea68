// Where a document's text can be fetched from: SourceLink's rules, as a PDB has them. Hostile bytes: whatever
// is no rule is left out. Pure; any thread. Source: docs/designs/source-link (dotnet/designs,
// accepted/2020/diagnostics/source-link.md).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walkabout::pdb {

class SourceLink {
 public:
  // json: {"documents": {"/_/*": "https://localhost/commit/*"}}.
  explicit SourceLink(std::string_view json);
  // Empty: no rule is for it.
  std::string url_of(std::string_view path) const;
  // Bytes that url_of() looks through at most.
  size_t cost() const { return cost_; }

 private:
  std::vector<std::pair<std::string, std::string>> rules_;  // the longest first
  size_t cost_ = 0;
};

}  // namespace walkabout::pdb
