// Whether a descriptor takes bytes. Any thread, no state.
#pragma once

namespace walkabout::cli {

// Waits so long at most. False also where nobody will ever read it, or it is closed.
bool is_writable(int fd, int timeout_ms);

}  // namespace walkabout::cli
