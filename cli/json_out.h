// JSON to standard output, indented, keys in a stable order. Names may hold any bytes: what is no UTF-8 is
// replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "cli/print.h"

namespace walkabout::cli {

using Json = nlohmann::ordered_json;

inline void print_json(const Json& json) {
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace walkabout::cli
