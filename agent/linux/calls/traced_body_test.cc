#include "agent/linux/calls/traced_body.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "agent/trace/traced_call.h"
#include "il/body_reader.h"
#include "il/body_writer.h"
#include "il/test_body.h"

namespace walkabout::agent {
namespace {

using il::Cause;
using il::Op;

constexpr TraceSignatures kSignatures{0x11000001, 0x11000002, 0x11000003, 0x11000004};
constexpr uint8_t kRet = 0x2a, kNop = 0x00, kCall = 0x28, kLeave = 0xde, kTailCall[] = {0xfe, 0x14};

il::Body method_body(const il::testing::Data& code) {
  il::Body body;
  EXPECT_EQ(il::read_body(il::testing::fat(code), &body), Cause::kNone);
  return body;
}

// "ldc.i8 7, calli, stloc.0"
std::string code_text_of(const il::Body& body) {
  std::string text;
  for (const il::Instruction& one : body.code) {
    text += (text.empty() ? "" : ", ") + std::string(name_of(one.op));
    if (one.op == Op::kCalli) text += " " + std::to_string(one.operand & 0xff);
    if (one.op == Op::kLdcI8 && one.operand < 100) text += " " + std::to_string(one.operand);
  }
  return text;
}

uint64_t function_called_before(const il::Body& body, uint32_t signature) {
  for (size_t i = 2; i < body.code.size(); ++i) {
    if (body.code[i].op == Op::kCalli && body.code[i].operand == signature) return body.code[i - 2].operand;
  }
  return 0;
}

// What is written can be read again, and its stack is as deep as it says.
void expect_traced_body_is_writable(const il::Body& body) {
  il::WrittenBody written;
  ASSERT_EQ(il::write_body(body, &written), Cause::kNone);
  il::Body read;
  EXPECT_EQ(il::read_body(written.bytes, &read), Cause::kNone);
  EXPECT_GE(read.header.max_stack, 3);
}

TEST(TracedBody, ACallIsBetweenEnterAndLeave) {
  il::Body body = method_body({kNop, kRet});
  ASSERT_EQ(trace_calls(7, kSignatures, TraceLocals{0, 1, 0, 0, {}}, &body), Cause::kNone);
  EXPECT_EQ(code_text_of(body),
            "ldc.i8 0, stloc.1, ldc.i8 7, ldc.i8, conv.i, calli 1, stloc.0, nop, ldc.i8 1, stloc.1, leave, "
            "ldloc.0, ldloc.1, ldc.i8, conv.i, calli 2, endfinally, ret");
  EXPECT_EQ(function_called_before(body, kSignatures.enter),
            reinterpret_cast<uint64_t>(&walkabout_trace_enter));
  EXPECT_EQ(function_called_before(body, kSignatures.leave),
            reinterpret_cast<uint64_t>(&walkabout_trace_leave));
  expect_traced_body_is_writable(body);
}

TEST(TracedBody, WithATailCallOnlyTheBeginningIsTraced) {
  il::Body body = method_body({kTailCall[0], kTailCall[1], kCall, 1, 0, 0, 0x0a, kRet});
  ASSERT_EQ(trace_beginnings(7, kSignatures, &body), Cause::kNone);
  EXPECT_EQ(code_text_of(body),
            "ldc.i8 7, ldc.i8, conv.i, calli 1, ldc.i8 1, ldc.i8, conv.i, calli 2, tail., call, ret");
  expect_traced_body_is_writable(body);
}

// call 2 suspends, call 3 gives the builder an exception.
il::testing::Data async_code() { return {kCall, 2, 0, 0, 0x0a, kLeave, 0, kCall, 3, 0, 0, 0x0a, kRet}; }
constexpr TraceLocals kAsyncLocals{4, 5, 6, 7, {}};
AsyncMachine machine_of_async_code(uint32_t box_at) {
  return {0x04000001, 0x04000002, box_at, 0x0a000009, {0}, {2}};
}

TEST(TracedBody, AnAsyncMethodIsFoundAgainByItsBox) {
  il::Body body = method_body(async_code());
  body.labels.clear();  // where `leave` leads does not matter here
  body.code[1].operand = body.add_label(2);
  ASSERT_EQ(trace_async_calls(7, kSignatures, kAsyncLocals, machine_of_async_code(0), &body), Cause::kNone);
  EXPECT_EQ(
      code_text_of(body),
      "ldc.i8 1, stloc.s, ldc.i4.0, stloc.s, ldarg.0, ldflda, ldind.ref, call, ldarg.0, ldfld, ldc.i4.s, "
      "shr, not, and, stloc.s, ldc.i8 7, ldloc.s, conv.u8, ldc.i8, conv.i, calli 3, stloc.s, "
      "call, ldloc.s, ldarg.0, ldflda, ldind.ref, call, or, stloc.s, leave.s, "
      "ldc.i8 0, stloc.s, call, leave, "
      "ldloc.s, ldloc.s, ldloc.s, conv.u8, ldc.i8, conv.i, calli 4, endfinally, ret");
  EXPECT_EQ(function_called_before(body, kSignatures.resume),
            reinterpret_cast<uint64_t>(&walkabout_trace_resume));
  EXPECT_EQ(function_called_before(body, kSignatures.pause),
            reinterpret_cast<uint64_t>(&walkabout_trace_pause));
}

TEST(TracedBody, ABuilderMayHaveItsBoxFurtherIn) {
  il::Body body = method_body(async_code());
  ASSERT_EQ(trace_async_calls(7, kSignatures, kAsyncLocals, machine_of_async_code(8), &body), Cause::kNone);
  const auto add = std::find_if(body.code.begin(), body.code.end(),
                                [](const il::Instruction& one) { return one.op == Op::kAdd; });
  ASSERT_NE(add, body.code.end());
  EXPECT_EQ((add - 1)->operand, 8u);
}

TEST(TracedBody, WhereASuspensionMayBeSkippedTheBodyIsLeftAlone) {
  il::Body body = method_body(async_code());
  body.add_label(1);  // something leads behind the call that suspends
  const std::string before = code_text_of(body);
  EXPECT_EQ(trace_async_calls(7, kSignatures, kAsyncLocals, machine_of_async_code(0), &body), Cause::kPlace);
  EXPECT_EQ(code_text_of(body), before);
}

}  // namespace
}  // namespace walkabout::agent
