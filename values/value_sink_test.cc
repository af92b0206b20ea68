#include "values/value_sink.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "values/captured_slots.h"
#include "values/managed_memory.h"

namespace walkabout::values {
namespace {

// A type as the runtime has it: in front of it where its references lie.
struct MadeType {
  struct Series {
    uint64_t size, offset;  // size: without the object's own
  };
  Series series[2] = {};
  int64_t count = 0;
  uint32_t flags = 0, size = 24;

  uint64_t id() const { return reinterpret_cast<uint64_t>(&flags); }
};
constexpr uint32_t kValueFlags = 0x00040000, kVectorFlags = 0x800a0000, kArrayFlags = 0x80080000,
                   kTextFlags = 0x80000002, kReferenceFlags = 0x01000000;

MadeType made_type(uint32_t flags, uint32_t size = 24) {
  MadeType type;
  type.flags = flags;
  type.size = size;
  return type;
}

class ValueSinkTest : public ::testing::Test {
 protected:
  // An object of this type, and what lies behind the type.
  template <typename... Parts>
  const void* object(const MadeType& type, const Parts&... parts) {
    std::vector<uint8_t>& made = objects_.emplace_back();
    const uint64_t id = type.id();
    const auto append = [&made](const void* from, size_t size) {
      const auto* begin = static_cast<const uint8_t*>(from);
      made.insert(made.end(), begin, begin + size);
    };
    append(&id, sizeof id);
    (append(&parts, sizeof parts), ...);
    return made.data();
  }
  const void* text(std::u16string_view characters) {
    std::array<char16_t, 300> kept{};
    std::copy(characters.begin(), characters.end(), kept.begin());
    return object(text_type, static_cast<uint32_t>(characters.size()), kept);
  }

  CapturedSlot only_slot() {
    std::vector<CapturedSlot> slots = read_slots({bytes.data(), sink.used()});
    EXPECT_EQ(slots.size(), 1u);
    return slots.empty() ? CapturedSlot() : std::move(slots[0]);
  }

  MadeType text_type = made_type(kTextFlags, 22);
  std::array<uint8_t, 512> bytes{};
  ValueSink sink{bytes.data(), static_cast<uint32_t>(bytes.size()), 0, kUnloadableSince9};

 private:
  std::deque<std::vector<uint8_t>> objects_;
};

TEST_F(ValueSinkTest, Numbers) {
  sink.bits(3, 0x1122334455667788);
  const CapturedSlot slot = only_slot();
  EXPECT_EQ(slot.slot, 3);
  EXPECT_EQ(slot.form, SlotForm::kBits);
  EXPECT_EQ(slot.bits, 0x1122334455667788u);
}

TEST_F(ValueSinkTest, TextsUpToTheirLimit) {
  sink.object(0, text(std::u16string(65, u'x')));
  const CapturedSlot slot = only_slot();
  EXPECT_EQ(slot.object.kind, ObjectKind::kText);
  EXPECT_EQ(slot.object.text.length, 65u);
  EXPECT_EQ(slot.object.text.kept.size(), 2u * kMostCharacters);
}

TEST_F(ValueSinkTest, NullAndPlainObjects) {
  const MadeType plain = made_type(0);
  sink.object(0, nullptr);
  sink.object(1, object(plain, uint64_t{7}));
  const std::vector<CapturedSlot> slots = read_slots({bytes.data(), sink.used()});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].object.kind, ObjectKind::kNull);
  EXPECT_EQ(slots[1].object.kind, ObjectKind::kPlain);
  EXPECT_EQ(slots[1].object.type, plain.id());
}

TEST_F(ValueSinkTest, ArraysByTheirLengths) {
  const MadeType vector = made_type(kVectorFlags), matrix = made_type(kArrayFlags, 24 + 2 * 8);
  sink.object(0, object(vector, uint32_t{5}, uint32_t{0}));
  sink.object(1, object(matrix, uint32_t{6}, uint32_t{0}, uint32_t{2}, uint32_t{3}, uint64_t{0}));
  const std::vector<CapturedSlot> slots = read_slots({bytes.data(), sink.used()});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].object.length, 5u);
  EXPECT_TRUE(slots[0].object.lengths.empty());
  EXPECT_EQ(slots[1].object.length, 6u);
  EXPECT_EQ(slots[1].object.lengths.size(), 8u);
}

