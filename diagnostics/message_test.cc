#include "diagnostics/message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "diagnostics/test_port.h"

namespace walkabout::diagnostics {
namespace {

using namespace std::literals;
using ::testing::HasSubstr;

TEST(Message, AGuidLiesInMemoryAsTheRuntimeReadsIt) {
  const auto bytes = guid_bytes("00112233-4455-6677-8899-AABBCCDDEEFF");
  const std::array<uint8_t, 16> expected{0x33, 0x22, 0x11, 0x00, 0x55, 0x44, 0x77, 0x66,
                                         0x88, 0x99, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff};
  EXPECT_EQ(bytes, expected);
}

TEST(Message, HeaderAndPayloadAreAsInTheProtocol) {
  const auto message = make_message({3, 1}, "xy");
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(*message, "DOTNET_IPC_V1\0\x16\0\x03\x01\0\0xy"sv);
  EXPECT_FALSE(make_message({3, 1}, std::string(70'000, 'x')).ok());
}

TEST(Message, StringsAreCountedUtf16WithTheirZero) {
  EXPECT_EQ(PayloadWriter().string("ab").done(), "\3\0\0\0a\0b\0\0\0"sv);
  EXPECT_EQ(PayloadWriter().string("").done(), "\1\0\0\0\0\0"sv);
  EXPECT_EQ(PayloadWriter().string("\xc3\xa4").done(), "\2\0\0\0\xe4\0\0\0"sv);
  EXPECT_EQ(PayloadWriter().string("\xf0\x9f\x98\x80").done(), "\3\0\0\0\x3d\xd8\x00\xde\0\0"sv);
}

TEST(Message, SizeIsKnownWhenTheHeaderIsThere) {
  const std::string message = *make_message({3, 1}, "payload");
  for (size_t i = 0; i < kHeaderSize; ++i) {
    const auto size = message_size(message.substr(0, i));
    ASSERT_TRUE(size.ok()) << i;
    EXPECT_EQ(*size, 0u);
  }
  EXPECT_EQ(*message_size(message), message.size());
  EXPECT_FALSE(message_size("HTTP/1.1 200 OK\r\n").ok());
  EXPECT_FALSE(message_size("DOTNET_IPC_V1\0\x03\0\xff\0\0\0"sv).ok()) << "smaller than its header";
}

TEST(Message, RepliesAreDoneOrReportWhyNot) {
  const auto good = parse_reply(testing::done("abc"));
  ASSERT_TRUE(good.ok());
  EXPECT_EQ(good->hresult, 0u);
  EXPECT_EQ(good->payload, "abc");
  EXPECT_EQ(parse_reply(testing::refused(0x8013136a))->hresult, 0x8013136au);
  EXPECT_FALSE(parse_reply(testing::refused(0)).ok()) << "an error without one";
  EXPECT_FALSE(parse_reply(testing::reply(0x07, "1234")).ok());
  EXPECT_FALSE(parse_reply(*make_message({3, 1}, "")).ok()) << "a command";
  const std::string refused = testing::refused(5);
  for (size_t i = 0; i < refused.size(); ++i) EXPECT_FALSE(parse_reply(refused.substr(0, i)).ok()) << i;
}

TEST(Message, AProcessReportsItsVersion) {
  const std::string payload = testing::process_info("10.0.12");
  const auto info = parse_process_info(payload);
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->pid, 7u);
  EXPECT_EQ(info->version, "10.0.12");
  for (size_t i = 0; i < payload.size(); ++i)
    EXPECT_FALSE(parse_process_info(payload.substr(0, i)).ok()) << i;
  std::string huge = payload;
  huge.replace(24, 4, "\xff\xff\xff\xff");  // the command line's length
  EXPECT_FALSE(parse_process_info(huge).ok());
}

}  // namespace
}  // namespace walkabout::diagnostics
