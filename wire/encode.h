// Records to bytes: appends (varint length, Record) to a buffer. Allocates; never throws. Any thread, no
// state.
#pragma once

#include <string>

#include "wire/records.h"

namespace walkabout::wire {

void encode(const Session& r, std::string& out);
void encode(const Thread& r, std::string& out);
void encode(const Module& r, std::string& out);
void encode(const Method& r, std::string& out);
void encode(const JitCode& r, std::string& out);
void encode(const MethodRange& r, std::string& out);
// first_id: the id of the first node in r; 1 in a new tree.
void encode(const Nodes& r, uint32_t first_id, std::string& out);
void encode(const Samples& r, std::string& out);
void encode(const Oracle& r, std::string& out);
void encode(const ThreadEnd& r, std::string& out);
void encode(const Counters& r, std::string& out);
void encode(const Message& r, std::string& out);
void encode(const Rate& r, std::string& out);
void encode(const End& r, std::string& out);
void encode(const NativeSymbols& r, std::string& out);

}  // namespace walkabout::wire
