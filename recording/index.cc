#include "recording/index.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/open_file.h"
#include "base/plain_text.h"
#include "base/system_error.h"

namespace walkabout::recording {
namespace {

constexpr std::string_view kFolder = "folder", kProcess = "process", kMissed = "missed";
constexpr std::string_view kNotInNames("/\\:\0", 4);

std::string one_word(std::string_view text) {
  std::string word = base::plain_text(text);
  std::replace(word.begin(), word.end(), '\t', ' ');
  return word;
}

// A name in a folder, and nothing that leads out of it.
bool is_name(std::string_view text) {
  return !text.empty() && text != ".." && text != "." &&
         text.find_first_of(kNotInNames) == std::string_view::npos;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const size_t end = line.find('\t');
    fields.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return fields;
    line.remove_prefix(end + 1);
  }
}

std::optional<uint32_t> number(std::string_view text) {
  uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return n;
}

// Lines that begin with another word are of a later version, and left out.
bool take_line(std::string_view line, Index* index) {
  const std::vector<std::string_view> fields = fields_of(line);
  if (fields[0] == kFolder) {
    if (fields.size() != 2 || !(fields[1] == "." || is_name(fields[1]))) return false;
    index->folder = fields[1];
    return true;
  }
  if (fields[0] != kProcess && fields[0] != kMissed) return true;
  const std::optional<uint32_t> pid = fields.size() == 4 ? number(fields[1]) : std::nullopt;
  if (!pid) return false;
  if (fields[0] == kMissed) {
    index->missed.push_back({*pid, one_word(fields[2]), one_word(fields[3])});
    return true;
  }
  if (!is_name(fields[2])) return false;
  index->processes.push_back({*pid, std::string(fields[2]), one_word(fields[3])});
  return true;
}

base::Result<std::string> first_bytes(const std::string& path, size_t most) {
  const base::Fd file = base::open_to_read(path);
  if (!file.valid()) return base::system_error("cannot open " + path);
  std::string bytes;
  char part[4096];
  while (bytes.size() < most) {
    const auto n =
        ::read(file.get(), part, static_cast<unsigned>(std::min(sizeof part, most - bytes.size())));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return base::system_error("cannot read " + path);
    if (n == 0) break;
    bytes.append(part, static_cast<size_t>(n));
  }
  return bytes;
}

}  // namespace

std::string index_text(const Index& index) {
  std::string text(kIndexMagic);
  const auto add = [&text](std::string_view what, const std::vector<std::string>& fields) {
    text += what;
    for (const std::string& field : fields) text += "\t" + one_word(field);
    text += "\n";
  };
  add(kFolder, {index.folder});
  for (const IndexedProcess& p : index.processes) add(kProcess, {std::to_string(p.pid), p.file, p.name});
  for (const MissedProcess& p : index.missed) add(kMissed, {std::to_string(p.pid), p.name, p.why});
  return text;
}

base::Result<Index> parse_index(std::string_view text) {
  if (text.substr(0, kIndexMagic.size()) != kIndexMagic)
    return base::Status::error("it is no index of this version of walkabout");
  text.remove_prefix(kIndexMagic.size());
  Index index;
  for (size_t number_of_line = 2; !text.empty(); ++number_of_line) {
    const size_t end = text.find('\n');
    if (!take_line(text.substr(0, end), &index))
      return base::Status::error("line " + std::to_string(number_of_line) + " of the index is wrong");
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (index.folder.empty() || index.processes.empty())
    return base::Status::error("the index names no recording");
  return index;
}

bool is_index(const std::string& path) {
  const base::Result<std::string> bytes = first_bytes(path, kIndexMagic.size());
  return bytes.ok() && *bytes == kIndexMagic;
}

base::Result<Index> read_index(const std::string& path) {
  const base::Result<std::string> text = first_bytes(path, kMostIndexBytes);
  if (!text.ok()) return text.status();
  base::Result<Index> index = parse_index(*text);
  return index.ok() ? index : base::Status::error(path + ": " + index.message());
}

std::string path_of(const std::string& index_path, const Index& index, const IndexedProcess& process) {
  const size_t slash = index_path.find_last_of("/\\");
  const std::string beside = slash == std::string::npos ? "" : index_path.substr(0, slash + 1);
  return beside + (index.folder == "." ? "" : index.folder + "/") + process.file;
}

}  // namespace walkabout::recording
