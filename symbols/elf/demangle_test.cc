#include "symbols/elf/demangle.h"

#include <gtest/gtest.h>

namespace walkabout::symbols {
namespace {

TEST(ReadableSymbol, PlainNamesStay) {
  EXPECT_EQ(readable_symbol("qsort"), "qsort");
  EXPECT_EQ(readable_symbol(""), "");
  EXPECT_EQ(readable_symbol("_start"), "_start");
}

TEST(ReadableSymbol, VersionsAreCut) {
  EXPECT_EQ(readable_symbol("qsort@@GLIBC_2.2.5"), "qsort");
  EXPECT_EQ(readable_symbol("_ZNSaIcED1Ev@GLIBCXX_3.4"), "std::allocator<char>::~allocator()");
  EXPECT_EQ(readable_symbol("@odd"), "@odd");
}

TEST(ReadableSymbol, ClonesKeepTheirSuffix) {
  EXPECT_EQ(readable_symbol("_Z3fooi.cold"), "foo(int) [clone .cold]");
}

TEST(ReadableSymbol, BrokenAndHugeManglingsStayAsTheyAre) {
  EXPECT_EQ(readable_symbol("_Z"), "_Z");
  EXPECT_EQ(readable_symbol("_ZNthis is none"), "_ZNthis is none");
  const std::string huge = "_Z3foo" + std::string(1 << 20, 'P') + "i";
  EXPECT_EQ(readable_symbol(huge), huge);
  const std::string deep = "_Z3foo" + std::string(8000, 'P') + "i";
  EXPECT_FALSE(readable_symbol(deep).empty());
}

}  // namespace
}  // namespace walkabout::symbols
