// Which frames a regular expression of the user means. std::regex is slow to compile, so focus.cc alone
// includes it. Any thread, no state.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"

namespace walkabout::profile {

// Whether `expression` is a regular expression (ECMAScript).
base::Status check_focus(const std::string& expression);

class Focus {
 public:
  // REQUIRES: check_focus(expression). An empty one means all.
  explicit Focus(const std::string& expression);
  bool all() const { return pattern_ == nullptr; }
  bool has(const std::string& frame_name) const;

 private:
  struct Pattern;
  std::shared_ptr<const Pattern> pattern_;
};

}  // namespace walkabout::profile
