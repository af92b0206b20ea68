#include "agent/windows/refused_captures.h"

#include "agent/windows/thread_word.h"

namespace walkabout::agent {
namespace {
const ThreadWord g_refused_captures;
}

uint32_t refused_captures() { return static_cast<uint32_t>(g_refused_captures.get()); }
void set_refused_captures(uint32_t captures) { g_refused_captures.set(captures); }

}  // namespace walkabout::agent
