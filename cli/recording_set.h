// Recordings of several processes in the place a user named: an index there, and beside it the folder NAME.d
// with a file for each (recording/index.h). One that is already there is replaced, with its files. One
// thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/recordings_of.h"

namespace walkabout::cli {

using CopyRecording = std::function<base::Status(const std::string& from, const std::string& to)>;

// `from`: where the recordings are now. The index comes last: it names only files that are whole.
base::Status write_recording_set(const std::string& to, const RecordingFiles& from,
                                 const CopyRecording& copy);

// The index alone, for files that are in its own folder already.
base::Status write_index_here(const std::string& to, const RecordingFiles& files);

// The index that a file at `path` holds now. An error where there is none. A pipe is not opened.
base::Result<recording::Index> index_before(const std::string& path);

// The files of an index that was at `path` until a single recording took its place.
void remove_recording_set(const std::string& path, const recording::Index& before);

}  // namespace walkabout::cli
