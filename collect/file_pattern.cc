#include "collect/file_pattern.h"

#include <time.h>

#include <algorithm>

namespace walkabout::cli {
namespace {

constexpr const char* kAllowed =
    "%host, %pid, %t (when the file was begun), %n (its number) and %% (a percent sign)";
constexpr std::string_view kSuffix = ".walk";

std::string time_text(uint64_t wall_ns) {
  const auto seconds = static_cast<time_t>(wall_ns / 1'000'000'000);
  tm utc{};
  ::gmtime_r(&seconds, &utc);
  char text[32];
  return {text, ::strftime(text, sizeof text, "%Y%m%dT%H%M%SZ", &utc)};
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kTimeShape = "00000000T000000Z";  // time_text()'s

bool starts_with_time(std::string_view text) {
  return text.size() >= kTimeShape.size() &&
         std::equal(kTimeShape.begin(), kTimeShape.end(), text.begin(),
                    [](char shape, char c) { return shape == '0' ? is_digit(c) : shape == c; });
}

// Of what stands behind a percent sign: a second one, or letters.
std::string_view word_of(std::string_view text) {
  if (text.starts_with('%')) return text.substr(0, 1);
  const auto* const end =
      std::find_if_not(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
  return text.substr(0, static_cast<size_t>(end - text.begin()));
}

// Hosts are named by whoever runs them; a file's name is one part of a path.
std::string as_file_name(std::string host) {
  std::replace(host.begin(), host.end(), '/', '_');
  return host.empty() ? "host" : host;
}

}  // namespace

base::Result<FilePattern> FilePattern::parse(const std::string& text) {
  const auto wrong = [&text](const std::string& why) {
    return base::Status::error("the output " + text + " " + why);
  };
  const size_t slash = text.rfind('/');
  const std::string name = slash == std::string::npos ? text : text.substr(slash + 1);
  FilePattern pattern;
  pattern.folder_ = slash == std::string::npos ? "." : slash == 0 ? "/" : text.substr(0, slash);
  if (pattern.folder_.find('%') != std::string::npos)
    return wrong("has a % in its folder; only the file's name may have " + std::string(kAllowed));
  if (name.size() <= kSuffix.size() || name.substr(name.size() - kSuffix.size()) != kSuffix)
    return wrong("does not end in .walk; `walkabout convert` makes the other kinds of each file");
  std::string plain;
  const auto end_plain = [&] {
    if (!plain.empty()) pattern.segments_.push_back({Part::kText, plain});
    plain.clear();
  };
  for (size_t i = 0; i < name.size();) {
    if (name[i] != '%') {
      plain += name[i++];
      continue;
    }
    const std::string_view word = word_of(std::string_view(name).substr(i + 1));
    constexpr std::pair<std::string_view, Part> kParts[] = {{"host", Part::kHost},
                                                            {"pid", Part::kPid},
                                                            {"t", Part::kTime},
                                                            {"n", Part::kNumber},
                                                            {"%", Part::kText}};
    const auto* const known =
        std::find_if(std::begin(kParts), std::end(kParts), [&](const auto& p) { return word == p.first; });
    if (known == std::end(kParts))
      return wrong("has '%" + std::string(word) + "' in its name; known are " + kAllowed);
    if (known->second == Part::kText) {
      plain += '%';
    } else {
      end_plain();
      pattern.segments_.push_back({known->second, {}});
    }
    i += 1 + known->first.size();
  }
  end_plain();
  return pattern;
}

bool FilePattern::has(Part part) const {
  return std::any_of(segments_.begin(), segments_.end(), [part](const Segment& p) { return p.part == part; });
}

std::string FilePattern::name(const FileFacts& facts) const {
  std::string name;
  for (const Segment& p : segments_) {
    switch (p.part) {
      case Part::kText:
        name += p.text;
        break;
      case Part::kHost:
        name += as_file_name(facts.host);
        break;
      case Part::kPid:
        name += std::to_string(facts.pid);
        break;
      case Part::kTime:
        name += time_text(facts.wall_ns);
        break;
      case Part::kNumber:
        name += std::to_string(facts.number);
        break;
    }
  }
  return name;
}

std::string FilePattern::other_name(const std::string& name, unsigned copy) {
  std::string other = name;
  return other.insert(name.size() - kSuffix.size(), "-" + std::to_string(copy));
}

bool FilePattern::may_have_made(std::string_view name, const std::string& host) const {
  if (matches(name, as_file_name(host))) return true;
  if (!name.ends_with(kSuffix)) return false;
  const std::string_view stem = name.substr(0, name.size() - kSuffix.size());
  const size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos || dash + 1 == stem.size()) return false;
  if (!std::all_of(stem.begin() + static_cast<ptrdiff_t>(dash) + 1, stem.end(), is_digit)) return false;
  return matches(std::string(stem.substr(0, dash)).append(kSuffix), as_file_name(host));
}

// A number takes all its digits: what stands behind one in a pattern is no digit, or it is ambiguous anyway.
bool FilePattern::matches(std::string_view name, const std::string& host) const {
  for (const Segment& p : segments_) {
    const std::string_view text = p.part == Part::kHost ? std::string_view(host) : std::string_view(p.text);
    size_t length = 0;
    if (p.part == Part::kText || p.part == Part::kHost) {
      if (!name.starts_with(text)) return false;
      length = text.size();
    } else if (p.part == Part::kTime) {
      if (!starts_with_time(name)) return false;
      length = kTimeShape.size();
    } else {
      while (length < name.size() && is_digit(name[length])) ++length;
      if (length == 0) return false;
    }
    name.remove_prefix(length);
  }
  return name.empty();
}

}  // namespace walkabout::cli
