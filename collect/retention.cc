#include "collect/retention.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <vector>

#include "base/duration.h"
#include "base/fd.h"
#include "recording/constants.h"

namespace walkabout::cli {
namespace {

constexpr std::string_view kUnfinished = ".part";

struct CloseFolder {
  void operator()(DIR* dir) const { ::closedir(dir); }
};

struct OldFile {
  std::string name;
  uint64_t bytes = 0;
  uint64_t written_ns = 0;
};

std::optional<uint64_t> parse_count(const std::string& text) {
  uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size() || n == 0) return std::nullopt;
  return n;
}

std::optional<uint64_t> parse_size(const std::string& text) {
  constexpr std::pair<std::string_view, double> kUnits[] = {{"KiB", 1024.0},
                                                            {"MiB", 1024.0 * 1024},
                                                            {"GiB", 1024.0 * 1024 * 1024},
                                                            {"kB", 1e3},
                                                            {"KB", 1e3},
                                                            {"MB", 1e6},
                                                            {"GB", 1e9},
                                                            {"TB", 1e12}};
  const size_t unit_at = text.find_first_not_of("0123456789.");
  if (unit_at == 0 || unit_at == std::string::npos) return std::nullopt;
  for (const auto& [unit, scale] : kUnits) {
    if (text.substr(unit_at) != unit) continue;
    const std::string number = text.substr(0, unit_at);
    char* end = nullptr;
    const double bytes = std::strtod(number.c_str(), &end) * scale;
    if (*end != '\0' || !(bytes >= 1) || bytes > 9e18) return std::nullopt;
    return static_cast<uint64_t>(bytes);
  }
  return std::nullopt;
}

bool take_one(const std::string& text, Retention* keep) {
  if (const auto count = parse_count(text)) {
    keep->files = count;
  } else if (const auto bytes = parse_size(text)) {
    keep->bytes = bytes;
  } else if (const auto age = base::parse_duration(text); age && *age > 0) {
    keep->age_ns = age;
  } else {
    return false;
  }
  return true;
}

// A recording of this user's that nobody is writing.
std::optional<OldFile> look_at(int folder, const std::string& name) {
  const base::Fd file(::openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat info {};
  if (!file.valid() || ::fstat(file.get(), &info) != 0 || !S_ISREG(info.st_mode)) return std::nullopt;
  if (info.st_uid != ::geteuid() || ::flock(file.get(), LOCK_SH | LOCK_NB) != 0) return std::nullopt;
  char magic[recording::kMagic.size()];
  const ssize_t got = ::read(file.get(), magic, sizeof magic);
  if (got != sizeof magic || std::string_view(magic, sizeof magic) != recording::kMagic) return std::nullopt;
  return OldFile{name, static_cast<uint64_t>(info.st_size),
                 static_cast<uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000 +
                     static_cast<uint64_t>(info.st_mtim.tv_nsec)};
}

// Newest first.
std::vector<OldFile> files_of(const FilePattern& pattern, const std::string& host, DIR* dir) {
  std::vector<OldFile> files;
  while (const dirent* entry = ::readdir(dir)) {
    std::string_view name = entry->d_name;
    // Of a collector that was killed.
    if (name.ends_with(kUnfinished)) name.remove_suffix(kUnfinished.size());
    if (!pattern.may_have_made(name, host)) continue;
    if (auto file = look_at(::dirfd(dir), entry->d_name)) files.push_back(std::move(*file));
  }
  std::sort(files.begin(), files.end(), [](const OldFile& a, const OldFile& b) {
    return std::pair(a.written_ns, a.name) > std::pair(b.written_ns, b.name);
  });
  return files;
}

}  // namespace

base::Result<Retention> Retention::parse(const std::string& text) {
  Retention keep;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find(',', at), text.size());
    if (!take_one(text.substr(at, end - at), &keep)) {
      return base::Status::error(
          "not a number of files (24), a size (500MB) or an age (7d), "
          "nor several of them with commas between them");
    }
    at = end + 1;
  }
  return keep;
}

std::string unfinished_name(const std::string& name) { return name + std::string(kUnfinished); }

unsigned remove_old_files(const FilePattern& pattern, const std::string& host, const Retention& keep,
                          uint64_t now_ns) {
  const std::unique_ptr<DIR, CloseFolder> dir(::opendir(pattern.folder().c_str()));
  if (dir == nullptr) return 0;
  uint64_t files = 0, bytes = 0;
  unsigned removed = 0;
  for (const OldFile& file : files_of(pattern, host, dir.get())) {
    ++files;
    bytes += file.bytes;
    const uint64_t age_ns = now_ns > file.written_ns ? now_ns - file.written_ns : 0;
    const bool over = (keep.files && files > *keep.files) || (keep.bytes && bytes > *keep.bytes) ||
                      (keep.age_ns && age_ns > *keep.age_ns);
    if (over && files > 1 && ::unlinkat(::dirfd(dir.get()), file.name.c_str(), 0) == 0) ++removed;
  }
  return removed;
}

}  // namespace walkabout::cli
