// What a symbol table says of the names that a CLR had without one (elf/runtime_functions.h): a check of
// both. Pure; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/records.h"

namespace walkabout::symbols {

struct NameCheck {
  uint64_t confirmed = 0;
  std::vector<std::string> contradicted;  // "CORINFO_HELP_THROW is memcpy"
};

// Names of a CLR's own are among them, and there was no symbol table.
bool has_runtime_names(const wire::NativeSymbols& record);

// Of each exact name of `known` that a symbol of `real` covers.
NameCheck check_names(const wire::NativeSymbols& known, const wire::NativeSymbols& real);

// A helper, a method of a class or a function is the function that a symbol names. name: several between
// " or "; one has to be.
bool is_same_function(std::string_view name, std::string_view symbol);

}  // namespace walkabout::symbols
