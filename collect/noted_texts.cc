#include "collect/noted_texts.h"

#include <cstring>
#include <span>

#include "clr/names/utf16.h"
#include "wire/encode.h"
#include "wire/text_note.h"

namespace walkabout::cli {

NotedTexts::NotedTexts(std::string_view bytes) {
  while (bytes.size() > sizeof(uint64_t)) {
    uint64_t head = 0;
    std::memcpy(&head, bytes.data(), sizeof head);
    const wire::TextNote note = wire::TextNote::of(head);
    if (!wire::TextNote::is_head(head) || note.entry_size() > bytes.size()) {
      bytes.remove_prefix(sizeof head);
      continue;
    }
    if ((head & wire::TextNote::kWritten) != 0) {
      const auto* text = reinterpret_cast<const uint8_t*>(bytes.data()) + sizeof head;
      texts_[note.id] = {clr::to_utf8(std::span(text, note.size), note.cut), note.message};
    }
    bytes.remove_prefix(note.entry_size());
  }
}

bool NotedTexts::declare(base::TextId id, bool message, std::string* out) {
  if (declared_.count(id) != 0) return true;
  const auto noted = texts_.find(id);
  if (noted == texts_.end()) return false;
  declared_.insert(id);
  const auto& [text, is_message] = noted->second;
  wire::Text record{id, {}, {}};
  (message || is_message ? record.message : record.text) = text;
  wire::encode(record, *out);
  return true;
}

}  // namespace walkabout::cli
