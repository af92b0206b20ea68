// `report --startup`: what the first part of a program's life was spent on, for a person (text) or a program
// (JSON, docs/json.md). One thread.
#pragma once

#include <cstddef>
#include <string>

#include "cli/terminal.h"
#include "console/json_out.h"
#include "profile/model/profile.h"
#include "profile/query/startup.h"

namespace walkabout::cli {

// Of a start that nobody says the length of.
inline constexpr uint64_t kUsualStartupUs = 5'000'000;

std::string startup_text(const profile::Profile& profile, const profile::Startup& startup,
                         const Terminal& terminal);
Json startup_json(const profile::Profile& profile, const profile::Startup& startup);

}  // namespace walkabout::cli
