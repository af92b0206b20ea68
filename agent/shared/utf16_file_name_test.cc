#include "agent/shared/utf16_file_name.h"

#include <gtest/gtest.h>

#include <string_view>

namespace walkabout::agent {
namespace {

std::u16string_view name_in(std::u16string_view path, Separators separators) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(path.data());
  return path.substr(file_name_offset({bytes, path.size() * 2}, separators) / 2);
}

TEST(Utf16FileName, OnWindowsBothSeparatorsEndAFolder) {
  for (std::u16string_view path :
       {uR"(C:\app\app.dll)", uR"(C:/app/app.dll)", uR"(C:\app/app.dll)", uR"(C:/app\app.dll)",
        uR"(/app\app.dll)", uR"(\\server\app\app.dll)", uR"(app.dll)", uR"(/app.dll)"})
    EXPECT_EQ(name_in(path, Separators::kWindows), u"app.dll");
}

TEST(Utf16FileName, OnLinuxABackslashIsPartOfAName) {
  EXPECT_EQ(name_in(uR"(/app/a\b.dll)", Separators::kLinux), uR"(a\b.dll)");
  EXPECT_EQ(name_in(uR"(a\b.dll)", Separators::kLinux), uR"(a\b.dll)");
}

// Both bytes of a unit make a separator.
TEST(Utf16FileName, AUnitWhoseLowByteIsASeparatorsIsPartOfAName) {
  EXPECT_EQ(name_in(u"/app/a\u012f\u015cb", Separators::kWindows), u"a\u012f\u015cb");
}

TEST(Utf16FileName, WhatEndsWithASeparatorOrIsEmptyHasNone) {
  EXPECT_EQ(name_in(u"/app/", Separators::kLinux), u"");
  EXPECT_EQ(name_in(u"", Separators::kWindows), u"");
}

}  // namespace
}  // namespace walkabout::agent
