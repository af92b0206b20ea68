// What an attaching CLI hands to the agent through the CLR: names and values as in the environment of a
// started program, "NAME=VALUE" each ended by a zero byte. Values hold no zero byte. Pure.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::wire {

inline void add_client_value(std::string_view name, std::string_view value, std::string* data) {
  data->append(name).append("=").append(value).push_back('\0');
}

// The first value of that name; empty if there is none. Any bytes are safe.
inline std::string client_value(std::string_view data, std::string_view name) {
  while (!data.empty()) {
    const std::string_view entry = data.substr(0, data.find('\0'));
    data.remove_prefix(entry.size() == data.size() ? entry.size() : entry.size() + 1);
    if (entry.size() > name.size() && entry.substr(0, name.size()) == name && entry[name.size()] == '=')
      return std::string(entry.substr(name.size() + 1));
  }
  return {};
}

}  // namespace walkabout::wire
