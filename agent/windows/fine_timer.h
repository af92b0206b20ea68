// While it exists waits end within a millisecond of their time; else, where nobody has asked for more, within
// 16. Any thread. Source: timeBeginPeriod.
#pragma once

namespace walkabout::agent {

class FineTimer {
 public:
  FineTimer();
  ~FineTimer();
  FineTimer(const FineTimer&) = delete;
  FineTimer& operator=(const FineTimer&) = delete;
};

}  // namespace walkabout::agent
