#include "profile/query/source_text.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace walkabout::profile {
namespace {

constexpr uint32_t kAround = 3;       // lines shown before and behind a method
constexpr uint32_t kAroundLine = 12;  // … and a line, where the method is too long
constexpr std::string_view kUtf8 = "\xef\xbb\xbf", kLittle = "\xff\xfe", kBig = "\xfe\xff";

void add_utf8(uint32_t c, std::string& out) {
  const auto byte = [&out](uint32_t value) { out.push_back(static_cast<char>(value)); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) {
    byte(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    byte(0xe0 | c >> 12);
    byte(0x80 | (c >> 6 & 0x3f));
  } else {
    byte(0xf0 | c >> 18);
    byte(0x80 | (c >> 12 & 0x3f));
    byte(0x80 | (c >> 6 & 0x3f));
  }
  byte(0x80 | (c & 0x3f));
}

std::string utf8_of(std::string_view utf16, bool big_endian) {
  std::string out;
  const auto unit = [&](size_t i) {
    const auto low = static_cast<uint8_t>(utf16[i]), high = static_cast<uint8_t>(utf16[i + 1]);
    return static_cast<uint32_t>(big_endian ? low << 8 | high : high << 8 | low);
  };
  for (size_t i = 0; i + 1 < utf16.size(); i += 2) {
    uint32_t c = unit(i);
    const uint32_t next = i + 3 < utf16.size() ? unit(i + 2) : 0;
    if (c >> 10 == 0x36 && next >> 10 == 0x37) {
      c = 0x10000 + ((c & 0x3ff) << 10 | (next & 0x3ff));
      i += 2;
    }
    add_utf8(c, out);
  }
  return out;
}

// How many bytes the end of a line takes at `at`; 0: there is none.
size_t line_end(std::string_view text, size_t at) {
  const std::string_view rest = text.substr(at, 3);
  if (rest.starts_with("\r\n")) return 2;
  if (rest[0] == '\n' || rest[0] == '\r') return 1;
  if (rest.starts_with("\xc2\x85")) return 2;
  return rest == "\xe2\x80\xa8" || rest == "\xe2\x80\xa9" ? 3 : 0;
}

struct Range {
  uint32_t first, last;
};

// What of a document's lines there are samples in.
struct Wanted {
  uint64_t samples = 0;  // whose innermost frame with a place is in it
  std::vector<Range> methods, lines;
};

Range around(uint32_t first, uint32_t last, uint32_t more) {
  return {first > more ? first - more : 1, last < UINT32_MAX - more ? last + more : last};
}

std::map<std::string_view, Wanted> wanted_of(const Profile& profile) {
  std::vector<uint64_t> below(profile.nodes.size());
  for (const Sample& sample : profile.samples) below[sample.node] += sample.count;
  std::vector<uint64_t> own = below;  // those that no frame further in has
  std::map<std::string_view, Wanted> wanted;
  for (size_t i = profile.nodes.size(); i-- > 1;) {
    const Node& node = profile.nodes[i];
    const SourcePlace& place = profile.frames[node.frame].place;
    below[node.parent] += below[i];
    if (below[i] == 0) continue;
    if (!place.known()) {
      own[node.parent] += own[i];
      continue;
    }
    Wanted& of = wanted[place.file];
    of.samples += own[i];
    const uint32_t first = place.first == 0 ? place.lines.front() : place.first;
    of.methods.push_back(around(first, std::max(place.last, place.lines.back()), kAround));
    for (const uint32_t line : place.lines) of.lines.push_back(around(line, line, kAroundLine));
  }
  return wanted;
}

// The lines in these ranges, as pieces that do not touch each other.
std::vector<SourcePiece> pieces_of(const std::vector<std::string>& lines, std::vector<Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.first < b.first; });
  std::vector<SourcePiece> pieces;
  uint32_t next = 0;  // the first line that is not in a piece yet
  for (const Range& range : ranges) {
    const auto last = static_cast<uint32_t>(std::min<size_t>(range.last, lines.size()));
    if (last < std::max(range.first, next)) continue;
    if (pieces.empty() || range.first > next) pieces.push_back({range.first, ""});
    for (uint32_t line = std::max(range.first, next); line <= last; ++line)
      pieces.back().text.append(lines[line - 1]).append(1, '\n');
    next = last + 1;
  }
  return pieces;
}

size_t size_of(const std::vector<SourcePiece>& pieces) {
  size_t size = 0;
  for (const SourcePiece& piece : pieces) size += piece.text.size();
  return size;
}

void take(const std::vector<std::string>& lines, const Wanted& wanted, const TextBounds& bounds,
          SourceDocument& document) {
  document.lines = static_cast<uint32_t>(lines.size());
  document.text = pieces_of(lines, {{1, document.lines}});
  if (size_of(document.text) <= bounds.whole) return;
  document.note =
      "of its " + std::to_string(lines.size()) + " lines only the methods that samples were in are here";
  document.text = pieces_of(lines, wanted.methods);
  if (size_of(document.text) <= bounds.whole) return;
  document.note = "of its " + std::to_string(lines.size()) + " lines only those around samples are here";
  document.text = pieces_of(lines, wanted.lines);
}

}  // namespace

std::vector<std::string> text_lines(std::string_view bytes) {
  std::string converted;
  if (bytes.starts_with(kLittle) || bytes.starts_with(kBig)) {
    converted = utf8_of(bytes.substr(2), bytes.starts_with(kBig));
    bytes = converted;
  } else if (bytes.starts_with(kUtf8)) {
    bytes.remove_prefix(kUtf8.size());
  }
  std::vector<std::string> lines;
  size_t begin = 0;
  for (size_t at = 0; at < bytes.size();) {
    const size_t end = line_end(bytes, at);
    if (end == 0) {
      ++at;
      continue;
    }
    lines.emplace_back(bytes.substr(begin, at - begin));
    begin = at += end;
  }
  if (begin < bytes.size()) lines.emplace_back(bytes.substr(begin));
  return lines;
}

void add_source_text(Profile& profile, const FindText& find, TextBounds bounds) {
  const std::map<std::string_view, Wanted> wanted = wanted_of(profile);
  std::vector<std::pair<SourceDocument*, const Wanted*>> order;
  for (SourceDocument& document : profile.documents) {
    if (const auto of = wanted.find(document.path); of != wanted.end())
      order.emplace_back(&document, &of->second);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second->samples > b.second->samples; });
  size_t room = bounds.all;
  for (const auto& [document, of] : order) {
    if (document->several) {
      document->note = "files of this path were compiled that differ";
      continue;
    }
    const FoundText found = find(*document);
    document->note = found.why;
    if (!found.why.empty()) continue;
    take(text_lines(found.bytes), *of, bounds, *document);
    const size_t size = size_of(document->text);
    if (size <= room) {
      room -= size;
      continue;
    }
    document->text.clear();
    document->note = "there is no more room: files with more samples have " +
                     std::to_string((bounds.all - room) >> 10) + " KiB of at most " +
                     std::to_string(bounds.all >> 10) + " KiB";
  }
}

}  // namespace walkabout::profile
