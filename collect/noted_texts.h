// The notes about texts in a dead process's ring memory (wire/text_note.h): what labels of samples stand for
// that the stream had no text of. They are hostile: words that make no sense are skipped. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/ids.h"

namespace walkabout::cli {

class NotedTexts {
 public:
  NotedTexts() = default;
  // bytes: entries one behind the other.
  explicit NotedTexts(std::string_view bytes);

  // Encodes the text; once. message: its label is of type kMessage; a note may call it one as well. False:
  // there is no note of it.
  bool declare(base::TextId id, bool message, std::string* out);

 private:
  struct Noted {
    std::string text;
    bool message = false;
  };
  std::unordered_map<base::TextId, Noted> texts_;
  std::unordered_set<base::TextId> declared_;
};

}  // namespace walkabout::cli
