// JSON to standard output, indented, keys in a stable order. Names may hold any bytes: what is no UTF-8 is
// replaced.
#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

namespace walkabout::cli {

using Json = nlohmann::ordered_json;

inline void print_json(const Json& json) {
  const std::string text = json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

}  // namespace walkabout::cli
