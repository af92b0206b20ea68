// Which tests reach lines that change. Pure, but for hostile text that is read; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cover/test_map.h"

namespace walkabout::cover {

// Lines of the text that the map is of.
struct ChangedLines {
  std::string file;  // a path, or its end: "src/Orders.cs"
  uint32_t first = 0, last = 0;
  bool is_between = false;  // what changes lies behind `first`, before the line that follows
  auto operator<=>(const ChangedLines&) const = default;
};

// "Orders.cs:12", "src/Orders.cs:12-20"; none: it is no such place.
std::optional<ChangedLines> read_place(std::string_view text);

// Of a unified diff, as `git diff` writes it: what is removed and replaced of the old text, and where lines
// are put in. Files that are new have no lines.
std::vector<ChangedLines> read_diff(std::string_view text);

struct AffectedTests {
  std::set<std::string> tests;     // names
  std::vector<std::string> notes;  // sentences: what is not certain of them
  uint64_t unknown = 0;            // changes in files that the map has not
};
// A line without code stands for those with code before and behind it. What ran in a type's other methods is
// of all its tests.
AffectedTests affected_tests(const TestMap& map, const std::vector<ChangedLines>& changes);

}  // namespace walkabout::cover
