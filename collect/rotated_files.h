// The files of one process whose recordings come one after the other: each is written under a name of its own
// with .part behind it, and gets its name when it is whole. 0600; the folder is made 0700 when it is not
// there. A file that exists is never replaced. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "collect/file_pattern.h"
#include "collect/retention.h"
#include "recording/writer.h"

namespace walkabout::cli {

struct Rotation {
  FilePattern pattern;
  std::optional<Retention> keep;
};

// From the user's options: a name for the files, how long each goes (empty: to the end, and there is one),
// how many stay (empty: all).
base::Result<Rotation> make_rotation(const std::string& output, const std::string& every,
                                     const std::string& keep);

// Makes the folder if need be. An error when no file can be made there.
base::Status check_folder(const FilePattern& pattern);

class RotatedFiles {
 public:
  RotatedFiles(Rotation rotation, int pid);

  // The next file, begun at that time (CLOCK_REALTIME). REQUIRES: none is open.
  base::Result<recording::Writer> begin(uint64_t wall_ns);
  // Its writer is done with it. Also of one that could not be written to its end: what it has can be read.
  base::Status end();
  // The open one holds nothing worth to keep.
  void discard();

  uint64_t count() const { return count_; }          // files that have their names
  const std::string& last() const { return last_; }  // the path of the last of them

 private:
  base::Result<base::Fd> create(const std::string& name);

  Rotation rotation_;
  std::string host_;
  int pid_;
  uint64_t number_ = 0;
  uint64_t count_ = 0;
  std::string name_;  // of the open file, when it is whole
  std::string part_;  // its path now; empty: none is open
  std::string last_;
};

}  // namespace walkabout::cli
