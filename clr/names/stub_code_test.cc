#include "clr/names/stub_code.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace walkabout::clr {
namespace {

using wire::StubKind;

std::vector<uint8_t> bytes(const std::string& hex) {
  std::vector<uint8_t> code;
  for (size_t i = 0; i + 1 < hex.size(); i += 2)
    code.push_back(static_cast<uint8_t>(std::stoi(hex.substr(i, 2), nullptr, 16)));
  return code;
}

// Every instruction of a stub that lies among others is in it; what lies before and behind is not.
void expect(StubKind kind, const std::string& stub) {
  const std::string around(64, 'c');
  const std::vector<uint8_t> code = bytes(around + stub + around);
  const size_t begin = around.size() / 2, size = stub.size() / 2;
  for (const size_t at : {begin, begin + size / 2, begin + size - 1})
    EXPECT_EQ(stub_kind_of(code, at), kind) << stub << " " << at - begin;
  if (kind == StubKind::kWriteBarrier) return;
  EXPECT_EQ(stub_kind_of(code, begin - 1), StubKind::kUnknown) << stub;
  EXPECT_EQ(stub_kind_of(code, begin + size), StubKind::kUnknown) << stub;
}

// As they lay in a process of .NET 10.0.12.
TEST(StubCode, OfARuntime) {
  expect(StubKind::kMethodEntry, "ff25fa3f00004c8b15fb3f0000ff25fd3f0000");
  expect(StubKind::kMethodEntry, "4c8b15f93f0000ff25fb3f0000");
  expect(StubKind::kCallCounting, "488b05f93f000066ff087406ff25f63f0000ff25f83f0000");
  expect(StubKind::kInterfaceCall, "48b828b8de28157f00004839079048b82067ea27157f00000f8547fbffffffe0");
  expect(StubKind::kInterfaceCall,
         "488b075249baf8b6c67e0b560000488bd048c1e80c4803c24835800200004825f87f00004a8b041049ba000000000700000"
         "0483b5000752b4c3b"
         "50087525488b40105affe0");
  expect(StubKind::kVirtualCall, "488b07488b4048ff6028");
  expect(StubKind::kVirtualCall, "488b07488b80b0000000ff6010");
  expect(StubKind::kHelper, "48bf48c7e028157f0000e9f609567e");
  expect(StubKind::kHelper, "488b4730488b4020488b40104885c07401c348bef0bce927157f0000e97f5ef9ff");
  expect(StubKind::kHelper, "488b4718488b40104885c07401c348be48bacc15317f0000e9b3c8f7ff");
  expect(StubKind::kHelper, "488b4718488b4000c3");
  expect(
      StubKind::kHelper,
      "488b4730488b40004881b808000000900000007e0d488b80900000004885c07401c348be803fcc15317f0000e9dfdbf7ff");
  expect(StubKind::kHelper,
         "488b47184881b808000000380000007e0a488b40384885c07401c348be687d0719317f0000e9d601bdfc");
  expect(StubKind::kHelper, "48b8381e00c8f07e0000c3");
  expect(StubKind::kHelper, "48a1983200c8f07e00004883c008c3");
  expect(StubKind::kGenericCall, "48bec01b8518317f000048b888af7418317f0000ffe0");
  expect(StubKind::kGenericCall, "4889f248bed88dc618317f000048b8800dc718317f0000ffe0");
  expect(StubKind::kUnboxing, "488b374883c70848b8a8bcd815317f0000ffe0");
  expect(StubKind::kUnboxing, "4889f2488b374883c70848b8789e9819317f0000ffe0");
  expect(StubKind::kInterfaceCall, "48b8b0ddef55a05500008300ff7dac4983cb01");
  expect(StubKind::kInterfaceCall, "5249ba00000000ca0000005048b830c81f94317f0000ffe0");
  expect(StubKind::kDelegateCall, "488bc44989fb4d8b53204983c32041ffe2");
  expect(StubKind::kWriteBarrier, "48b8e8c57e2e097f000049c1e80a41803c00ff7502f3c341c60400ffc3");
}

TEST(StubCode, WhatIsNoneIsNotNamed) {
  const std::vector<uint8_t> code = bytes("554889e54883ec10488b07c9c3");
  for (size_t at = 0; at < code.size() + 2; ++at) EXPECT_EQ(stub_kind_of(code, at), StubKind::kUnknown);
  EXPECT_EQ(stub_kind_of({}, 0), StubKind::kUnknown);
  const std::vector<uint8_t> cut = bytes("ff25fa3f00004c8b15fb3f0000ff25");
  EXPECT_EQ(stub_kind_of(cut, 0), StubKind::kUnknown) << "half a precode";
  const std::vector<uint8_t> getter = bytes("488b4718c3");
  EXPECT_EQ(stub_kind_of(getter, 0), StubKind::kUnknown) << "one load is no lookup";
  const std::vector<uint8_t> loads = bytes("488b4718488b4010488b40105dc3");
  for (size_t at = 0; at < loads.size(); ++at) EXPECT_EQ(stub_kind_of(loads, at), StubKind::kUnknown);
}

}  // namespace
}  // namespace walkabout::clr
