// One call of the CLR's DoStackSnapshot: collects what it calls back with. Nothing in here allocates or
// locks; the CLR may lock. Frames' infos are not asked for instantiations: they have none (docs/windows.md).
// Sources: ICorProfilerInfo2::DoStackSnapshot; COR_PRF_SNAPSHOT_REGISTER_CONTEXT.
#pragma once

#include <atomic>
#include <vector>

#include "agent/shared/mixed_stack.h"
#include "clr/abi/com_ptr.h"
#include "clr/abi/info.h"
#include "clr/abi/structs.h"

namespace walkabout::agent {

class Snapshot {
 public:
  Snapshot(clr::ICorProfilerInfo2* info, uint32_t capacity) : info_(info), frames_(capacity) {}
  // context: a CONTEXT, the seed; null for none. thread 0: the calling one. stop: asked at each frame; true
  // ends the walk (the callback answers S_FALSE). May be null.
  clr::HRESULT take(clr::ThreadID thread, void* context, uint32_t context_size, bool (*stop)(void*),
                    void* data);
  std::span<const SnapshotFrame> frames() const { return {frames_.data(), count_}; }
  size_t managed() const;

 private:
  static clr::HRESULT on_frame(clr::FunctionID function, uintptr_t ip, clr::COR_PRF_FRAME_INFO info,
                               uint32_t size, uint8_t* context, void* data);
  clr::ICorProfilerInfo2* info_;
  std::vector<SnapshotFrame> frames_;
  size_t count_ = 0;
  bool (*stop_)(void*) = nullptr;
  void* data_ = nullptr;
};

}  // namespace walkabout::agent
