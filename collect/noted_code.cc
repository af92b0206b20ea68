#include "collect/noted_code.h"

#include <cstring>

#include "recording/decode.h"
#include "recording/raw_record.h"
#include "wire/encode.h"

namespace walkabout::cli {

NotedCode::NotedCode(std::string_view bytes) {
  uint32_t size = 0;
  while (bytes.size() >= sizeof size) {
    std::memcpy(&size, bytes.data(), sizeof size);
    bytes.remove_prefix(sizeof size);
    if (size > bytes.size()) return;
    take_entry(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
}

void NotedCode::take_entry(std::string_view records) {
  recording::Decoder decoder;
  method_ = {};
  for (recording::RawRecord r; recording::split_record(records, r) == recording::Split::kRecord;
       records.remove_prefix(r.framed.size())) {
    if (!decoder.decode(r, *this).ok()) return;
  }
}

bool NotedCode::declare(base::CodeId code, std::string* out) const {
  if (const auto module = modules_.find(code); module != modules_.end()) {
    wire::encode(module->second, *out);
    return true;
  }
  const auto noted = compiled_methods_.find(code);
  if (noted == compiled_methods_.end()) return false;
  wire::JitCode record = noted->second.code;
  if (!noted->second.method.method.empty() && code.value < kFirstNotedMethod) {
    wire::Method method = noted->second.method;
    record.method = method.id = base::MethodId(kFirstNotedMethod | code.value);
    wire::encode(method, *out);
  }
  wire::encode(record, *out);
  return true;
}

bool NotedCode::has_name(base::CodeId code) const {
  const auto module = modules_.find(code);
  if (module != modules_.end())
    return module->second.kind == wire::ModuleKind::kElf && !module->second.path.empty();
  const auto noted = compiled_methods_.find(code);
  return noted != compiled_methods_.end() && !noted->second.method.method.empty();
}

}  // namespace walkabout::cli
