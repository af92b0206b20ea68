// The bytes in which the values of a call are kept until it is known whether the call was slow: slots, one
// behind the other, each a SlotHead and what it says. Values may hold references, what these refer to is kept
// as far as it can be shown. Written by values/value_sink.h, read by values/captured_slots.h; both in one
// process.
#pragma once

#include <cstdint>

namespace walkabout::values {

enum class SlotForm : uint8_t {
  kNoRoom = 0,   // nothing follows: there was none for it
  kBits = 1,     // eight bytes of a number
  kObject = 2,   // an object
  kValue = 3,    // a value
  kText = 4,     // characters that lie anywhere: a text
  kNowhere = 5,  // nothing follows: a reference to no place
};

// The exception that ended the call.
inline constexpr uint8_t kThrownSlot = 0xff;

struct SlotHead {
  uint8_t slot = 0;  // index into ValuePlan::values, or kThrownSlot
  SlotForm form = SlotForm::kNoRoom;
  uint16_t size = 0;  // bytes that follow
};

enum class ObjectKind : uint8_t {
  kNull = 0,
  kPlain = 1,      // its type is all
  kText = 2,       // a text follows
  kArray = 3,      // where it has several dimensions, their lengths follow: uint32_t each
  kBox = 4,        // a value follows
  kHidden = 5,     // of a type that can be unloaded: that may be gone when it is shown
  kException = 6,  // a text follows, its message
};

struct ObjectHead {
  uint64_t type = 0;    // ClassID
  uint32_t length = 0;  // elements of an array
  uint16_t size = 0;    // bytes that follow
  ObjectKind kind = ObjectKind::kNull;
  uint8_t reserved = 0;
};
static_assert(sizeof(ObjectHead) == 16);

struct TextHead {
  uint32_t length = 0;  // characters that it has
  uint32_t kept = 0;    // that follow, UTF-16
};

// Its bytes follow, then each reference that lies in it: a uint16_t, where it does, and an object.
struct ValueHead {
  uint64_t type = 0;  // ClassID; 0: what the plan says
  uint32_t size = 0;  // bytes that it has
  uint16_t kept = 0;  // bytes of it that follow
  uint16_t references = 0;
};
static_assert(sizeof(ValueHead) == 16);

// Instead of a type: what lies there is a reference, and which is for its object to say.
inline constexpr uint64_t kAnyReference = 1;

inline constexpr uint32_t kMostCharacters = 64, kMostMessage = 200, kMostValueBytes = 128,
                          kMostReferences = 8;
// A box in a value in a box is not looked into.
inline constexpr int kDeepestValue = 3;
// Bytes that the values of a call take at most, if more are offered: a result has room of its own.
inline constexpr uint32_t kMostBytes = 1024;

}  // namespace walkabout::values
