#include "cover/affected_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace walkabout::cover {
namespace {

constexpr uint32_t kMostLine = 100'000'000;

// At the begin of the text, which is taken from it.
std::optional<uint32_t> take_number(std::string_view* text) {
  uint32_t number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || number > kMostLine) return std::nullopt;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return number;
}

bool take(std::string_view what, std::string_view* text) {
  if (!text->starts_with(what)) return false;
  text->remove_prefix(what.size());
  return true;
}

// "12,3", "12": one line.
bool take_range(std::string_view* text, uint32_t* first, uint32_t* count) {
  const auto begin = take_number(text);
  const auto size = begin && take(",", text) ? take_number(text) : std::optional<uint32_t>(1);
  if (!begin || !size) return false;
  *first = *begin, *count = *size;
  return true;
}

class DiffReader {
 public:
  std::vector<ChangedLines> read(std::string_view text) {
    while (!text.empty()) {
      std::string_view line = text.substr(0, text.find('\n'));
      text.remove_prefix(std::min(text.size(), line.size() + 1));
      if (line.ends_with('\r')) line.remove_suffix(1);
      read_line(line);
    }
    return std::move(changes_);
  }

 private:
  void read_line(std::string_view line) {
    if (old_left_ == 0 && new_left_ == 0) return read_head(line);
    if (line.starts_with('\\')) return;  // "No newline at end of file"
    if (line.starts_with('+')) {
      if (new_left_ > 0) --new_left_;
      if (!replaces_) add({file_, old_line_ == 0 ? 0 : old_line_ - 1, old_line_, true});
      replaces_ = true;  // more of it is at the same place
      return;
    }
    const bool is_removed = line.starts_with('-');
    if (is_removed) add({file_, old_line_, old_line_, false});
    replaces_ = is_removed;
    ++old_line_;
    if (old_left_ > 0) --old_left_;
    if (!is_removed && new_left_ > 0) --new_left_;
  }

  void read_head(std::string_view line) {
    uint32_t unused = 0;
    if (take("--- ", &line)) {
      line = line.substr(0, line.find('\t'));
      if (line.size() > 2 && line.front() == '"' && line.back() == '"')
        line = line.substr(1, line.size() - 2);
      is_new_ = line == "/dev/null";
      take("a/", &line);
      file_ = line;
    } else if (take("@@ -", &line) && take_range(&line, &old_line_, &old_left_) && take(" +", &line) &&
               take_range(&line, &unused, &new_left_)) {
      if (old_left_ == 0) ++old_line_;  // of an insertion the line before it is named
      replaces_ = false;
    }
  }

  void add(const ChangedLines& change) {
    if (is_new_ || file_.empty()) return;
    if (!changes_.empty() && !change.is_between && !changes_.back().is_between &&
        changes_.back().file == change.file && changes_.back().last + 1 == change.first)
      changes_.back().last = change.last;
    else
      changes_.push_back(change);
  }

  std::vector<ChangedLines> changes_;
  std::string file_;
  bool is_new_ = false, replaces_ = false;
  uint32_t old_line_ = 0, old_left_ = 0, new_left_ = 0;
};

class Finder {
 public:
  explicit Finder(const TestMap& map) : map_(map) {
    for (const TestFlow& flow : map.flows) {
      if (flow.kind == TestFlow::Kind::kTest) tests_of_type_.emplace(type_of(flow.name), flow.name);
    }
  }

  AffectedTests find(const std::vector<ChangedLines>& changes) {
    for (const ChangedLines& change : changes) {
      bool found = false;
      for (const auto& [path, file] : map_.files) {
        if (path != change.file && !path.ends_with("/" + change.file)) continue;
        found = true;
        add(change, file);
      }
      if (found) continue;
      ++affected_.unknown;
      note(change.file + ": it is no source that the map has");
    }
    return std::move(affected_);
  }

 private:
  static std::string type_of(const std::string& test) { return test.substr(0, test.rfind('.')); }

  void note(std::string sentence) {
    if (noted_.insert(sentence).second) affected_.notes.push_back(std::move(sentence));
  }

  void add(const ChangedLines& change, const TestMap::File& file) {
    bool reached = false;
    const auto add_line = [&](auto line) {
      if (line == file.lines.end()) return;
      reached = reached || !line->second.empty();
      for (const uint32_t flow : line->second) add(map_.flows[flow], change.file, line->first);
    };
    const auto add_around = [&](uint32_t before, uint32_t behind) {
      const auto above = file.lines.upper_bound(before);
      if (above != file.lines.begin()) add_line(std::prev(above));
      add_line(file.lines.lower_bound(behind));
    };
    if (change.is_between) {
      add_around(change.first, change.first + 1);
    } else {
      uint32_t with_code = 0;
      for (auto line = file.lines.lower_bound(change.first);
           line != file.lines.end() && line->first <= change.last; ++line) {
        add_line(line);
        ++with_code;
      }
      if (with_code <= change.last - change.first) add_around(change.first, change.last);
      if (with_code == 0)
        note(fmt::format("{}: no code of its own; the tests of the lines around it are listed",
                         place(change.file, change.first, change.last)));
    }
    if (!reached) note(place(change.file, change.first, change.last) + ": nothing is known that reaches it");
  }

  static std::string place(const std::string& file, uint32_t first, uint32_t last) {
    return first == last ? fmt::format("{}:{}", file, first) : fmt::format("{}:{}-{}", file, first, last);
  }

  void add(const TestFlow& flow, const std::string& file, uint32_t line) {
    if (flow.kind == TestFlow::Kind::kTest) {
      affected_.tests.insert(flow.name);
    } else if (flow.kind == TestFlow::Kind::kType) {
      const auto [begin, end] = tests_of_type_.equal_range(flow.name);
      for (auto test = begin; test != end; ++test) affected_.tests.insert(test->second);
      if (begin == end)
        note(fmt::format("{}:{}: {} reaches it outside of tests; which tests need that is not known", file,
                         line, flow.name));
    } else {
      note(fmt::format("{}:{}: it also ran where no test is known", file, line));
    }
  }

  const TestMap& map_;
  std::multimap<std::string, std::string> tests_of_type_;
  AffectedTests affected_;
  std::set<std::string> noted_;
};

}  // namespace

std::optional<ChangedLines> read_place(std::string_view text) {
  const size_t colon = text.rfind(':');
  if (colon == 0 || colon == std::string_view::npos) return std::nullopt;
  ChangedLines place{std::string(text.substr(0, colon)), 0, 0, false};
  text.remove_prefix(colon + 1);
  const auto first = take_number(&text);
  const auto last = first && take("-", &text) ? take_number(&text) : first;
  if (!first || !last || *first == 0 || *last < *first || !text.empty()) return std::nullopt;
  place.first = *first, place.last = *last;
  return place;
}

std::vector<ChangedLines> read_diff(std::string_view text) { return DiffReader().read(text); }

AffectedTests affected_tests(const TestMap& map, const std::vector<ChangedLines>& changes) {
  return Finder(map).find(changes);
}

}  // namespace walkabout::cover
