// JSON to standard output, indented, keys in a stable order. Names may hold any bytes: what is no UTF-8 is
// replaced.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace walkabout::cli {

using Json = nlohmann::ordered_json;

void print_json(const Json& json);
// What it prints.
std::string json_text(const Json& json);

}  // namespace walkabout::cli
