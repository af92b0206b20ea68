// What each method of a recording is called: as it is usual where no other method is called so, with more of
// what tells it apart where one is. One thread.
#pragma once

#include <cstddef>
#include <string>
#include <unordered_map>

#include "profile/model/code_table.h"
#include "profile/names/readable_name.h"

namespace walkabout::profile {

class DistinctNames {
 public:
  // Of all methods that the table has by now, again where it has more than before.
  void learn(const CodeTable& code);
  // Of one that it had. Two methods with different raw names in one module have different names.
  ReadableName of(const wire::Method& method) const;

 private:
  size_t learned_ = 0;  // methods
  std::unordered_map<const wire::Method*, Detail> more_than_usual_;
};

}  // namespace walkabout::profile
