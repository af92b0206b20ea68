// A small file as one string. Any thread.
#pragma once

#include <string>

namespace walkabout::base {

// False, and `text` holds what came, when it cannot be opened or its reading fails: a file of /proc does when
// its process ends (ESRCH), where std::istreambuf_iterator throws. errno says why.
bool read_file(const std::string& path, std::string* text);
// What can be read of it: nothing, when it is not there any more.
std::string text_of(const std::string& path);

}  // namespace walkabout::base
