// A zstd frame that holds its bytes as they are, for where there is no zstd library: any reader of zstd takes
// it, and it can be read here. Pure. Source: RFC 8878, 3.1.1.
#pragma once

#include <string>
#include <string_view>

namespace walkabout::recording {

// REQUIRES: less than 4 GiB.
std::string stored_frame(std::string_view raw);

// Does it begin as those of stored_frame() do? False for a frame of another maker.
bool is_stored_frame(std::string_view frame);
// Fills all of *raw. False when the frame is damaged, holds another number of bytes, or compressed ones.
bool read_stored_frame(std::string_view frame, std::string* raw);

}  // namespace walkabout::recording
