// What the runtime's own time was spent on, as far as the stacks tell (symbols/elf/runtime_functions.h has
// these names without symbols). Of the activity "runtime": by the function nearest to where the stack ends
// that loads types, stops all threads or lets them go on, wherever it was called from; else by the first
// function of the runtime below the last method, where that is a helper of the JIT, what a stub calls, or a
// function that managed code calls by name. Of the activity "gc": by the collector's phase. Any thread, no
// state.
#pragma once

#include <string_view>
#include <vector>

#include "profile/model/profile.h"
#include "profile/query/rows.h"

namespace walkabout::profile {

struct RuntimeWork {
  std::string_view what;  // "PGO counting"; "other" is the last
  Amount amount;
};

// Heaviest first, then what is not known. Empty where nothing is known. rows: of activity_rows(profile,
// view).
std::vector<RuntimeWork> runtime_work(const Profile& profile, View view, const std::vector<Row>& rows);
// The same of collections: "marking", "relocating".
std::vector<RuntimeWork> collectors_work(const Profile& profile, View view, const std::vector<Row>& rows);

// What a function of this name does for a program, "" where it is none that is known by name.
std::string_view work_of(std::string_view function);
// Of a function that stops all threads or lets them go on.
bool is_suspending(const DisplayFrame& frame);
// The collector's phase that a node is in, "" where that is not known.
std::string_view collectors_phase(const Profile& profile, uint32_t leaf);

// Of the runtime's function at a node: what it was called for, the node of the last method, and that of the
// runtime's function below it; 0: there is none. Without a method the entry is the runtime's outermost
// function.
struct CalledFor {
  std::string_view what;
  uint32_t entry = 0;
  uint32_t method = 0;
};
CalledFor called_for(const Profile& profile, uint32_t leaf);
inline constexpr std::string_view kCalledByName = "calls of the runtime by name";
inline constexpr std::string_view kFrameworksNativeCode = "native code of the framework";
inline constexpr std::string_view kCallingNativeCode = "calling native code";
inline constexpr std::string_view kOtherWork = "other";

}  // namespace walkabout::profile
