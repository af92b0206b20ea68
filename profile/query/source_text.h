// The text of the source files that a profile's samples were in, as far as it has room: whole files, of long
// ones the methods that were hit. Any thread, no state.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/model/profile.h"

namespace walkabout::profile {

struct FoundText {
  std::string bytes;  // of the very file that was compiled
  std::string why;    // there is none: one sentence, without a full stop
};
using FindText = std::function<FoundText(const SourceDocument&)>;

struct TextBounds {
  size_t all = 2 << 20;     // bytes of text
  size_t whole = 64 << 10;  // a longer file is not there as a whole
};

// Fills in `text`, `lines` and `note` of documents that frames with samples are of; those in which most
// samples were come first. find: is asked once for each of them.
void add_source_text(Profile& profile, const FindText& find, TextBounds bounds = {});

// Lines as the C# compiler counts them, each without its end. bytes: UTF-8, or UTF-16 with a byte order mark.
std::vector<std::string> text_lines(std::string_view bytes);

}  // namespace walkabout::profile
