#include "symbols/elf/demangle.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace walkabout::symbols {
namespace {

// The demangler recurses with the length of the name.
constexpr size_t kLongestMangledName = 8192;

struct Free {
  void operator()(char* text) const { std::free(text); }
};

}  // namespace

std::string readable_symbol(const std::string& raw) {
  std::string name = raw;
  if (const size_t version = name.find('@'); version != std::string::npos && version > 0)
    name.resize(version);
  if (name.size() > kLongestMangledName || name.compare(0, 2, "_Z") != 0) return name;
  int status = 0;
  const std::unique_ptr<char, Free> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status));
  return status == 0 && text ? std::string(text.get()) : name;
}

}  // namespace walkabout::symbols
