// The file of its own that a compilation unit's DIEs are in (split DWARF), which libdw opens at the path that
// the unit says. A hostile unit may say any path, and opening some files does something. So libdw is asked
// only where nobody but root and this user can change what lies there. No state, any thread.
#pragma once

#include <elfutils/libdw.h>

#include <string>

namespace walkabout::symbols {

// Its DIEs are in another file.
bool is_skeleton(Dwarf_Die* unit);
// Of a skeleton. image_folder: in which the file lies that it is in.
bool may_open_split(Dwarf_Die* unit, const std::string& image_folder);

}  // namespace walkabout::symbols
