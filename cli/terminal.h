// What standard output is: its width, whether it shows colours. Text cut to a width by characters, not bytes.
// Any thread, no state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "profile/model/profile.h"

namespace walkabout::cli {

struct Terminal {
  size_t width = 0;      // in characters; 0: no limit (a pipe or a file)
  bool colours = false;  // a terminal, unless NO_COLOR is set or it is dumb

  // For a name behind so many characters; some room it always has. 0: no limit.
  size_t room_behind(size_t columns) const {
    return width == 0 ? 0 : std::max<size_t>(width, columns + 20) - columns;
  }
};
Terminal standard_output();
// Characters that a terminal is taken to have at least: a name needs some room.
constexpr size_t kNarrowest = 60;
// Of the terminal behind a descriptor; `otherwise` where there is none.
size_t columns(int fd, size_t otherwise);

// Characters of UTF-8 text.
size_t text_width(std::string_view text);

// A function's name in at most `width` characters (0: no limit). First the namespace gives way, part by part
// from its left, then the parameters, the type's arguments, outer types, then the front: Type.Method stays
// longest. A raw name in braces behind it goes with the namespace. own: where the name begins behind its
// namespace.
std::string fit_name(const std::string& name, size_t width, size_t own = 0);
inline std::string fit_name(const profile::DisplayFrame& frame, size_t width) {
  return fit_name(frame.name, width, frame.own);
}

// Other text, such as a command line: its end, in at most `width` characters (0: no limit).
std::string fit_text(const std::string& text, size_t width);

// Text broken into lines of at most `width` characters between words (0: as it is). Words longer than that
// stay whole.
std::string wrap(const std::string& text, size_t width);

// Escape codes, empty without colours.
struct Paint {
  explicit Paint(bool colours) : on(colours) {}
  const bool on;
  const char* bold() const { return on ? "\x1b[1m" : ""; }
  const char* dim() const { return on ? "\x1b[2m" : ""; }
  const char* reset() const { return on ? "\x1b[0m" : ""; }
  const char* kind(profile::Kind kind) const;
};

}  // namespace walkabout::cli
