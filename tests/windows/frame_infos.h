// Tests only: what the CLR says of each frame's instantiation inside DoStackSnapshot's callback, asked with
// the frame's COR_PRF_FRAME_INFO, which lives as long as the callback, and without it. Inside it only ids are
// kept: the walked thread may stand. One lock, not held across a call into the CLR. Source:
// ICorProfilerInfo2::GetFunctionInfo2.
#pragma once

#include <cstdio>
#include <mutex>
#include <vector>

#include "clr/abi/info.h"
#include "clr/names/method_name.h"

namespace walkabout::tests {

class FrameInfos {
 public:
  // thread: 0 for the calling one; another is stopped by the CLR meanwhile.
  void request(clr::ICorProfilerInfo12* info, clr::ThreadID thread);
  // A line for each frame: "FrameInfo" TAB self|other TAB method without TAB method with its frame.
  void write(std::FILE* file, clr::MethodNames& names);

 private:
  static constexpr uint32_t kMostArguments = 4;
  struct Instantiation {
    clr::ClassID type = 0;
    uint32_t count = 0;
    clr::ClassID arguments[kMostArguments] = {};
  };
  struct Frame {
    bool other = false;
    clr::FunctionID function = 0;
    Instantiation without, with;
  };
  struct Walk {
    clr::ICorProfilerInfo12* info;
    bool other;
    std::vector<Frame> frames;  // with room for all before the walk
  };
  static clr::HRESULT on_frame(clr::FunctionID function, uintptr_t ip, clr::COR_PRF_FRAME_INFO frame,
                               uint32_t size, uint8_t* context, void* walk);
  static bool instantiation(clr::ICorProfilerInfo12* info, clr::FunctionID function,
                            clr::COR_PRF_FRAME_INFO frame, Instantiation* found);
  static std::string name(const Frame& frame, const Instantiation& found, clr::MethodNames& names);

  std::mutex mutex_;
  std::vector<Frame> frames_;
};

}  // namespace walkabout::tests
