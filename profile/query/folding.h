// "Just my code": of each stack the frames that are not the program's fold, run by run, to one frame each,
// which is called after what the program called: "(+7 System.Linq)". Or the frames alone that run async
// methods. Whose a frame is says its origin (profile/names/origin.h). No sum changes: the time of a run is
// its frame's. Any thread, no state.
//
// Runs that hang on the same frame and are called the same are one. A run is called after its outermost
// managed frame that is none of the async machinery: the assembly without ".dll". Without one it is called
// "async", or after the assembly of its thread's start, or its outermost native library or "runtime", or
// "dynamic" (a method made at run time).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace walkabout::profile {

// Whether the frame is part of a run.
bool folds(Origin origin, Folding folding);

// What a run is called after a frame of it, where none of a higher rank was before it.
struct RunName {
  std::string_view text;  // of the frame
  uint8_t rank = 0;
};
// at_root: nothing is outside of the run, or markers alone, such as its process.
RunName run_name(const DisplayFrame& frame, bool at_root);

// Its frames are those of `profile`, and behind them those of the runs, which are called as "(System.Linq)"
// is.
Profile folded(Profile profile, Folding folding);

// What a node is called: "(+7 System.Linq)" where it is a run of seven frames at most, else as its frame.
std::string name_of(const Profile& profile, uint32_t node);

}  // namespace walkabout::profile
