// Names for the files of a run that writes one after the other: "out/%host-%pid-%t.walk". In the last part of
// the path, %host stands for the machine's name, %pid for the process, %t for when the file was begun
// (20261122T141500Z: sorts by time), %n for its number in the run from 1, %% for a percent sign. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace walkabout::cli {

struct FileFacts {
  std::string host;
  int pid = 0;
  uint64_t wall_ns = 0;  // CLOCK_REALTIME
  uint64_t number = 1;
};

class FilePattern {
 public:
  static base::Result<FilePattern> parse(const std::string& text);

  const std::string& folder() const { return folder_; }  // "." if none was given
  bool has_pid() const { return has(Part::kPid); }
  // Whether each file gets a name of its own.
  bool distinguishes_files() const { return has(Part::kTime) || has(Part::kNumber); }
  // The name within the folder.
  std::string name(const FileFacts& facts) const;
  // The same for a second file where the first is taken: "-2" before the suffix.
  static std::string other_name(const std::string& name, unsigned copy);
  // Whether a run on this machine may have made the file, or other_name() of it.
  bool may_have_made(std::string_view name, const std::string& host) const;

 private:
  enum class Part : uint8_t { kText, kHost, kPid, kTime, kNumber };
  struct Segment {
    Part part;
    std::string text;
  };
  bool has(Part part) const;
  bool matches(std::string_view name, const std::string& host) const;

  std::string folder_;
  std::vector<Segment> segments_;
};

}  // namespace walkabout::cli
