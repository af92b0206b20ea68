// How an agent and the collector meet on the Unix socket: the agent sends one byte with the descriptor of its
// ring memory attached (SCM_RIGHTS), the collector answers with one byte; then the stream follows, in one
// direction. An agent that cannot begin before it has such memory sends another byte, without a descriptor,
// then why as text, and closes.
#pragma once

#include <cstddef>

namespace walkabout::wire {

inline constexpr char kHello = 'W';
inline constexpr char kCannot = 'E';
inline constexpr size_t kMostRefusal = 1024;  // bytes of text
inline constexpr char kWelcome = 'A';
inline constexpr char kNotWanted = 'R';
inline constexpr int kHelloTimeoutSeconds = 2;

}  // namespace walkabout::wire
