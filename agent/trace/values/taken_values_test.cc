#include "agent/trace/values/taken_values.h"

#include <gtest/gtest.h>

#include <bit>

#include "agent/trace/test_traces.h"
#include "values/captured_slots.h"

namespace walkabout::agent {
namespace {

using values::CapturedSlot;
using values::SlotForm;

class TakenValuesTest : public testing::TracingTest {
 protected:
  void SetUp() override { begin({.latency_ns = 0, .keeps_slow = true}); }

  static void take_number(uint64_t token, uint64_t slot, uint64_t bits) {
    reinterpret_cast<void (*)(uint64_t, uint64_t, uint64_t)>(traced_value_functions().bits)(token, slot,
                                                                                            bits);
  }
  static void take_thrown_object(uint64_t token, uint64_t outcome, const void* exception) {
    reinterpret_cast<void (*)(uint64_t, uint64_t, const void*)>(traced_value_functions().thrown)(
        token, outcome, exception);
  }

  // Of the only call that was kept.
  std::vector<CapturedSlot> kept() {
    end();
    EXPECT_EQ(trace.calls.size(), 1u);
    if (trace.calls.empty()) return {};
    const std::string& bytes = trace.calls[0].values;
    return values::read_slots({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()});
  }
};

TEST_F(TakenValuesTest, AreKeptWithTheirCall) {
  const uint64_t token = walkabout_trace_enter(3);
  take_number(token, 0, 42);
  reinterpret_cast<void (*)(uint64_t, uint64_t, double)>(traced_value_functions().real)(token, 1, 1.5);
  walkabout_trace_leave(token, kTraceReturned);
  const std::vector<CapturedSlot> slots = kept();
  ASSERT_EQ(slots.size(), 2u);
  EXPECT_EQ(slots[0].bits, 42u);
  EXPECT_EQ(slots[1].slot, 1);
  EXPECT_EQ(std::bit_cast<double>(slots[1].bits), 1.5);
}

TEST_F(TakenValuesTest, WithoutRoomTheSlotSaysSo) {
  const uint64_t token = walkabout_trace_enter(3);
  const uint32_t most = kMostValueBytes / 12;
  for (uint32_t i = 0; i < most + 1; ++i) take_number(token, i, 7);
  walkabout_trace_leave(token, kTraceReturned);
  const std::vector<CapturedSlot> slots = kept();
  ASSERT_EQ(slots.size(), most + 1);
  EXPECT_EQ(slots[most - 1].form, SlotForm::kBits);
  EXPECT_EQ(slots[most].form, SlotForm::kNoRoom);
}

TEST_F(TakenValuesTest, OfACallThatIsNotTracedNothingIsTaken) {
  take_number(0, 0, 42);
  const uint64_t outer = walkabout_trace_enter(3);
  walkabout_trace_leave(outer, kTraceReturned);
  take_number(outer, 0, 42);  // it has ended
  EXPECT_TRUE(kept().empty());
}

TEST_F(TakenValuesTest, WhatPassedACallThatReturnsDidNotEndIt) {
  const uint32_t type[16] = {0, 128};
  const uint32_t* const exception[16] = {type};
  const uint64_t token = walkabout_trace_enter(3);
  take_thrown_object(token, kTraceReturned, exception);
  take_thrown_object(token, kTraceException, nullptr);
  take_thrown_object(token, kTraceException, exception);
  walkabout_trace_leave(token, kTraceException);
  const std::vector<CapturedSlot> slots = kept();
  ASSERT_EQ(slots.size(), 1u);
  EXPECT_EQ(slots[0].slot, values::kThrownSlot);
  EXPECT_EQ(slots[0].object.type, reinterpret_cast<uint64_t>(type));
}

}  // namespace
}  // namespace walkabout::agent
