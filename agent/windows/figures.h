// What the walks cost and how the CLR answered: counted by the sampler, reported at the end of the recording.
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clr/abi/types.h"

namespace walkabout::agent {

// Of one walk, in nanoseconds.
struct WalkTimes {
  uint64_t system = 0;   // SuspendThread, GetThreadContext, ResumeThread
  uint64_t copying = 0;  // the stack's words, and the search for the seed
  uint64_t clr = 0;      // DoStackSnapshot
  uint64_t ours() const { return copying + clr; }
  uint64_t stopped() const { return system + ours(); }
};

class Figures {
 public:
  void answered(clr::HRESULT answer, bool seeded) { ++answers_[{answer, seeded}]; }
  void walked(const WalkTimes& times);
  // Sentences for the reader of the recording.
  std::vector<std::string> sentences() const;

 private:
  struct Answer {
    clr::HRESULT result;
    bool seeded;
    auto operator<=>(const Answer&) const = default;
  };
  std::map<Answer, uint64_t> answers_;
  std::vector<uint32_t> system_, copying_, clr_, ours_, stopped_;
};

// "CORPROF_E_STACKSNAPSHOT_UNSAFE"; those that have no name here in hexadecimal.
std::string snapshot_answer(clr::HRESULT answer);

}  // namespace walkabout::agent
