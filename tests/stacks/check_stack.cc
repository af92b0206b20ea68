#include "tests/stacks/check_stack.h"

#include <algorithm>
#include <cstdio>

namespace walkabout::stacks {
namespace {

std::string text_of(const RecordedProcess& process, wire::Frame frame) {
  const uint64_t pc = process.address(frame);
  const CodePlace place = process.locate(pc);
  char text[64];
  std::snprintf(text, sizeof text, "+0x%x", frame.has_code() ? frame.offset() : 0);
  const std::string name = place.region != nullptr  ? place.region->name
                           : place.image != nullptr ? place.image->name
                                                    : "stub";
  return name + text;
}

std::string difference(const RecordedProcess& process, const std::vector<wire::Frame>& expected,
                       const Walked& walked) {
  const size_t common = std::min(expected.size(), walked.frames.size());
  size_t i = 0;
  while (i < common && expected[i] == walked.frames[i]) ++i;
  const auto at = [&](const std::vector<wire::Frame>& frames) {
    return i < frames.size() ? text_of(process, frames[i]) : std::string("nothing");
  };
  return "frame " + std::to_string(i) + " is " + at(walked.frames) + ", expected " + at(expected) + "; " +
         std::to_string(walked.frames.size()) + " frames of " + std::to_string(expected.size()) + ", ended " +
         std::to_string(static_cast<int>(walked.outcome.end));
}

// Where only the CLR's walk is known to be right.
bool has_managed_frames(const Walked& walked, const std::vector<wire::Frame>& clr) {
  std::vector<wire::Frame> managed;
  std::copy_if(walked.frames.begin(), walked.frames.end(), std::back_inserter(managed),
               [](wire::Frame frame) { return frame.managed(); });
  return managed == clr;
}

}  // namespace

std::string check_stack(const RecordedProcess& process, const RecordedStack& stack, unwind::WalkMemo* memo) {
  const unwind::MappedMemo own = unwind::map_memo();
  const struct {
    const char* way;
    unwind::WalkMemo* memo;
  } ways[] = {{"without a memo", nullptr},
              {"with an empty memo", own.get()},
              {"with its own memo", own.get()},
              {"with the process's memo", memo}};
  for (const auto& [way, used] : ways) {
    const Walked walked = process.walk(stack, used);
    const bool right =
        stack.frames.empty() ? has_managed_frames(walked, stack.clr) : walked.frames == stack.frames;
    if (right && walked.outcome.end == stack.end) continue;
    return std::string(way) + ": " +
           difference(process, stack.frames.empty() ? stack.clr : stack.frames, walked);
  }
  return {};
}

}  // namespace walkabout::stacks
