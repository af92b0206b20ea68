// What makes two frames the same for a reader, as one text: name, module, kind, and place in the sources.
// Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace walkabout::profile {

inline std::string frame_key(const DisplayFrame& frame) {
  std::string key = frame.name;
  const SourcePlace& place = frame.place;
  for (const std::string_view part :
       {std::string_view(frame.raw_name), std::string_view(frame.module), std::string_view(place.file)}) {
    key += '\0';
    key += part;
  }
  key += static_cast<char>('0' + static_cast<int>(frame.kind));
  key += place.sure ? '1' : '0';
  key += frame.inlined ? '1' : '0';
  for (const uint32_t line : place.lines) key.append(reinterpret_cast<const char*>(&line), sizeof line);
  return key;
}

}  // namespace walkabout::profile
