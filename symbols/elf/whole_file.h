// A file's bytes. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/fd.h"
#include "symbols/elf/file_root.h"

namespace walkabout::symbols {

// Empty when it is no regular file, cannot be read, or has more than `most` bytes. It is never waited for.
std::vector<uint8_t> read_whole(const std::string& path, const FileRoot& root, uint64_t most);
std::vector<uint8_t> read_whole(const base::Fd& file, uint64_t most);

}  // namespace walkabout::symbols
