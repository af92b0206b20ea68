// How outputs speak of an event and its values: "wall time", "12.3 s", "1.50 MiB", "one every 50.0 ms of wall
// time". Any thread, no state.
#pragma once

#include <cstdint>
#include <string>

#include "profile/model/profile.h"
#include "profile/query/view.h"
#include "wire/records.h"

namespace walkabout::cli {

bool is_time(const wire::SourceValue& value);
// In the value's unit.
std::string value_text(uint64_t amount, const wire::SourceValue& value);
// "Wall time": as a sentence begins.
std::string title_of(const wire::SourceValue& value);
// What a table by it is called: "self time", "self bytes". The event "cpu" is "time".
std::string word_for(const wire::SourceValue& value);
// Empty where each event is a sample.
std::string period_text(const wire::Source& source);

// What was recorded beside what the profile shows: "wall (1,200 samples)", joined by commas. Empty: nothing.
std::string other_events(const profile::Profile& profile);

}  // namespace walkabout::cli
