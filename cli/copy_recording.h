// A .walk file written again, record by record: of an undamaged file the same bytes, of a damaged one its
// good part.
#pragma once

#include <string>

#include "base/result.h"

namespace walkabout::cli {

// The damage that was left behind, empty if there was none. `to` appears whole or not at all.
base::Result<std::string> copy_recording(const std::string& from, const std::string& to);

}  // namespace walkabout::cli
