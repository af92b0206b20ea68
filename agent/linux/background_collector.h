// Whether the runtime collects garbage in the background, after an attach: of one that has begun before
// nobody tells. Its threads have a name, and use CPU time while they collect.
//
// One thread; look() is work for the descriptor host. Source: gc.cpp, create_bgc_thread(); the name is of
// .NET 8 to 10.
#pragma once

#include <cstdint>

namespace walkabout::agent {

class BackgroundCollector {
 public:
  // True: none is under way. To be asked from time to time: it has to have stood still for a while.
  bool look(uint64_t now_ns);

 private:
  static constexpr uint64_t kStillNs = 300'000'000;
  uint64_t cpu_ns_ = 0, since_ns_ = 0;
};

}  // namespace walkabout::agent
