// What the number of a label means, as text. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

#include "profile/model/profile.h"
#include "wire/records.h"

namespace walkabout::profile {

// "blocked", "futex", "System.String", "0x7f00…", "12". Empty: the sample has no such thing.
std::string label_text(const Profile& profile, const wire::SourceLabel& label, uint64_t value);

// "running" "runnable" "blocked" "unknown"
const char* to_string(wire::ThreadState state);

// Of the value of a label of type kSystemCall: "futex", or "system call 77" where the number has no name
// here. Empty: none. os: Session.os, on which the numbers depend.
std::string system_call_text(uint64_t label_value, const std::string& os);

}  // namespace walkabout::profile
