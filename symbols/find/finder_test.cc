#include "symbols/find/finder.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "symbols/elf/test_sample.h"

namespace walkabout::symbols {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kDebugFile = testing::kSamples + "/debuglink/.debug/sample.debug";
const std::string kStripped = testing::kSamples + "/stripped/sample.so";

// Hands out what it is told to, and says in which order it was asked.
class FakeSource : public Source {
 public:
  FakeSource(std::string debug, std::string image, std::vector<std::string>* requests)
      : debug_(std::move(debug)), image_(std::move(image)), requests_(requests) {}
  std::string name() const override { return "fake"; }
  base::Result<std::optional<Offer>> find(const Wanted& wanted, FileKind kind) override {
    requests_->push_back((kind == FileKind::kDebug ? "debug of " : "image of ") + wanted.file_name);
    const std::string& path = kind == FileKind::kDebug ? debug_ : image_;
    if (path == "down") return base::Status::error("it is down");
    if (path.empty()) return std::optional<Offer>();
    return std::optional<Offer>(Offer{base::Fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC)), path});
  }

 private:
  const std::string debug_, image_;
  std::vector<std::string>* const requests_;
};

wire::Module wanted_module(const std::string& path) {
  wire::Module module;
  module.path = path;
  module.build_id = ElfFile::open(kStripped)->build_id();
  return module;
}

class FinderTest : public ::testing::Test {
 protected:
  // From one source, for a library that is not on this machine unless `path` is.
  Found find(const std::string& debug, const std::string& image,
             const std::string& path = "/gone/sample.so") {
    std::vector<std::unique_ptr<Source>> sources;
    sources.push_back(std::make_unique<FakeSource>(debug, image, &requests_));
    Finder finder(std::move(sources));
    Found found = finder.find(wanted_module(path));
    finder.find(wanted_module(path));
    problems_ = finder.problems();
    return found;
  }
  std::vector<std::string> requests_;
  std::vector<std::string> problems_;
};

// A name that only a symbol table has.
bool has_hidden_names(const Found& found) {
  if (found.symbols == nullptr) return false;
  for (uint32_t offset = 0; offset < 0x4000; ++offset) {
    const auto symbol = found.symbols->find(offset);
    if (symbol.has_value() && symbol->name == "sample::hidden_function(int)") return true;
  }
  return false;
}

TEST_F(FinderTest, OwnFileWithSymbolTableIsEnough) {
  const Found found = find("down", "down", testing::kSamples + "/whole/sample.so");
  EXPECT_TRUE(has_hidden_names(found));
  EXPECT_EQ(found.from, "this machine");
  EXPECT_THAT(requests_, IsEmpty());
}

TEST_F(FinderTest, DebugFileAloneNamesALibraryThatIsNotHere) {
  const Found found = find(kDebugFile, "down");
  EXPECT_TRUE(has_hidden_names(found));
  EXPECT_EQ(found.from, "fake");
  EXPECT_EQ(found.place, kDebugFile);
  EXPECT_EQ(found.why, "");
  EXPECT_THAT(requests_, ElementsAre("debug of sample.so")) << "once, and not for the image";
}

TEST_F(FinderTest, DebugFileCompletesTheOwnStrippedFile) {
  const Found found = find(kDebugFile, "down", kStripped);
  EXPECT_TRUE(has_hidden_names(found));
  EXPECT_EQ(found.from, "fake");
  const auto plt = read_plt(*ElfFile::open(kStripped));
  ASSERT_FALSE(plt.empty());
  EXPECT_THAT(found.symbols->find(plt[0].begin)->name, HasSubstr("@plt")) << "only the image has these";
}

TEST_F(FinderTest, ImageIsRequestedWhenThereIsNoDebugFile) {
  EXPECT_TRUE(has_hidden_names(find("", testing::kSamples + "/whole/sample.so")));
  EXPECT_THAT(requests_, ElementsAre("debug of sample.so", "image of sample.so"));
  const Found stripped = find("", kStripped);
  ASSERT_NE(stripped.symbols, nullptr);
  EXPECT_TRUE(stripped.symbols->stripped());
  EXPECT_THAT(stripped.why, HasSubstr("the fake has no debug file"));
}

TEST_F(FinderTest, AnotherBuildIsRefused) {
  const Found found = find(testing::kSamples + "/noid/.debug/sample.debug", "/proc/self/exe");
  EXPECT_EQ(found.symbols, nullptr);
  ASSERT_EQ(problems_.size(), 2U);
  EXPECT_THAT(problems_[0], HasSubstr("its build id is missing"));
  EXPECT_THAT(problems_[1], HasSubstr("another build"));
  EXPECT_THAT(found.why, HasSubstr(problems_[0]));
}

TEST_F(FinderTest, FileThatIsCutOffAnywhereIsRefused) {
  std::ostringstream text;
  text << std::ifstream(kDebugFile, std::ios::binary).rdbuf();
  const std::string whole = text.str();
  const std::string cut = ::testing::TempDir() + "/cut-" + std::to_string(getpid()) + ".debug";
  for (size_t size = 0; size < whole.size(); size += 1 + whole.size() / 100) {
    std::ofstream(cut, std::ios::binary) << whole.substr(0, size);
    EXPECT_EQ(find(cut, "").symbols, nullptr) << size;
    EXPECT_EQ(problems_.size(), 1U) << size;
  }
  std::ofstream(cut, std::ios::binary) << whole;
  EXPECT_NE(find(cut, "").symbols, nullptr);
  fs::remove(cut);
}

TEST_F(FinderTest, SourceThatIsDownIsAProblemReportedOnce) {
  const Found found = find("down", "down");
  EXPECT_EQ(found.symbols, nullptr);
  EXPECT_THAT(problems_, ElementsAre("it is down"));
  EXPECT_THAT(found.why, HasSubstr("it is down"));
}

TEST_F(FinderTest, WithoutBuildIdNothingIsTaken) {
  std::vector<std::unique_ptr<Source>> sources;
  sources.push_back(std::make_unique<FakeSource>(kDebugFile, kStripped, &requests_));
  Finder finder(std::move(sources));
  wire::Module nameless = wanted_module(testing::kSamples + "/whole/sample.so");
  nameless.build_id.clear();
  EXPECT_EQ(finder.find(nameless).symbols, nullptr);
  EXPECT_THAT(finder.find(nameless).why, HasSubstr("no build id"));
  EXPECT_THAT(requests_, IsEmpty());
}

}  // namespace
}  // namespace walkabout::symbols