TEST_F(ValueSinkTest, WhatAValueRefersTo) {
  MadeType type = made_type(kValueFlags | kReferenceFlags, 16 + 24);
  type.count = 1;
  type.series[1] = {16 - uint64_t{40}, 16};  // two references, behind a number
  const std::array<const void*, 3> value = {reinterpret_cast<const void*>(9), text(u"ab"), nullptr};
  sink.value(0, value.data(), type.id(), sizeof value);
  const CapturedSlot slot = only_slot();
  EXPECT_EQ(slot.form, SlotForm::kValue);
  EXPECT_EQ(slot.value.kept.size(), sizeof value);
  ASSERT_EQ(slot.value.references.size(), 2u);
  ASSERT_NE(slot.value.find(8), nullptr);
  EXPECT_EQ(slot.value.find(8)->text.length, 2u);
  EXPECT_EQ(slot.value.find(16)->kind, ObjectKind::kNull);
  EXPECT_EQ(slot.value.find(0), nullptr);
}

TEST_F(ValueSinkTest, WhatIsInABox) {
  const MadeType type = made_type(kValueFlags, 24);
  sink.object(0, object(type, uint64_t{77}));
  const CapturedSlot slot = only_slot();
  EXPECT_EQ(slot.object.kind, ObjectKind::kBox);
  EXPECT_EQ(slot.object.box.type, type.id());
  EXPECT_EQ(slot.object.box.kept.size(), 8u);
}

TEST_F(ValueSinkTest, AReferenceOfAnyType) {
  const void* held = text(u"t");
  sink.value(0, &held, kAnyReference, 8);
  const MadeType type = made_type(0);
  sink.value(1, &held, type.id(), 8);
  const std::vector<CapturedSlot> slots = read_slots({bytes.data(), sink.used()});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].form, SlotForm::kObject);
  EXPECT_EQ(slots[1].form, SlotForm::kObject) << "a generic parameter that stands for a class";
}

TEST_F(ValueSinkTest, NowhereIsNotRead) {
  sink.value(0, nullptr, 0, 4);
  EXPECT_EQ(only_slot().form, SlotForm::kNowhere);
}

TEST_F(ValueSinkTest, TypesThatCanBeUnloadedAreNotKept) {
  const MadeType object_type = made_type(kUnloadableSince9),
                 value_type = made_type(kValueFlags | kUnloadableSince9);
  const uint64_t value = 5;
  sink.object(0, object(object_type, uint64_t{0}));
  sink.value(1, &value, value_type.id(), 8);
  const std::vector<CapturedSlot> slots = read_slots({bytes.data(), sink.used()});
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].object.kind, ObjectKind::kHidden);
  EXPECT_EQ(slots[0].object.type, 0u);
  EXPECT_EQ(slots[1].value.type, 0u);
}

TEST_F(ValueSinkTest, SpansOfCharacters) {
  const std::u16string characters(70, u'y');
  struct {
    const char16_t* first;
    uint32_t length;
  } span = {characters.data(), 70};
  sink.characters(0, &span);
  EXPECT_EQ(only_slot().text.length, 70u);
  EXPECT_EQ(only_slot().text.kept.size(), 2u * kMostCharacters);
}

TEST_F(ValueSinkTest, WithoutRoomASlotSaysSo) {
  for (uint32_t room = 0; room < 200; ++room) {
    SCOPED_TRACE(room);
    std::vector<uint8_t> few(room + 1, 0xcc);
    ValueSink small(few.data(), room, 0, 0);
    small.object(1, text(u"some text"));
    small.bits(2, 5);
    EXPECT_LE(small.used(), room);
    EXPECT_EQ(few[room], 0xcc);
    for (const CapturedSlot& slot : read_slots({few.data(), small.used()})) {
      const bool whole = slot.slot == 1 ? slot.object.text.kept.size() == 18 : slot.bits == 5;
      EXPECT_TRUE(slot.form == SlotForm::kNoRoom || whole);
    }
  }
}

TEST_F(ValueSinkTest, HostileBytesEndWhereTheyEnd) {
  MadeType type = made_type(kValueFlags | kReferenceFlags, 16 + 8);
  type.count = 1;
  type.series[1] = {8 - uint64_t{24}, 8};
  const void* value = text(u"ab");
  sink.value(0, &value, type.id(), sizeof value);
  sink.object(1, value);
  const std::vector<uint8_t> whole(bytes.begin(), bytes.begin() + sink.used());
  for (size_t size = 0; size < whole.size(); ++size) {
    const std::vector<uint8_t> cut(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_LT(read_slots(cut).size(), 2u);
  }
  for (size_t at = 0; at < whole.size(); ++at) {
    for (const uint8_t changed : {uint8_t{0}, uint8_t{0xff}, uint8_t{0x7f}}) {
      std::vector<uint8_t> other = whole;
      other[at] = changed;
      EXPECT_LE(read_slots(other).size(), whole.size());
    }
  }
}

}  // namespace
}  // namespace walkabout::values
