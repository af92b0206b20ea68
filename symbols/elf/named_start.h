// A function that something else than a symbol table names: where it begins, and its name.
#pragma once

#include <cstdint>
#include <string>

namespace walkabout::symbols {

struct NamedStart {
  uint64_t begin = 0;  // the file's own address
  std::string name;
};

}  // namespace walkabout::symbols
