// How good a recording is, in the words that every output uses: which threads it has, and how many of its
// stacks are whole. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/totals.h"

namespace walkabout::cli {

// The program's threads; the agent's own are not among them.
struct ThreadCount {
  uint64_t sampled = 0;  // have a sample
  uint64_t seen = 0;     // were there
};
ThreadCount count_threads(const profile::Profile& profile);
// "9 of 12 threads sampled"
std::string threads_sampled(const ThreadCount& threads);

// A stack is whole that was walked to the thread's entry with no frame left out.
struct StackCount {
  uint64_t all = 0;
  uint64_t whole = 0;
  uint64_t cut = 0;        // not walked to the thread's entry
  uint64_t gaps = 0;       // frames may be missing where [unknown frames] stands
  uint64_t shortened = 0;  // frames left out of the middle: deeper than `depth`
  uint32_t depth = 0;
};
StackCount count_stacks(const profile::Profile& profile, const profile::Totals& totals);
// "99.80% of the stacks are whole (3 are cut off, 17 lack frames in the middle, which --depth 2048 left out)"
std::string whole_stacks(const StackCount& stacks);
// "17 stacks (0.17%) lack frames in the middle, which --depth 2048 left out". REQUIRES: there are some.
std::string shortened_stacks(const StackCount& stacks);

// What its reader should know about a recording as such, a sentence each: it was cut off, it is damaged, what
// the agent warned of.
std::vector<std::string> reservations(const profile::Profile& profile);

}  // namespace walkabout::cli
