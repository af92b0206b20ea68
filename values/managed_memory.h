// Objects and their types as they lie in the runtime's memory: what can be told of them by reading alone, by
// a thread that the garbage collector waits for. Plain functions; any thread.
//
// Source: the runtime's methodtable.h, object.h, gcdesc.h. The same in .NET 8, 9 and 10, but for the mark of
// types that can be unloaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace walkabout::values {

template <typename T>
T load_at(const void* at, size_t offset = 0) {
  T value;
  std::memcpy(&value, static_cast<const uint8_t*>(at) + offset, sizeof value);
  return value;
}

// Which of a type's bits says that it can be unloaded: one in .NET 8, another one since.
inline constexpr uint32_t kUnloadableUntil8 = 0x10000000, kUnloadableSince9 = 0x00200000;

// A MethodTable.
class ManagedType {
 public:
  explicit ManagedType(uintptr_t address) : at_(reinterpret_cast<const uint8_t*>(address)) {}
  static ManagedType of(const void* object) { return ManagedType(load_at<uintptr_t>(object)); }

  uint64_t id() const { return reinterpret_cast<uint64_t>(at_); }
  bool is_value() const { return category() == 0x00040000; }
  bool is_array() const { return category() == 0x00080000; }
  bool is_vector() const { return (flags() & 0x000a0000) == 0x000a0000 && is_array(); }
  bool is_string() const { return (flags() & 0x80000000) != 0 && !is_array(); }
  bool is_nullable() const { return (flags() & 0x000f0000) == 0x00050000; }
  bool holds_references() const { return (flags() & 0x01000000) != 0; }
  bool is(uint32_t bits) const { return (flags() & bits) != 0; }
  // Of an object without elements, its header and its type included; up to seven bytes more than its fields.
  uint32_t object_size() const { return load_at<uint32_t>(at_, 4); }
  uint32_t box_size() const { return object_size() < 16 ? 0 : object_size() - 16; }
  uint32_t rank() const { return is_vector() ? 1 : (object_size() - 24) / 8; }

  // Calls visit with the offset of each reference in a value of this type. What holds an array of values
  // has another description, and no value has.
  template <typename Visit>
  void for_each_reference(Visit visit) const {
    if (!holds_references()) return;
    const auto series = load_at<int64_t>(at_ - 8);
    for (int64_t i = 1; i <= series && i <= kMostSeries; ++i) {
      const uint8_t* one = at_ - 8 - 16 * i;
      const uint64_t size = load_at<uint64_t>(one) + object_size(), offset = load_at<uint64_t>(one, 8);
      for (uint64_t at = 0; at + 8 <= size && at < kLargest; at += 8) {
        if (!visit(offset + at - 8)) return;  // without the type in front
      }
    }
  }

 private:
  static constexpr int64_t kMostSeries = 64;
  static constexpr uint64_t kLargest = 1 << 20;
  uint32_t flags() const { return load_at<uint32_t>(at_); }
  uint32_t category() const { return flags() & 0x000c0000; }

  const uint8_t* at_;
};

// The characters of a string, an exception's message (null: it has none of its own), the lengths of an array,
// the fields of a box.
inline uint32_t string_length(const void* string) { return load_at<uint32_t>(string, 8); }
inline const uint8_t* string_characters(const void* string) {
  return static_cast<const uint8_t*>(string) + 12;
}
inline const void* exception_message(const void* exception) { return load_at<const void*>(exception, 16); }
inline uint32_t array_length(const void* array) { return load_at<uint32_t>(array, 8); }
inline const uint8_t* array_lengths(const void* array) { return static_cast<const uint8_t*>(array) + 16; }
inline const uint8_t* box_content(const void* box) { return static_cast<const uint8_t*>(box) + 8; }

}  // namespace walkabout::values
