#include "net/shared_library.h"

namespace walkabout::net {

base::Result<SharedLibrary> SharedLibrary::load(const std::vector<const char*>& names, const char* package) {
  for (const char* name : names) {
    if (void* handle = ::dlopen(name, RTLD_NOW | RTLD_LOCAL)) return SharedLibrary(handle);
  }
  return base::Status::error(std::string(names.front()) + " cannot be loaded; install it (Debian: package " +
                             package + ")");
}

}  // namespace walkabout::net
