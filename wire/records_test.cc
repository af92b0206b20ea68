// The lists of fields against the records they are of.
#include "wire/records.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>
#include <type_traits>

#include "wire/test_values.h"

namespace walkabout::wire {
namespace {

template <typename... Record>
RecordList<Record..., NativeSymbol, Document, MethodLines, NativeFunction, SourceValue, SourceLabel,
           SourceCounters>
    with_parts(RecordList<Record...>);
template <typename List>
struct TypesOf;
template <typename... Record>
struct TypesOf<RecordList<Record...>> {
  using type = ::testing::Types<Record...>;
};

template <typename Record>
class RecordTest : public ::testing::Test {};
using Every = TypesOf<decltype(with_parts(Records()))>::type;
TYPED_TEST_SUITE(RecordTest, Every, );

// Takes the place of any member.
struct Any {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};
template <typename Record, typename... Members>
constexpr size_t members() {
  if constexpr (requires { Record{Members()..., Any()}; }) {
    return members<Record, Members..., Any>();
  } else {
    return sizeof...(Members);
  }
}

TYPED_TEST(RecordTest, EveryMemberIsInTheList) {
  constexpr auto kList = kFields<TypeParam>;
  EXPECT_EQ(std::tuple_size_v<decltype(kList)>, members<TypeParam>());
  std::set<const void*> listed;
  const TypeParam record;
  for_each_field<TypeParam>([&](const auto& field) { listed.insert(&(record.*field.member)); });
  EXPECT_EQ(listed.size(), members<TypeParam>()) << "none twice";
}

TYPED_TEST(RecordTest, NumbersRise) {
  uint32_t next = 1;
  for_each_field<TypeParam>([&next](const auto& field) {
    EXPECT_GE(field.number, next);
    next = field.number + (field.form() == Form::kFrames ? 2 : 1);
  });
}

// What is absent is 0, so a member that is something else by default has to be written when it is 0.
TYPED_TEST(RecordTest, WhatIsNotZeroByDefaultIsWrittenWhenItIsZero) {
  const TypeParam record;
  for_each_field<TypeParam>([&]<Form kForm, typename Value>(const Field<kForm, TypeParam, Value>& field) {
    if constexpr (kForm == Form::kMessages) {
      EXPECT_FALSE(field.always);
    } else {
      const bool other = record.*field.member != Value();
      EXPECT_EQ(field.always || field.left_out != 0, other) << field.number;
      if constexpr (std::is_same_v<Value, base::SourceId>) {
        if (other) {
          EXPECT_EQ(field.left_out, (record.*field.member).value);
        }
      }
    }
  });
}

TYPED_TEST(RecordTest, ASampleValueHasNoDefault) {
  const TypeParam record, sample = testing::sample_value<TypeParam>();
  for_each_field<TypeParam>([&]<Form kForm, typename Value>(const Field<kForm, TypeParam, Value>& field) {
    if constexpr (kForm == Form::kMessages) {
      EXPECT_FALSE((sample.*field.member).empty());
    } else {
      EXPECT_NE(sample.*field.member, record.*field.member) << field.number;
    }
  });
}

TEST(Records, EachHasATypeOfItsOwn) {
  std::set<RecordType> types;
  for (uint32_t type = 0; type < 100; ++type) {
    const bool known = with_record(static_cast<RecordType>(type), [&]<typename Record>(const Record*) {
      EXPECT_EQ(Record::kType, static_cast<RecordType>(type));
      types.insert(Record::kType);
    });
    EXPECT_EQ(known, type >= 1 && type <= 34) << type;
  }
  EXPECT_EQ(types.size(), 34u);
}

TEST(Records, AMemberIsFoundByItsNumber) {
  EXPECT_EQ(field_number(&Counters::process_cpu_ns), 7u);
  EXPECT_EQ(field_number(&Samples::stack), 4u);
  EXPECT_EQ(field_number(&Oracle::frames), 4u);
}

}  // namespace
}  // namespace walkabout::wire
