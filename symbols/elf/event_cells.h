// The events that the CLR declares when it starts: by provider and number, the word of its data in which it
// keeps the event. Whoever writes that event reads that word, so it tells what a function of a stripped file
// does (event_functions.h).
//
// The code that declares them is plain: arguments, a call of the one function that adds an event, a store of
// what it returns. Each instruction between two stores has to be one of those known; an event whose code has
// another is left out.
//
// Pure. Sources: InitDotNETRuntime and its like, which src/scripts/genEventPipe.py makes; checked
// with 8.0.31, 9.0.20, 10.0.12.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "symbols/elf/image_code.h"

namespace walkabout::symbols {

struct EventCell {
  uint64_t provider = 0;  // address of the word that has the provider
  uint32_t id = 0;
  uint64_t word = 0;  // address of the word that has the event
};

// In the order of the code; an event has one for each of its versions.
std::vector<EventCell> read_event_cells(const ImageCode& code);
std::set<uint64_t> words_of(const std::vector<EventCell>& cells);

}  // namespace walkabout::symbols
