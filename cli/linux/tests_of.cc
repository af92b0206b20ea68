#include "cli/linux/tests_of.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "base/error_line.h"
#include "base/linux/read_file.h"
#include "base/system_error.h"
#include "console/exit_codes.h"
#include "console/numbers.h"
#include "console/print.h"
#include "cover/affected_tests.h"

namespace walkabout::cli {
namespace {

base::Result<std::vector<cover::ChangedLines>> changes_of(const TestsOf& asked) {
  std::vector<cover::ChangedLines> changes;
  for (const std::string& text : asked.places) {
    auto place = cover::read_place(text);
    if (!place) return base::Status::error("'" + text + "' is no place; say FILE:LINE or FILE:FIRST-LAST");
    changes.push_back(std::move(*place));
  }
  if (asked.diff.empty()) return changes;
  std::string text;
  if (!base::read_file(asked.diff == "-" ? "/dev/stdin" : asked.diff, &text))
    return base::system_error("cannot read " + asked.diff);
  std::vector<cover::ChangedLines> more = cover::read_diff(text);
  if (more.empty() && text.find_first_not_of(" \t\r\n") != std::string::npos &&
      text.find("--- ") == std::string::npos)
    return base::Status::error(asked.diff + " is no unified diff; give what `git diff` writes");
  changes.insert(changes.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  return changes;
}

}  // namespace

int print_tests_of(const TestsOf& asked) {
  std::string text;
  if (!base::read_file(asked.map, &text))
    return fail(kFailure, base::system_error("cannot read " + asked.map).message() +
                              "; --test-map FILE -- COMMAND makes it");
  const base::Result<cover::TestMap> map = cover::read_test_map(text);
  if (!map.ok()) return fail(kFailure, "cannot read " + asked.map + ": " + map.message());
  const base::Result<std::vector<cover::ChangedLines>> changes = changes_of(asked);
  if (!changes.ok()) return fail(kUsage, changes.message());
  const cover::AffectedTests affected = cover::affected_tests(*map, *changes);
  std::string names, notes;
  for (const std::string& test : affected.tests) names += test + "\n";
  for (const std::string& note : affected.notes) notes += base::error_line(note);
  if (map->lost != 0)
    notes +=
        base::error_line(fmt::format("the map is not whole: of {} it is not known in which test they ran",
                                     counted(map->lost, "method or run")));
  print(names);
  if (!asked.quiet) print_stderr(notes);
  const bool nothing_known = !changes->empty() && affected.unknown == changes->size() && asked.diff.empty();
  return nothing_known ? kFailure : kSuccess;
}

}  // namespace walkabout::cli
