#include "symbols/elf/call_tables.h"

#include <map>
#include <string_view>

namespace walkabout::symbols {
namespace {

using Word = LoadedData::Word;

constexpr size_t kLeastPairs = 20;  // of a table of QCalls; a few in a row may be something else
// Of an FCall's flags: what is above the lowest byte, in every release from 8 on.
constexpr uint64_t kFlagsMask = ~uint64_t{0xff};
constexpr uint64_t kFlags = 0xffffffffff000000;
constexpr uint64_t kLastOfGroup = 1;

bool is_text(const LoadedData& data, size_t at) {
  return at < data.words().size() && !data.identifier(data.words()[at]).empty();
}

// Names come before their functions: a function in front of the first name belongs to what lies before.
void read_qcalls(const LoadedData& data, std::vector<NamedStart>& found) {
  const std::vector<Word>& words = data.words();
  for (size_t i = 0; i < words.size();) {
    size_t end = i;
    while (end + 1 < words.size() && is_text(data, end) && data.is_code(words[end + 1])) end += 2;
    if ((end - i) / 2 >= kLeastPairs) {
      for (size_t pair = i; pair < end; pair += 2)
        found.push_back({words[pair + 1].value, std::string(data.identifier(words[pair]))});
    }
    i = end == i ? i + 1 : end;
  }
}

bool is_fcall(const LoadedData& data, size_t at) {
  const std::vector<Word>& words = data.words();
  return at + 2 < words.size() && !words[at].address && (words[at].value & kFlagsMask) == kFlags &&
         (words[at].value & kLastOfGroup) == 0 && data.is_code(words[at + 1]) && is_text(data, at + 2);
}

// Of each group of FCalls that a class has, where it begins. A class: its name, its namespace, the group.
std::map<uint64_t, std::string_view> read_classes(const LoadedData& data) {
  std::map<uint64_t, std::string_view> classes;
  const std::vector<Word>& words = data.words();
  for (size_t i = 0; i + 2 < words.size(); ++i) {
    const Word& group = words[i + 2];
    if (is_text(data, i) && is_text(data, i + 1) && group.address && group.value >= data.address(0) &&
        group.value < data.address(words.size()))
      classes.try_emplace(group.value, data.identifier(words[i]));
  }
  return classes;
}

void read_fcalls(const LoadedData& data, std::vector<NamedStart>& found) {
  const std::vector<Word>& words = data.words();
  const std::map<uint64_t, std::string_view> classes = read_classes(data);
  for (size_t i = 0; i < words.size();) {
    const auto known = classes.find(data.address(i));
    if (known == classes.end() || !is_fcall(data, i)) {
      ++i;
      continue;
    }
    for (; is_fcall(data, i); i += 3) {
      std::string name(known->second);
      name += '.';
      name += data.identifier(words[i + 2]);
      found.push_back({words[i + 1].value, std::move(name)});
    }
  }
}

}  // namespace

std::vector<NamedStart> read_call_tables(const LoadedData& data) {
  std::vector<NamedStart> found;
  read_qcalls(data, found);
  read_fcalls(data, found);
  return found;
}

}  // namespace walkabout::symbols
