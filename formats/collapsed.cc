#include "formats/collapsed.h"

#include <string>
#include <vector>

#include "formats/stack_sums.h"

namespace walkabout::formats {
namespace {

std::string one_word(std::string name) {
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
  for (const profile::DisplayFrame& frame : profile.frames) names.push_back(one_word(frame.name));
  std::vector<uint32_t> stack;
  for (const StackSum& sum : stack_sums(profile, options.threads)) {
    const uint64_t us = (sum.weight + 500) / 1000;
    if (us == 0) continue;
    stack_of(profile, sum.node, stack);
    if (options.threads) out << one_word(profile.threads[sum.thread].name) << ';';
    for (size_t i = stack.size(); i-- > 0;) out << names[stack[i]] << (i == 0 ? ' ' : ';');
    out << us << '\n';
  }
  return out.good() ? base::Status() : base::Status::error("cannot write folded stacks: the output failed");
}

base::Status write_collapsed(const profile::Profile& profile, std::ostream& out) {
  return write_collapsed_with(profile, {}, out);
}

}  // namespace walkabout::formats
