#include "tests/windows/frame_infos.h"

#include <algorithm>
#include <string>

namespace walkabout::tests {
namespace {
constexpr size_t kDeepest = 256;
}

bool FrameInfos::instantiation(clr::ICorProfilerInfo12* info, clr::FunctionID function,
                               clr::COR_PRF_FRAME_INFO frame, Instantiation* found) {
  clr::ModuleID module = 0;
  clr::mdToken token = 0;
  return !clr::failed(info->GetFunctionInfo2(function, frame, &found->type, &module, &token, kMostArguments,
                                             &found->count, found->arguments));
}

clr::HRESULT FrameInfos::on_frame(clr::FunctionID function, uintptr_t, clr::COR_PRF_FRAME_INFO info, uint32_t,
                                  uint8_t*, void* data) {
  auto* walk = static_cast<Walk*>(data);
  if (walk->frames.size() == walk->frames.capacity()) return clr::S_FALSE;
  Frame frame{walk->other, function, {}, {}};
  if (function != 0 && info != 0 && instantiation(walk->info, function, 0, &frame.without) &&
      instantiation(walk->info, function, info, &frame.with))
    walk->frames.push_back(frame);
  return clr::S_OK;
}

void FrameInfos::request(clr::ICorProfilerInfo12* info, clr::ThreadID thread) {
  Walk walk{info, thread != 0, {}};
  walk.frames.reserve(kDeepest);
  if (clr::failed(info->DoStackSnapshot(thread, on_frame, clr::COR_PRF_SNAPSHOT_DEFAULT, &walk, nullptr, 0)))
    return;
  const std::lock_guard lock(mutex_);
  frames_.insert(frames_.end(), walk.frames.begin(), walk.frames.end());
}

std::string FrameInfos::name(const Frame& frame, const Instantiation& found, clr::MethodNames& names) {
  const clr::MethodName method = names.of(frame.function);
  if (method.dynamic) return method.method;
  std::string text = names.class_name(found.type) + "." + method.method.substr(0, method.method.find('<'));
  for (uint32_t i = 0; i < std::min(found.count, kMostArguments); ++i)
    text += (i == 0 ? "<" : ", ") + names.class_name(found.arguments[i]);
  return found.count > 0 ? text + ">" : text;
}

void FrameInfos::write(std::FILE* file, clr::MethodNames& names) {
  std::vector<Frame> all;
  {
    const std::lock_guard lock(mutex_);
    all.swap(frames_);
  }
  for (const Frame& frame : all) {
    std::fprintf(file, "FrameInfo\t%s\t%s\t%s\n", frame.other ? "other" : "self",
                 name(frame, frame.without, names).c_str(), name(frame, frame.with, names).c_str());
  }
}

}  // namespace walkabout::tests
