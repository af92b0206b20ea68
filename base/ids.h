// Distinct id types: a ThreadId cannot be passed where a StackId is meant. All ids are dense, given in order
// of appearance within one recording, never reused within it; 0 means "none" unless the type says otherwise.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace walkabout::base {

template <typename Tag>
struct Id {
  uint32_t value = 0;
  constexpr Id() = default;
  constexpr explicit Id(uint32_t v) : value(v) {}
  constexpr bool valid() const { return value != 0; }
  constexpr auto operator<=>(const Id&) const = default;
};

using CodeId = Id<struct CodeTag>;  // a contiguous region of code while it exists: an ELF image, a PE image,
                                    // a compiled method
using MethodId = Id<struct MethodTag>;      // a managed method (an instantiation), whatever code it has
using AssemblyId = Id<struct AssemblyTag>;  // a module with IL
using ThreadId =
    Id<struct ThreadTag>;  // an OS thread of the target while it lives; TIDs are reused, these are not
using SourceId = Id<struct SourceTag>;  // a kind of sample: CPU time, wall clock
using TextId = Id<struct TextTag>;      // a text that labels of samples stand for
using StackId = Id<struct StackTag>;    // a node of the stack tree: a frame and the way from it to the root

}  // namespace walkabout::base

template <typename Tag>
struct std::hash<walkabout::base::Id<Tag>> {
  size_t operator()(walkabout::base::Id<Tag> id) const noexcept { return std::hash<uint32_t>()(id.value); }
};
