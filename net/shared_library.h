// A library that is loaded when it is needed: most runs ask no server and should not pay for the network
// libraries' start, nor a package require them. Stays loaded to the process's end.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

#include "base/result.h"

namespace walkabout::net {

class SharedLibrary {
 public:
  // names: of the first that is there. package: the one to install, for the error.
  static base::Result<SharedLibrary> load(const std::vector<const char*>& names, const char* package);
  // Sets *function; the type is its declaration's. False if the library has none of this name.
  template <typename Function>
  bool find(const char* name, Function** function) const {
    *function = reinterpret_cast<Function*>(::dlsym(handle_, name));
    return *function != nullptr;
  }

 private:
  explicit SharedLibrary(void* handle) : handle_(handle) {}
  void* handle_;
};

}  // namespace walkabout::net
