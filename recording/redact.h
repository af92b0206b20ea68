// What a recording says about where it was made, left out: the command line (but for the program's own name,
// and of the library that dotnet hosts), the host's name, the folders of all paths (a library keeps its file
// name and build id) and of paths in messages. Records of a type this version does not know are left out,
// too: nobody knows what is in them. docs/security.md says what remains. No state; any thread.
#pragma once

#include <string>

#include "recording/raw_record.h"

namespace walkabout::recording {

// The record as it may be passed on, framed like `record`; empty where nothing may.
// REQUIRES: the record was decoded without error.
std::string redacted(const RawRecord& record);

}  // namespace walkabout::recording
