// How an agent and the collector meet on the Unix socket: the agent sends one byte with the descriptor of its
// ring memory attached (SCM_RIGHTS), the collector answers with one byte; then the stream follows, in one
// direction.
#pragma once

namespace walkabout::wire {

inline constexpr char kHello = 'W';
inline constexpr char kWelcome = 'A';
inline constexpr char kNotWanted = 'R';
inline constexpr int kHelloPatienceSeconds = 2;

}  // namespace walkabout::wire
