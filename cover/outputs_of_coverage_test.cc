#include "cover/outputs_of_coverage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cover/test_counts.h"

namespace walkabout::cover {
namespace {

using ::testing::HasSubstr;

std::string as(WriteCoverage write, const Coverage& coverage = testing::some_coverage()) {
  std::ostringstream out;
  EXPECT_TRUE(write(coverage, out).ok());
  return out.str();
}

TEST(OutputsOfCoverage, TheSuffixSaysWhich) {
  EXPECT_EQ(format_of_coverage("a.cobertura.xml"), write_cobertura);
  EXPECT_EQ(format_of_coverage("a.xml"), write_cobertura);
  EXPECT_EQ(format_of_coverage("a.info"), write_lcov);
  EXPECT_EQ(format_of_coverage("a.html"), write_cover_page);
  EXPECT_EQ(format_of_coverage("a.cover"), write_cover);
  EXPECT_EQ(format_of_coverage("a.walk"), nullptr);
}

TEST(OutputsOfCoverage, LcovHasFunctionsBranchesAndLines) {
  EXPECT_THAT(as(write_lcov), HasSubstr("TN:\n"
                                        "SF:/src/shop/Orders.cs\n"
                                        "FN:10,Shop.Orders.Save(int, List<string>)\n"
                                        "FN:20,Shop.Orders/Row.Never()\n"
                                        "FNDA:1,Shop.Orders.Save(int, List<string>)\n"
                                        "FNDA:0,Shop.Orders/Row.Never()\n"
                                        "FNF:2\nFNH:1\n"
                                        "BRDA:10,0,0,1\nBRDA:10,0,1,0\n"
                                        "BRDA:20,0,0,-\nBRDA:20,0,1,-\nBRDA:20,0,2,-\n"
                                        "BRF:5\nBRH:1\n"
                                        "DA:10,1\nDA:11,1\nDA:20,0\n"
                                        "LF:3\nLH:2\nend_of_record\n"));
}

TEST(OutputsOfCoverage, CoberturaNamesFilesBelowTheirCommonFolder) {
  const std::string xml = as(write_cobertura);
  EXPECT_THAT(xml, HasSubstr("<source>/src/shop/</source>"));
  EXPECT_THAT(xml, HasSubstr(R"(filename="Orders.cs")"));
  EXPECT_THAT(xml, HasSubstr(R"(filename="web/A&amp;B.cs")"));
  EXPECT_THAT(xml, HasSubstr(R"x(signature="(int, List&lt;string&gt;)")x"));
  EXPECT_THAT(xml, HasSubstr(R"(lines-covered="3" lines-valid="4" branches-covered="1" branches-valid="5")"));
  EXPECT_THAT(xml,
              HasSubstr(R"x(<line number="10" hits="1" branch="true" condition-coverage="50% (1/2)">)x"));
  EXPECT_THAT(xml, HasSubstr(R"(<condition number="0" type="switch" coverage="0%" />)"));
}

TEST(OutputsOfCoverage, ThePageHasNoTextAsMarkup) {
  Coverage coverage;
  coverage.modules["<script>"].files["/src/<b>.cs"].methods = {{"T", "M", ""}};
  coverage.modules["<script>"].files["/src/<b>.cs"].lines = {{1, {1, 0}}};
  const std::string page = as(write_cover_page, coverage);
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;"));
  EXPECT_THAT(page, HasSubstr("/src/&lt;b&gt;.cs"));
}

TEST(OutputsOfCoverage, ItsOwnFileIsReadBack) {
  const std::string text = as(write_cover);
  const base::Result<Coverage> read = read_cover(text);
  ASSERT_TRUE(read.ok()) << read.message();
  EXPECT_EQ(as(write_cover, *read), text);
  EXPECT_EQ(as(write_lcov, *read), as(write_lcov));
}

TEST(OutputsOfCoverage, DamagedFilesAreRefused) {
  for (
      const char* text :
      {"", "{", "[]", "{}", R"({"walkabout_cover":2})", R"({"walkabout_cover":1,"counts":true})",
       R"({"walkabout_cover":1,"counts":false,"modules":{"A":{"files":{"f":{"methods":[],"lines":[[1,1,0]],"arms":[]}}}}})",
       R"({"walkabout_cover":1,"counts":false,"modules":{"A":{"files":{"f":{"methods":[["t","m","p"]],"lines":[[-1,1,0]],"arms":[]}}}}})",
       R"({"walkabout_cover":1,"counts":false,"modules":{"A":{"files":{"f":[]}}}})"}) {
    EXPECT_FALSE(read_cover(text).ok()) << text;
  }
}

}  // namespace
}  // namespace walkabout::cover
