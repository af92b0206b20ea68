// Threads that stay where no thread should for long: inside malloc, the loader, a collection. Whoever is
// parked works on until it has used its CPU time and every peer, a thread that works beside it, has used its
// own. So a peer that needs what the parked thread holds keeps both waiting for ever.
#pragma once

#include <cstdint>

#include "hostile.h"

namespace hostile {

// The CPU time of each in nanoseconds; far more than the time from one tick to the next.
inline constexpr uint64_t kParkedNs = 200'000'000;

}  // namespace hostile

// Peers come to hostile_peer(), which answers once the parked thread was there and their time is used up.
HOSTILE int hostile_peer();
// By the thread that is to be parked, before anything else: waits until so many peers are there.
HOSTILE int hostile_await_peers(int count);
// The place itself.
HOSTILE void hostile_parked();
