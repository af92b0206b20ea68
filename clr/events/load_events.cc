#include "clr/events/load_events.h"

#include "clr/events/payload.h"

namespace walkabout::clr {
namespace {

bool text_behind(std::span<const uint8_t> payload, size_t fixed_part, EventString* text) {
  if (payload.size() < fixed_part) return false;
  std::span<const uint8_t> rest = payload.subspan(fixed_part);
  return take_string(rest, text);
}

}  // namespace

// MethodID: u64; ModuleID: u64; MethodToken: u32; MethodILSize: u32; names.
bool parse_jitting_started(std::span<const uint8_t> payload, JittingStarted* event) {
  constexpr size_t kIlSize = 20;
  if (payload.size() < kIlSize + sizeof(uint32_t)) return false;
  event->method_id = number_at<uint64_t>(payload, 0);
  event->il_size = number_at<uint32_t>(payload, kIlSize);
  return true;
}

// TypeLoadStartID: u32; ClrInstanceID: u16; LoadLevel: u16; TypeID: u64; TypeName.
bool parse_type_load_stop(std::span<const uint8_t> payload, EventString* name) {
  return text_behind(payload, 16, name);
}

// AssemblyID: u64; AppDomainID: u64; BindingID: u64; AssemblyFlags: u32; FullyQualifiedAssemblyName.
bool parse_assembly_load(std::span<const uint8_t> payload, EventString* name) {
  return text_behind(payload, 28, name);
}

// ModuleID: u64; AssemblyID: u64; ModuleFlags: u32; Reserved: u32; ModuleILPath.
bool parse_module_load(std::span<const uint8_t> payload, EventString* path) {
  return text_behind(payload, 24, path);
}

}  // namespace walkabout::clr
