// What a recorded stack is an example of: two stacks with the same situation ask the same of the walker.
//
// Read off the recording alone, not off a walk: where the leaf was interrupted (how far in which kind of
// prolog, epilog or body; by what kind of rule a native leaf is left), which kinds of code call which on the
// stack, and by which kinds of rule its callers are left. Pure.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tests/stacks/recorded_process.h"

namespace walkabout::stacks {

struct Situation {
  std::string leaf;             // "jitted prolog 2/4 rbp saved:1"
  std::set<std::string> calls;  // "ready-to-run<coreclr": callee < caller
  std::set<std::string> rules;  // of the callers: "coreclr rbp", "jitted osr rbp", "libc signal"
  std::string depth;            // "<10", "<40", "<200", ">=200"

  std::string text() const;
};

// frames: leaf first, of a stack of the process.
Situation situation_of(const RecordedProcess& process, const RecordedStack& stack,
                       const std::vector<wire::Frame>& frames);

}  // namespace walkabout::stacks
