#include "cover/compiled_source.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "cover/outputs_of_coverage.h"

namespace walkabout::cover {
namespace {

constexpr char kOfABC[] =
    "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";  // FIPS 180-4
constexpr char kSha1OfABC[] = "sha1:a9993e364706816aba3e25717850c26c9cd0d89d";

class CompiledSourceTest : public ::testing::Test {
 protected:
  CompiledSourceTest() {
    std::string made = ::testing::TempDir() + "sources-XXXXXX";
    folder_ = ::mkdtemp(made.data());
    path_ = folder_ + "/A.cs";
    std::ofstream(path_) << "abc";
  }
  ~CompiledSourceTest() override { std::filesystem::remove_all(folder_); }
  std::string folder_, path_;
};

TEST_F(CompiledSourceTest, IsComparedWithWhatWasCompiled) {
  EXPECT_FALSE(read_source(path_, kOfABC).is_another);
  EXPECT_FALSE(read_source(path_, kSha1OfABC).is_another);
  EXPECT_FALSE(read_source(path_, "").is_another);
  EXPECT_EQ(read_source(path_, "").text, "abc");
  std::ofstream(path_) << "abd";
  EXPECT_TRUE(read_source(path_, kOfABC).is_another);
  EXPECT_TRUE(read_source(path_, kSha1OfABC).is_another);
  EXPECT_FALSE(read_source(folder_ + "/B.cs", kOfABC).is_there);
}

TEST_F(CompiledSourceTest, ThePageMarksNoLinesOfAnotherText) {
  Coverage coverage;
  SourceFile& file = coverage.modules["Shop"].files[path_];
  file.checksum = kOfABC;
  file.methods = {{"T", "M", ""}};
  file.lines = {{1, {1, 0}}};
  const auto page = [&] {
    std::ostringstream out;
    EXPECT_TRUE(write_cover_page(coverage, out).ok());
    return out.str();
  };
  EXPECT_TRUE(changed_sources(coverage).empty());
  EXPECT_NE(page().find(R"(<span class="ran">)"), std::string::npos);
  std::ofstream(path_) << "xyz";
  EXPECT_EQ(changed_sources(coverage), std::vector<std::string>{path_});
  EXPECT_EQ(page().find(R"(<span class="ran">)"), std::string::npos);
}

}  // namespace
}  // namespace walkabout::cover
