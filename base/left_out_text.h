// The sentence that says what is left out of a recording: "3 methods of Shop.dll and 2 other assemblies have
// no source lines, for …". Any thread; allocates.
#pragma once

#include <cstdint>
#include <string>

namespace walkabout::base {

struct LeftOut {
  uint64_t count = 0;   // of what is left out, 1 or more
  const char* one;      // "method"
  const char* several;  // "methods"
  std::string first;    // file that it is of
  uint64_t files = 1;   // of so many in all
  const char* file;     // "assembly"
  const char* others;   // "assemblies"
};

// cause: behind "have no source lines".
inline std::string left_out_text(const LeftOut& left_out, const std::string& cause) {
  const auto counted = [](uint64_t n, const std::string& one, const std::string& several) {
    return std::to_string(n) + " " + (n == 1 ? one : several);
  };
  const uint64_t more = left_out.files - 1;
  const std::string others = more == 0 ? ""
                                       : " and " + counted(more, std::string("other ") + left_out.file,
                                                           std::string("other ") + left_out.others);
  return counted(left_out.count, left_out.one, left_out.several) + " of " + left_out.first + others +
         (left_out.count == 1 ? " has" : " have") + " no source lines" + cause;
}

}  // namespace walkabout::base
