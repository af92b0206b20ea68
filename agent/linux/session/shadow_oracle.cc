#include "agent/linux/session/shadow_oracle.h"

#include <array>
#include <atomic>

#include "agent/trace/shadow_copy.h"
#include "wire/records.h"

namespace walkabout::agent {
namespace {

constexpr uint32_t kMostShadowFrames = 2048;
constexpr size_t kShadowCopies = 8;  // at once

// A handler's stack has no room for them.
struct ShadowRoom {
  std::atomic_flag taken;
  std::array<ShadowFrame, kMostShadowFrames> frames;
};
constinit ShadowRoom* g_shadow_rooms = nullptr;

OracleAnswer copy_shadow_to(std::array<ShadowFrame, kMostShadowFrames>& room, wire::Frame* frames,
                            uint32_t capacity) {
  const ShadowCopy copy = copy_own_shadow_stack(room);
  if (!copy.whole || copy.cut || copy.frames > capacity) return {wire::kInsideRuntime, 0, 0};
  for (uint32_t i = 0; i < copy.frames; ++i)
    frames[i] = wire::Frame::at_address(wire::FrameKind::kLeftOut, room[copy.frames - 1 - i].method);
  return {kShadowStack, copy.frames, 0};
}

OracleAnswer copy_for_oracle(const unwind::Registers&, const unwind::CodeMap&, std::span<const wire::Frame>,
                             bool, wire::Frame* frames, uint32_t capacity) {
  for (size_t i = 0; i < kShadowCopies; ++i) {
    ShadowRoom& room = g_shadow_rooms[i];
    if (room.taken.test_and_set(std::memory_order_acquire)) continue;
    const OracleAnswer answer = copy_shadow_to(room.frames, frames, capacity);
    room.taken.clear(std::memory_order_release);
    return answer;
  }
  return {wire::kInsideRuntime, 0, 0};
}

}  // namespace

OracleWalk prepare_shadow_oracle() {
  if (g_shadow_rooms == nullptr) g_shadow_rooms = new ShadowRoom[kShadowCopies];
  return copy_for_oracle;
}

}  // namespace walkabout::agent
