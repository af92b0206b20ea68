#include "console/json_out.h"

#include <nlohmann/json.hpp>

#include "console/print.h"

namespace walkabout::cli {

void print_json(const Json& json) { print(json_text(json)); }

std::string json_text(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace walkabout::cli
