#include "values/value_sink.h"

#include <algorithm>
#include <cstring>

#include "values/captured.h"
#include "values/managed_memory.h"

namespace walkabout::values {
namespace {

constexpr uintptr_t kFirstPage = 4096;
constexpr uint64_t kNoMethodTable = 2;  // a type that has none: a pointer's

bool is_place(const void* address) { return reinterpret_cast<uintptr_t>(address) >= kFirstPage; }

}  // namespace

bool ValueSink::put(const void* bytes, uint32_t size) {
  if (size > capacity_ - used_) return false;
  std::memcpy(bytes_ + used_, bytes, size);
  used_ += size;
  return true;
}

// put: writes what the slot holds, and gives its form; kNoRoom: there was none.
template <typename Put>
void ValueSink::put_slot(uint8_t slot, Put put_content) {
  const uint32_t begin = used_;
  SlotHead head{slot, SlotForm::kNoRoom, 0};
  if (!put(&head, sizeof head)) return;
  head.form = put_content();
  if (head.form == SlotForm::kNoRoom) used_ = begin + sizeof head;
  head.size = static_cast<uint16_t>(used_ - begin - sizeof head);
  std::memcpy(bytes_ + begin, &head, sizeof head);
}

void ValueSink::bits(uint8_t slot, uint64_t bits) {
  put_slot(slot, [&] { return put(&bits, sizeof bits) ? SlotForm::kBits : SlotForm::kNoRoom; });
}

void ValueSink::object(uint8_t slot, const void* object) {
  put_slot(slot, [&] { return put_object(object, 0) ? SlotForm::kObject : SlotForm::kNoRoom; });
}

void ValueSink::value(uint8_t slot, const void* address, uint64_t type, uint32_t size) {
  put_slot(slot, [&] {
    if (!is_place(address)) return SlotForm::kNowhere;
    const bool is_type = type != 0 && type != kAnyReference && (type & kNoMethodTable) == 0;
    if (type == kAnyReference || (is_type && !ManagedType(type).is_value()))
      return put_object(load_at<const void*>(address), 0) ? SlotForm::kObject : SlotForm::kNoRoom;
    return put_value(address, type, size, 0) ? SlotForm::kValue : SlotForm::kNoRoom;
  });
}

void ValueSink::characters(uint8_t slot, const void* span) {
  put_slot(slot, [&] {
    if (!is_place(span)) return SlotForm::kNowhere;
    return put_text(load_at<const uint8_t*>(span), load_at<uint32_t>(span, sizeof(void*)), kMostCharacters)
               ? SlotForm::kText
               : SlotForm::kNoRoom;
  });
}

void ValueSink::thrown(const void* exception) {
  // What is no exception has no message: compilers wrap it, but they need not.
  constexpr uint32_t kSmallest = 64;
  const ManagedType type = ManagedType::of(exception);
  const bool is_exception = !type.is_string() && !type.is_array() && !type.is_value() &&
                            !type.is(unloadable_) && type.object_size() >= kSmallest;
  const void* message = is_exception ? exception_message(exception) : nullptr;
  if (message == nullptr) return object(kThrownSlot, exception);
  put_slot(kThrownSlot, [&] {
    const uint32_t begin = used_;
    ObjectHead head{type.id(), 0, 0, ObjectKind::kException, 0};
    if (!put(&head, sizeof head) ||
        !put_text(string_characters(message), string_length(message), kMostMessage))
      return SlotForm::kNoRoom;
    head.size = static_cast<uint16_t>(used_ - begin - sizeof head);
    std::memcpy(bytes_ + begin, &head, sizeof head);
    return SlotForm::kObject;
  });
}

bool ValueSink::put_text(const uint8_t* characters, uint32_t length, uint32_t most) {
  const TextHead head{length, is_place(characters) ? std::min(length, most) : 0};
  return put(&head, sizeof head) && put(characters, head.kept * 2);
}

bool ValueSink::put_object(const void* object, int depth) {
  ObjectHead head;
  if (object == nullptr) return put(&head, sizeof head);
  const ManagedType type = ManagedType::of(object);
  head.type = type.id();
  const uint32_t begin = used_;
  bool whole = put(&head, sizeof head);
  if (type.is_string()) {
    head.kind = ObjectKind::kText;
    whole = whole && put_text(string_characters(object), string_length(object), kMostCharacters);
  } else if (type.is(unloadable_)) {
    head.kind = ObjectKind::kHidden;
    head.type = 0;
  } else if (type.is_array()) {
    head.kind = ObjectKind::kArray;
    head.length = array_length(object);
    if (!type.is_vector()) whole = whole && put(array_lengths(object), type.rank() * 4);
  } else if (type.is_value() && depth < kDeepestValue) {
    head.kind = ObjectKind::kBox;
    whole = whole && put_value(box_content(object), type.id(), type.box_size(), depth + 1);
  } else {
    head.kind = ObjectKind::kPlain;
  }
  if (!whole) return false;
  head.size = static_cast<uint16_t>(used_ - begin - sizeof head);
  std::memcpy(bytes_ + begin, &head, sizeof head);
  return true;
}

bool ValueSink::put_value(const void* address, uint64_t type, uint32_t size, int depth) {
  const bool known = type != 0 && (type & kNoMethodTable) == 0;
  const bool hidden = known && ManagedType(type).is(unloadable_);
  ValueHead head{hidden ? 0 : type, size, static_cast<uint16_t>(std::min(size, kMostValueBytes)), 0};
  if (hidden) head.kept = 0;
  const uint32_t begin = used_;
  if (!put(&head, sizeof head) || !put(address, head.kept)) return false;
  if (!known || hidden || depth >= kDeepestValue) return true;
  // Of the copy: what it refers to is still there.
  const uint8_t* copy = bytes_ + begin + sizeof head;
  ManagedType(type).for_each_reference([&](uint64_t offset) {
    if (offset + sizeof(void*) > head.kept || head.references >= kMostReferences) return true;
    const uint32_t before = used_;
    const auto place = static_cast<uint16_t>(offset);
    if (!put(&place, sizeof place) || !put_object(load_at<const void*>(copy, offset), depth + 1)) {
      used_ = before;
      return false;
    }
    ++head.references;
    return true;
  });
  std::memcpy(bytes_ + begin, &head, sizeof head);
  return true;
}

}  // namespace walkabout::values
