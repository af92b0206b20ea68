// Whether a captured stack may be trusted: what the recording made beside the capture says of that sample, by
// the same comparison with the CLR's own walk that `walkabout verify` makes. And the names of its code. One
// thread.
#pragma once

#include <map>
#include <string>
#include <utility>

#include "base/result.h"
#include "profile/model/code_table.h"
#include "tests/stacks/stack_file.h"

namespace walkabout::stacks {

enum class Trust {
  kRight,      // judge says by whom
  kNotRooted,  // the walk ended before the thread's entry
  kRefused,    // the CLR gave no answer to compare with
  kDifferent,  // no rule explains how the CLR's walk differs
  kLost,       // the recording has not got that sample
};

class Judge {
 public:
  static base::Result<Judge> open(const std::string& recording);

  // Sets stack.judge when it is right.
  Trust judge(RecordedStack& stack) const;
  // Fills in the names of images (files without their folders), their build ids, and of methods.
  void name(StackFile& file) const;
  // "Demo.Program.Main(string[])", or a library's name: of a frame as the leaf.
  std::string leaf_name(wire::Frame frame) const;
  const std::string& runtime() const { return runtime_; }

 private:
  Judge() = default;
  profile::CodeTable code_;
  std::map<std::pair<uint32_t, uint64_t>, std::string> differences_;  // (tid, sample) → verdict
  std::string runtime_;
};

}  // namespace walkabout::stacks
