// Labels of events that are texts: ids of the recording's text table. Any thread, as TextTable::id_of().
#pragma once

#include <cstdint>
#include <string_view>

#include "agent/core/text_table.h"
#include "clr/events/eventpipe_method.h"

namespace walkabout::agent {

inline uint64_t label(TextTable& texts, std::u16string_view text) {
  return texts.id_of({reinterpret_cast<const uint8_t*>(text.data()), text.size() * sizeof(char16_t)}).value;
}
inline uint64_t label(TextTable& texts, const clr::EventString& text) {
  return texts.id_of(text.bytes).value;
}
// The same of texts of which there may be very many (TextTable::id_of_many).
inline uint64_t label_of_many(TextTable& texts, std::u16string_view text) {
  return texts.id_of_many({reinterpret_cast<const uint8_t*>(text.data()), text.size() * sizeof(char16_t)})
      .value;
}

}  // namespace walkabout::agent
