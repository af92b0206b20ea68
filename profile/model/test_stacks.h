// Profiles as text, for tests to compare.
#pragma once

#include <string>

#include "profile/model/profile.h"

namespace walkabout::profile::testing {

// "Main;Sort;[libc.so.6]": root first.
inline std::string path(const Profile& profile, uint32_t node) {
  std::string out;
  for (; node != 0; node = profile.nodes[node].parent) {
    const std::string& name = profile.frames[profile.nodes[node].frame].name;
    if (!out.empty()) out.insert(0, 1, ';');
    out.insert(0, name);
  }
  return out;
}

// One line per sample: "thread time weight activity path".
inline std::string lines(const Profile& profile) {
  std::string out;
  for (const Sample& s : profile.samples) {
    out += profile.threads[s.thread].name + " " + std::to_string(s.time_us) + " " + std::to_string(s.weight) +
           " " + to_string(s.activity) + " " + path(profile, s.node) + "\n";
  }
  return out;
}

}  // namespace walkabout::profile::testing
