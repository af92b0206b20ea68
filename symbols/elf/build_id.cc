#include "symbols/elf/build_id.h"

namespace walkabout::symbols {

std::string hex(const std::string& bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string build_id_path(const std::string& build_id) {
  const std::string text = hex(build_id);
  return "/.build-id/" + text.substr(0, 2) + "/" + text.substr(2);
}

}  // namespace walkabout::symbols
