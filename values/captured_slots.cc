#include "values/captured_slots.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace walkabout::values {
namespace {

using base::Bytes;

class Reader {
 public:
  explicit Reader(Bytes bytes) : rest_(bytes) {}

  bool empty() const { return rest_.empty(); }

  template <typename T>
  bool take(T* value) {
    if (rest_.size() < sizeof(T)) return false;
    std::memcpy(value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return true;
  }
  bool take(size_t size, Bytes* bytes) {
    if (rest_.size() < size) return false;
    *bytes = rest_.first(size);
    rest_ = rest_.subspan(size);
    return true;
  }

  bool text(CapturedText* text) {
    TextHead head;
    if (!take(&head) || head.kept > kMostMessage) return false;
    text->length = head.length;
    return take(size_t{head.kept} * 2, &text->kept);
  }

  bool value(CapturedValue* value, int depth) {
    ValueHead head;
    if (depth > kDeepestValue || !take(&head) || !take(head.kept, &value->kept)) return false;
    value->type = head.type;
    value->size = head.size;
    for (uint32_t i = 0; i < head.references; ++i) {
      uint16_t offset = 0;
      CapturedObject one;
      if (!take(&offset) || !object(&one, depth + 1)) return false;
      value->references.push_back({offset, std::move(one)});
    }
    return true;
  }

  bool object(CapturedObject* object, int depth) {
    ObjectHead head;
    Bytes bytes;
    if (!take(&head) || !take(head.size, &bytes)) return false;
    object->kind = head.kind;
    object->type = head.type;
    object->length = head.length;
    Reader content(bytes);
    switch (head.kind) {
      case ObjectKind::kText:
      case ObjectKind::kException:
        return content.text(&object->text);
      case ObjectKind::kBox:
        return content.value(&object->box, depth + 1);
      case ObjectKind::kArray:
        object->lengths = bytes;
        return true;
      default:
        return true;
    }
  }

 private:
  Bytes rest_;
};

bool read_content(Bytes bytes, CapturedSlot* slot) {
  Reader reader(bytes);
  switch (slot->form) {
    case SlotForm::kBits:
      return reader.take(&slot->bits);
    case SlotForm::kObject:
      return reader.object(&slot->object, 0);
    case SlotForm::kValue:
      return reader.value(&slot->value, 0);
    case SlotForm::kText:
      return reader.text(&slot->text);
    default:
      return true;
  }
}

}  // namespace

const CapturedObject* CapturedValue::find(uint32_t offset) const {
  const auto found = std::find_if(references.begin(), references.end(),
                                  [offset](const CapturedReference& one) { return one.offset == offset; });
  return found == references.end() ? nullptr : &found->object;
}

std::vector<CapturedSlot> read_slots(Bytes bytes) {
  std::vector<CapturedSlot> slots;
  Reader reader(bytes);
  while (!reader.empty()) {
    SlotHead head;
    Bytes content;
    if (!reader.take(&head) || !reader.take(head.size, &content)) break;
    CapturedSlot slot;
    slot.slot = head.slot;
    slot.form = head.form;
    if (read_content(content, &slot)) slots.push_back(std::move(slot));
  }
  return slots;
}

}  // namespace walkabout::values
