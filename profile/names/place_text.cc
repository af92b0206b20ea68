#include "profile/names/place_text.h"

#include "base/file_name.h"

namespace walkabout::profile {
namespace {
constexpr size_t kMostListed = 4;
}

std::string lines_text(const SourcePlace& place) {
  const std::vector<uint32_t>& lines = place.lines;
  if (lines.empty()) return "";
  if (lines.size() == 1) return std::to_string(lines[0]) + (place.sure ? "" : " or near");
  if (lines.size() > kMostListed)
    return std::to_string(lines.front()) + " to " + std::to_string(lines.back());
  std::string text = std::to_string(lines[0]);
  for (size_t i = 1; i < lines.size(); ++i)
    text += (i + 1 == lines.size() ? " or " : ", ") + std::to_string(lines[i]);
  return text;
}

std::string place_text(const SourcePlace& place) {
  const std::string lines = lines_text(place);
  return lines.empty() ? lines : std::string(base::file_name_of_any(place.file)) + ":" + lines;
}

}  // namespace walkabout::profile
