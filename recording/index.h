// The index of a run of several processes: a small text that names the recording of each, and the processes
// that could not be recorded. recording/format.md has its form. The recordings stand in a folder beside it.
// An index may come from anywhere: names in it lead nowhere but there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace walkabout::recording {

inline constexpr std::string_view kIndexMagic = "walkabout index 1\n";
inline constexpr size_t kMostIndexBytes = 4 * 1024 * 1024;

struct IndexedProcess {
  uint32_t pid = 0;
  std::string file;  // in the folder
  std::string name;  // for people: "dotnet build"
};

// Of a process that could not be recorded.
struct MissedProcess {
  uint32_t pid = 0;
  std::string name;
  std::string why;
};

struct Index {
  std::string folder;  // beside the index; ".": the index's own
  std::vector<IndexedProcess> processes;
  std::vector<MissedProcess> missed;
};

// Tabs and line ends in names become spaces.
std::string index_text(const Index& index);
// An error says in which line it is wrong.
base::Result<Index> parse_index(std::string_view text);

// False also for what cannot be read: who reads it as a recording says why.
bool is_index(const std::string& path);
base::Result<Index> read_index(const std::string& path);
// Where the recording of one of its processes is.
std::string path_of(const std::string& index_path, const Index& index, const IndexedProcess& process);

}  // namespace walkabout::recording
