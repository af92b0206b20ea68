#include "clr/names/il_size.h"

#include <cstring>

namespace walkabout::clr {
namespace {

constexpr uint8_t kFormat = 3, kTiny = 2, kFat = 3;
constexpr size_t kCodeSize = 4, kFatHeader = 12;

}  // namespace

uint32_t il_size(std::span<const uint8_t> body) {
  if (body.empty()) return 0;
  if ((body[0] & kFormat) == kTiny) return body[0] >> 2;
  if ((body[0] & kFormat) != kFat || body.size() < kFatHeader) return 0;
  uint32_t size = 0;
  std::memcpy(&size, body.data() + kCodeSize, sizeof size);
  return size;
}

uint32_t il_size(ICorProfilerInfo12& info, FunctionID function) {
  ClassID type = 0;
  ModuleID module = 0;
  mdToken token = 0;
  const uint8_t* body = nullptr;
  uint32_t size = 0;
  if (failed(info.GetFunctionInfo(function, &type, &module, &token)) ||
      failed(info.GetILFunctionBody(module, token, &body, &size)) || body == nullptr)
    return 0;
  return il_size({body, size});
}

}  // namespace walkabout::clr
