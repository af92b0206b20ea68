#include "console/writable.h"

namespace walkabout::cli {

// Writes block there.
bool is_writable(int /*fd*/, int /*timeout_ms*/) { return true; }

}  // namespace walkabout::cli
