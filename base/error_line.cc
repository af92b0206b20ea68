#include "base/error_line.h"

#include "base/plain_text.h"

namespace walkabout::base {

std::string error_line(std::string_view text) { return "walkabout: " + plain_text(text) + '\n'; }

}  // namespace walkabout::base
