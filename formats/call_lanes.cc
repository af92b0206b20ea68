#include "formats/call_lanes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace walkabout::formats {
namespace {

using profile::SlowCall;

// Lanes of one thread and kind, while calls come by begin, the longer first.
class Lanes {
 public:
  Lanes(const std::vector<SlowCall>& calls, uint32_t thread, bool of_async)
      : calls_(calls), thread_(thread), of_async_(of_async) {}

  void add(uint32_t call) {
    for (Open& lane : open_) {
      while (!lane.ends.empty() && lane.ends.back() <= calls_[call].begin_ns) lane.ends.pop_back();
      if (!lane.ends.empty() && lane.ends.back() < end_of(calls_[call])) continue;
      put(lane, call);
      return;
    }
    open_.push_back({{thread_, of_async_, {}}, {}});
    put(open_.back(), call);
  }
  void move_to(std::vector<CallLane>& lanes) {
    for (Open& lane : open_) lanes.push_back(std::move(lane.lane));
  }

 private:
  struct Open {
    CallLane lane;
    std::vector<uint64_t> ends;  // of calls that are on
  };
  void put(Open& lane, uint32_t call) {
    lane.lane.calls.push_back(call);
    lane.ends.push_back(end_of(calls_[call]));
  }

  const std::vector<SlowCall>& calls_;
  const uint32_t thread_;
  const bool of_async_;
  std::vector<Open> open_;
};

}  // namespace

uint64_t end_of(const SlowCall& call) {
  return call.wall_ns > UINT64_MAX - call.begin_ns ? UINT64_MAX : call.begin_ns + call.wall_ns;
}

std::vector<CallLane> call_lanes(const profile::Traces& traces) {
  std::vector<uint32_t> order(traces.calls.size());
  for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&traces](uint32_t a, uint32_t b) {
    const SlowCall &x = traces.calls[a], &y = traces.calls[b];
    return x.begin_ns != y.begin_ns ? x.begin_ns < y.begin_ns : x.wall_ns > y.wall_ns;
  });
  std::map<std::pair<uint32_t, bool>, Lanes> by_thread;
  for (const uint32_t call : order) {
    const std::pair key(traces.calls[call].thread, is_async(traces.calls[call]));
    by_thread.try_emplace(key, traces.calls, key.first, key.second).first->second.add(call);
  }
  std::vector<CallLane> lanes;
  for (auto& [key, of] : by_thread) of.move_to(lanes);
  return lanes;
}

}  // namespace walkabout::formats
