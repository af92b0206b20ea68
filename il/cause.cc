#include "il/cause.h"

#include <array>

namespace walkabout::il {

std::string_view sentence_of(Cause cause) {
  constexpr std::array<std::string_view, static_cast<size_t>(Cause::kCount)> kSentences = {
      "",
      "the body has no header that is known",
      "the body is cut off",
      "the body has bytes that are no instruction",
      "the body branches to where no instruction begins",
      "the body has a section that is not known",
      "a clause for exceptions is of no known kind, or does not begin and end with instructions",
      "a signature is damaged",
      "there is no instruction at this place",
      "the place is between a tail call and its return",
      "the body jumps to another method (jmp)",
      "the body returns from within a clause for exceptions",
      "the runtime makes the method's task itself",
      "the body has as many local variables as there may be",
      "the body's stack is as deep as it may be",
      "the body would be too large",
      "a label names no place",
  };
  return kSentences[static_cast<size_t>(cause)];
}

}  // namespace walkabout::il
