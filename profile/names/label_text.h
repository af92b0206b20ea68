// What the number of a label means, as text. Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

#include "wire/records.h"

namespace walkabout::profile {

// "blocked", "futex", "0x7f00…", "12". Empty: the sample has no such thing. os: Session.os, on which the
// numbers of system calls depend.
std::string label_text(const wire::SourceLabel& label, uint64_t value, const std::string& os);

// "running" "runnable" "blocked" "unknown"
const char* to_string(wire::ThreadState state);

// Of the value of a label of type kSystemCall: "futex", or "system call 77" where the number has no name
// here. Empty: none.
std::string system_call_text(uint64_t label_value, const std::string& os);

}  // namespace walkabout::profile
