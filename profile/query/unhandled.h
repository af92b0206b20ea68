// The exception that ended a process because nobody handled it, where the recording proves it. Any thread, no
// state.
//
// The runtime raises no event when it finds no handler. But then it writes the exception to the standard
// error: its native code calls the exception's ToString, on the thread that threw and from within the
// dispatch of that exception. A sample of any source that has this on its stack is the proof. Where none has,
// nothing is known: a program that calls FailFast or abort, or is killed, between a throw and its handler
// looks the same otherwise: what is said then is that no handler had begun. Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

struct Unhandled {
  bool proved = false;              // false: thrown, and when the recording was cut off no handler had begun
  uint32_t thread = 0;              // index into threads
  uint64_t time_us = 0;             // of the throw; where it is not sure to be this one, of the proof
  std::vector<DisplayFrame> stack;  // where it was thrown, the last time: innermost first
  std::string type, message;        // empty: not known
};

// None: there was none, or it is not proved. REQUIRES: the profile is of one process, has no view, and all
// samples of all sources in the order of time.
std::optional<Unhandled> unhandled(const Profile& profile);

// All of it in one line: what was thrown, when, by whom and where.
std::string sentence(const Profile& profile, const Unhandled& last);

}  // namespace walkabout::profile
