// Records to bytes: appends (varint length, Record) to a buffer. Allocates; never throws. Any thread, no
// state.
#pragma once

#include <string>

#include "wire/records.h"

namespace walkabout::wire {

// Of every record but Nodes.
template <typename Record>
void encode(const Record& r, std::string& out);
// first_id: the id of the first node in r; 1 in a new tree.
void encode(const Nodes& r, uint32_t first_id, std::string& out);

}  // namespace walkabout::wire
