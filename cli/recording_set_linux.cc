#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "base/file_name.h"
#include "base/system_error.h"
#include "cli/recording_set.h"
#include "formats/output_file.h"

namespace walkabout::cli {
namespace {

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

base::Status make_folder(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) == 0) return {};
  struct stat there {};
  if (errno == EEXIST && ::lstat(path.c_str(), &there) == 0 && S_ISDIR(there.st_mode) &&
      (there.st_uid == ::geteuid() || there.st_uid == 0))
    return {};
  return base::Status::error("cannot make the folder " + path +
                             " for the recordings of the processes: " + strerror(errno));
}

// A process may become another by exec: then there are two recordings of one PID.
std::string free_name(uint32_t pid, const std::set<std::string>& taken) {
  std::string name = std::to_string(pid) + ".walk";
  for (unsigned copy = 2; taken.count(name) != 0; ++copy)
    name = std::to_string(pid) + "-" + std::to_string(copy) + ".walk";
  return name;
}

base::Status write_index(const std::string& to, const recording::Index& index) {
  formats::OutputFile file(to);
  if (base::Status s = file.open(); !s.ok()) return s;
  file.stream() << recording::index_text(index);
  return file.commit();
}

bool is_a_file_or_none(const std::string& path) {
  struct stat there {};
  return ::stat(path.c_str(), &there) != 0 || S_ISREG(there.st_mode);
}

void remove_files(const std::string& index_path, const recording::Index& index,
                  const std::set<std::string>& but) {
  if (index.folder != std::string(base::file_name(index_path)) + ".d")
    return;  // not made by us for this index
  for (const recording::IndexedProcess& p : index.processes) {
    if (but.count(p.file) == 0) ::unlink(recording::path_of(index_path, index, p).c_str());
  }
  ::rmdir((folder_of(index_path) + index.folder).c_str());  // when it is empty
}

}  // namespace

base::Result<recording::Index> index_before(const std::string& path) {
  if (!is_a_file_or_none(path)) return base::Status::error(path + " is no file");
  return recording::read_index(path);
}

base::Status write_recording_set(const std::string& to, const RecordingFiles& from,
                                 const CopyRecording& copy) {
  if (!is_a_file_or_none(to))
    return base::Status::error("cannot write " + to + ": the recordings of " +
                               std::to_string(from.files.size()) +
                               " processes need a file's name; --no-children records the first alone");
  const base::Result<recording::Index> before = index_before(to);
  recording::Index index{std::string(base::file_name(to)) + ".d", {}, from.missed};
  const std::string folder = folder_of(to) + index.folder;
  if (base::Status s = make_folder(folder); !s.ok()) return s;
  std::set<std::string> names;
  for (const RecordingFile& file : from.files) {
    const std::string name = free_name(file.pid, names);
    std::string path = folder;
    path.append("/").append(name);
    if (base::Status s = copy(file.path, path); !s.ok()) return s;
    names.insert(name);
    index.processes.push_back({file.pid, name, file.name});
  }
  if (base::Status s = write_index(to, index); !s.ok()) return s;
  if (before.ok()) remove_files(to, *before, names);
  return {};
}

base::Status write_index_here(const std::string& to, const RecordingFiles& files) {
  recording::Index index{".", {}, files.missed};
  for (const RecordingFile& file : files.files)
    index.processes.push_back({file.pid, std::string(base::file_name(file.path)), file.name});
  return write_index(to, index);
}

void remove_recording_set(const std::string& path, const recording::Index& before) {
  remove_files(path, before, {});
}

}  // namespace walkabout::cli
