#include "profile/build/callers.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "profile/names/frame_namer.h"

namespace walkabout::profile {
namespace {

Caller caller_of(const DisplayFrame& frame, uint64_t calls) {
  Caller caller{frame.name, frame.module, frame.kind, calls};
  if (frame.inlined && caller.name.ends_with(kInlinedMark))
    caller.name.resize(caller.name.size() - kInlinedMark.size());
  return caller;
}

void add_to(std::vector<Caller>* callers, Caller caller) {
  const auto same = std::find_if(callers->begin(), callers->end(), [&](const Caller& one) {
    return one.name == caller.name && one.module == caller.module && one.kind == caller.kind;
  });
  if (same == callers->end())
    callers->push_back(std::move(caller));
  else
    same->calls += caller.calls;
}

}  // namespace

void add_callers(const recording::CallerTotals& totals, Names* names, std::vector<CountedCalls>* methods) {
  names->code.sort();
  FrameNamer namer(names->code, {.inlined = true}, names->command_line);
  std::map<uint32_t, std::unordered_map<uint32_t, uint64_t>> calls;  // by method and display frame
  for (const auto& [key, count] : totals.calls())
    calls[key.first][namer.frames_of(key.second, Role::kCaller).back().frame] += count;
  for (CountedCalls& method : *methods) {
    const auto known = calls.find(method.index);
    if (known == calls.end()) continue;
    for (const auto& [frame, count] : known->second)
      add_to(&method.callers, caller_of(namer.frames()[frame], count));
    std::sort(method.callers.begin(), method.callers.end(), [](const Caller& a, const Caller& b) {
      return a.calls != b.calls ? a.calls > b.calls : a.name < b.name;
    });
  }
}

}  // namespace walkabout::profile
