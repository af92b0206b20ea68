#include "formats/collapsed.h"

#include <string>
#include <vector>

#include "profile/names/place_text.h"
#include "profile/query/rows.h"
#include "profile/query/tree.h"
#include "profile/query/view.h"

namespace walkabout::formats {
namespace {

std::string one_field(std::string name) {
  for (char& c : name) {
    if (c == ';') c = ':';
    if (c == '\n' || c == '\r') c = ' ';
  }
  return name;
}

}  // namespace

base::Status write_collapsed_with(const profile::Profile& profile, CollapsedOptions options,
                                  std::ostream& out) {
  std::vector<std::string> names;
  for (const profile::DisplayFrame& frame : profile.frames) {
    const std::string place = profile::place_text(frame.place);
    names.push_back(one_field(place.empty() ? frame.name : frame.name + " (" + place + ")"));
  }
  std::vector<uint32_t> stack;
  const profile::View view = profile::view_of(profile);
  const bool is_time = profile::source_of(profile, view).values[view.value].unit == "nanoseconds";
  for (const profile::Row& row : profile::rows(profile, {.thread = options.threads}, view)) {
    const uint64_t weight = is_time ? (row.sum.weight + 500) / 1000 : row.sum.weight;
    if (weight == 0) continue;
    profile::stack_of(profile, row.node, stack);
    if (options.threads) out << one_field(profile.threads[row.thread].name) << ';';
    for (size_t i = stack.size(); i-- > 0;) out << names[stack[i]] << (i == 0 ? ' ' : ';');
    out << weight << '\n';
  }
  return out.good() ? base::Status() : base::Status::error("cannot write folded stacks: the output failed");
}

base::Status write_collapsed(const profile::Profile& profile, std::ostream& out) {
  return write_collapsed_with(profile, {}, out);
}

}  // namespace walkabout::formats
