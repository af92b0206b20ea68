#include "clr/names/il_size.h"

#include "il/body_header.h"

namespace walkabout::clr {

uint32_t il_size(std::span<const uint8_t> body) {
  const auto header = il::read_body_header(body);
  return header ? header->code_size : 0;
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
