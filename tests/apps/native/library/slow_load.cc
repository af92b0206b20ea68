// A library that works while it is loaded and unloaded.
#include "hostile.h"

namespace {

volatile uint32_t g_sink = 0;

__attribute__((constructor)) void loaded() { g_sink = hostile::burn(1, 100'000); }
__attribute__((destructor)) void unloaded() { g_sink = hostile::burn(2, 100'000); }

}  // namespace

HOSTILE int hostile_slow_answer() { return g_sink != 0 ? 42 : 0; }
