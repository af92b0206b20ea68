// Takes a call's values: copies what of them can be shown into bytes that are given, by reading memory alone.
//
// In a thread that runs managed code to the runtime (a native function that such code called without a
// transition): nothing moves meanwhile. Takes no lock and no memory, calls nothing, is in no handler. What a
// reference refers to is read at once: the program may change it meanwhile in another thread, and what is
// taken then is what was there at that moment, field by field.
#pragma once

#include <cstdint>

namespace walkabout::values {

class ValueSink {
 public:
  // used: bytes that are written already. unloadable: the bits that mark types that can be unloaded
  // (managed_memory.h).
  ValueSink(uint8_t* bytes, uint32_t capacity, uint32_t used, uint32_t unloadable)
      : bytes_(bytes), capacity_(capacity), used_(used), unloadable_(unloadable) {}

  uint32_t used() const { return used_; }

  void bits(uint8_t slot, uint64_t bits);
  void object(uint8_t slot, const void* object);
  // What lies there, of `size` bytes. type: its type, of a reference too, or kAnyReference; 0: one without
  // references.
  void value(uint8_t slot, const void* address, uint64_t type, uint32_t size);
  // The exception that ended the call.
  void thrown(const void* exception);
  // A span of characters that lies there.
  void characters(uint8_t slot, const void* span);

 private:
  template <typename Put>
  void put_slot(uint8_t slot, Put put);
  bool put(const void* bytes, uint32_t size);
  bool put_text(const uint8_t* characters, uint32_t length, uint32_t most);
  bool put_object(const void* object, int depth);
  bool put_value(const void* address, uint64_t type, uint32_t size, int depth);

  uint8_t* const bytes_;
  const uint32_t capacity_;
  uint32_t used_;
  const uint32_t unloadable_;
};

}  // namespace walkabout::values
