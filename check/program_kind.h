// What a program's file is, as far as it matters to a profiler of .NET. Reads the file; any thread, no state.
#pragma once

#include <string>

namespace walkabout::cli {

enum class ProgramKind {
  kDotnetHost,  // dotnet itself: the program is its argument
  kAppHost,     // a starter that finds the runtime beside it or on the machine
  kSingleFile,  // the runtime is inside
  kNativeAot,   // compiled ahead of time: there is no runtime
  kScript,      // begins with #!: what it starts is not known
  kOther,
};
ProgramKind program_kind(const std::string& path);

// The file execvp(3) would start; empty if there is none. A name with a slash is a path, another is looked up
// in `search`, folders separated by colons.
std::string find_program(const std::string& name, const std::string& search);

// The major version of .NET a program asks for, from its NAME.runtimeconfig.json beside it; 0 if that is not
// there or does not say it.
int wanted_runtime(const std::string& program);

}  // namespace walkabout::cli
