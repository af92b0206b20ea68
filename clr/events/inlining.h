// What the runtime says of a method that it has compiled: which calls in it the compiler has replaced by the
// called methods' code, and where that code lies. Event JittedMethodRichDebugInfo of the provider
// Microsoft-Windows-DotNETRuntimePrivate; raised only where DOTNET_RichDebugInfo=1 was in the environment at
// the program's start, on the thread that compiled, right behind MethodLoadVerbose.
//
// Views into the payload: no allocation, little stack. Any bytes give false or a view whose nodes and
// mappings can be read; their numbers may be anything. Source: genReportRichDebugInfo of the runtime's
// compiler, and its event's manifest (ClrEtwAll.man). Measured on .NET 8, 9 and 10.
#pragma once

#include <cstdint>
#include <span>

namespace walkabout::clr {

inline constexpr uint32_t kJittedMethodRichDebugInfo = 189;
inline constexpr uint64_t kRichDebugInfoKeyword = 0x40000;  // of the private provider

// A call, or, as number 0, the method that was compiled. In their order calls come behind the one whose code
// they are in.
struct InlineNode {
  uint64_t method = 0;   // a FunctionID: the runtime's method descriptor
  uint32_t site = 0;     // IL offset of the call; not set by .NET 10, then anything (measured)
  uint32_t child = 0;    // one of the calls in its code; 0: there is none
  uint32_t sibling = 0;  // the next call in the code that this one is in; 0: there is none
};
// From `native` to the next mapping's the code is of IL `il` of `node`.
struct InlineMapping {
  uint32_t il = 0, node = 0, native = 0;
};

class InlinedCode {
 public:
  // data: the event's, or a copy.
  static bool parse(std::span<const uint8_t> data, InlinedCode* code);
  uint32_t nodes() const { return nodes_; }
  uint32_t mappings() const { return mappings_; }
  // REQUIRES: below nodes(), mappings().
  InlineNode node(uint32_t number) const;
  InlineMapping mapping(uint32_t index) const;

 private:
  std::span<const uint8_t> data_;
  uint32_t nodes_ = 0, mappings_ = 0;
};

struct RichDebugInfo {
  uint64_t method_id = 0;  // as MethodLoad::method_id
  std::span<const uint8_t> data;
};
// False also of an event that is a part of what is said of a method: the runtime divides what is too large
// for one.
bool parse_rich_debug_info(std::span<const uint8_t> payload, uint32_t version, RichDebugInfo* event);

}  // namespace walkabout::clr
