#include "profile/query/focus.h"

#include <regex>

namespace walkabout::profile {
namespace {

// std::regex recurses over its text: longer names are matched by their beginning.
constexpr size_t kMatchedChars = 2048;

}  // namespace

struct Focus::Pattern {
  std::regex regex;
};

base::Status check_focus(const std::string& expression) {
  try {
    const std::regex regex(expression, std::regex::ECMAScript);
  } catch (const std::regex_error& error) {
    return base::Status::error("'" + expression + "' is no regular expression: " + error.what());
  }
  return {};
}

Focus::Focus(const std::string& expression) {
  if (expression.empty()) return;
  pattern_ = std::make_shared<const Pattern>(
      Pattern{std::regex(expression, std::regex::ECMAScript | std::regex::optimize)});
}

bool Focus::has(const std::string& frame_name) const {
  return all() || std::regex_search(frame_name.substr(0, kMatchedChars), pattern_->regex);
}

}  // namespace walkabout::profile
