#include "symbols/elf/elf_symbols.h"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <link.h>
#include <sys/auxv.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "symbols/elf/test_sample.h"

namespace walkabout::symbols {
namespace {

struct Sample {
  explicit Sample(const std::string& variant)
      : path(testing::kSamples + "/" + variant), symbols(ElfSymbols::open(path, "", FileRoot())) {}
  const ElfSymbols& operator*() const { return *symbols; }
  std::string path;
  base::Result<ElfSymbols> symbols;
};

// The range of a function, taken from the symbol table of the library as built.
Function function(const std::string& raw_name) {
  static const ElfFile file = std::move(*ElfFile::open(testing::kSamples + "/whole/sample.so"));
  static const FunctionTable table = FunctionTable::read(file, SHT_SYMTAB);
  for (const Function* f = table.above(0); f != nullptr; f = table.above(f->begin)) {
    if (f->name == raw_name) return *f;
  }
  ADD_FAILURE() << "no function " << raw_name;
  return {};
}

constexpr const char* kMethod = "_ZN6sample5Shape15exported_methodEi";
constexpr const char* kHidden = "_ZN6sample15hidden_functionEi";
constexpr const char* kStatic = "_ZN6sampleL15static_functionEi";

TEST(ElfSymbols, WholeFileNamesEveryFunctionExactly) {
  const Sample sample("whole/sample.so");
  ASSERT_TRUE(sample.symbols.ok()) << sample.symbols.message();
  EXPECT_FALSE((*sample).stripped());
  EXPECT_EQ((*sample).source(), sample.path);
  for (const auto& [raw, readable] : {std::pair{kMethod, "sample::Shape::exported_method(int)"},
                                      {kHidden, "sample::hidden_function(int)"},
                                      {kStatic, "sample::static_function(int)"}}) {
    const Function f = function(raw);
    for (const uint32_t offset : {f.begin, f.begin + 1, f.end - 1}) {
      const auto symbol = (*sample).find(offset);
      ASSERT_TRUE(symbol.has_value()) << raw;
      EXPECT_EQ(symbol->name, readable);
      EXPECT_EQ(symbol->raw_name, raw);
      EXPECT_EQ(symbol->begin, f.begin);
      EXPECT_EQ(symbol->end, f.end);
      EXPECT_FALSE(symbol->approximate);
    }
  }
}

TEST(ElfSymbols, OfTwoNamesTheReadableOneIsTaken) {
  const Sample sample("whole/sample.so");
  ASSERT_TRUE(sample.symbols.ok());
  const auto symbol = (*sample).find(function("sample_plain_c").begin);
  ASSERT_TRUE(symbol.has_value());
  EXPECT_EQ(symbol->name, "sample_plain_c");
  EXPECT_EQ(symbol->raw_name, "");
}

TEST(ElfSymbols, StrippedFileKeepsExportsAndNamesTheRestByDistance) {
  const Sample sample("stripped/sample.so");
  ASSERT_TRUE(sample.symbols.ok()) << sample.symbols.message();
  EXPECT_TRUE((*sample).stripped());
  const auto exported = (*sample).find(function(kMethod).begin + 1);
  ASSERT_TRUE(exported.has_value());
  EXPECT_EQ(exported->name, "sample::Shape::exported_method(int)");
  EXPECT_FALSE(exported->approximate);
  const Function hidden = function(kHidden);
  const auto first = (*sample).find(hidden.begin);
  const auto last = (*sample).find(hidden.end - 1);
  ASSERT_TRUE(first.has_value() && last.has_value());
  EXPECT_TRUE(first->approximate);
  EXPECT_THAT(first->name, ::testing::HasSubstr("+0x"));
  EXPECT_EQ(first->begin, hidden.begin) << "the unwind table knows where the function begins";
  EXPECT_EQ(first->name, last->name) << "one function, one name";
  EXPECT_NE((*sample).find(function(kStatic).begin)->name, first->name);
}

TEST(ElfSymbols, DebugLinkBringsTheNamesBack) {
  const Sample sample("debuglink/sample.so");
  ASSERT_TRUE(sample.symbols.ok()) << sample.symbols.message();
  EXPECT_FALSE((*sample).stripped());
  EXPECT_EQ((*sample).source(), testing::kSamples + "/debuglink/.debug/sample.debug");
  EXPECT_EQ((*sample).find(function(kStatic).begin)->name, "sample::static_function(int)");
}

TEST(ElfSymbols, DebugFileThatTheRootLacksIsLookedForOutside) {
  namespace fs = std::filesystem;
  const fs::path outside = fs::path(::testing::TempDir()) / "outside";
  const fs::path root = fs::path(::testing::TempDir()) / "container";
  for (const fs::path& old : {outside, root}) fs::remove_all(old);
  fs::create_directories(root / outside.relative_path());
  fs::create_directories(outside);
  fs::copy(testing::kSamples + "/debuglink/sample.so", root / outside.relative_path() / "sample.so");
  fs::copy(testing::kSamples + "/debuglink/.debug/sample.debug", outside / "sample.debug");
  const auto symbols = ElfSymbols::open((outside / "sample.so").string(), "", *FileRoot::folder(root));
  ASSERT_TRUE(symbols.ok()) << symbols.message();
  EXPECT_FALSE(symbols->stripped());
  EXPECT_EQ(symbols->source(), (outside / "sample.debug").string());
}

TEST(ElfSymbols, DebugFileOfAnotherBuildIsRefused) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "other_build";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::copy(testing::kSamples + "/debuglink/sample.so", folder / "sample.so");
  // The linked name, another library's symbols.
  std::filesystem::copy(testing::kSamples + "/noid/.debug/sample.debug", folder / "sample.debug");
  const auto symbols = ElfSymbols::open((folder / "sample.so").string(), "", FileRoot());
  ASSERT_TRUE(symbols.ok());
  EXPECT_TRUE(symbols->stripped());
}

TEST(ElfSymbols, WithoutBuildIdTheChecksumDecides) {
  const Sample sample("noid/sample.so");
  ASSERT_TRUE(sample.symbols.ok());
  EXPECT_FALSE((*sample).stripped());
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "bad_checksum";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::filesystem::copy(testing::kSamples + "/noid/sample.so", folder / "sample.so");
  std::filesystem::copy(testing::kSamples + "/noid/.debug/sample.debug", folder / "sample.debug");
  std::ofstream(folder / "sample.debug", std::ios::app) << "x";
  EXPECT_TRUE(ElfSymbols::open((folder / "sample.so").string(), "", FileRoot())->stripped());
}

TEST(ElfSymbols, AnotherBuildIdIsRefused) {
  const std::string path = testing::kSamples + "/whole/sample.so";
  const std::string id = ElfFile::open(path)->build_id();
  EXPECT_EQ(id.size(), 20U);
  EXPECT_TRUE(ElfSymbols::open(path, id, FileRoot()).ok());
  const auto other = ElfSymbols::open(path, std::string(20, 'x'), FileRoot());
  ASSERT_FALSE(other.ok());
  EXPECT_THAT(other.message(), ::testing::HasSubstr("build id"));
}

TEST(ElfSymbols, RootIsLookedInFirstAndOurOwnFilesAfterIt) {
  const FileRoot root = std::move(*FileRoot::folder(testing::kSamples));
  const auto below = ElfSymbols::open("/whole/sample.so", "", root);
  ASSERT_TRUE(below.ok()) << below.message();
  EXPECT_EQ(below->source(), "/whole/sample.so") << "as the target names it";
  EXPECT_FALSE(ElfSymbols::open("/whole/sample.so", "", FileRoot()).ok());
  const auto plain = ElfSymbols::open(testing::kSamples + "/whole/sample.so", "", root);
  ASSERT_TRUE(plain.ok()) << plain.message();
}

TEST(ElfSymbols, DebugFileIsLookedForInTheSameRoot) {
  const auto symbols =
      ElfSymbols::open("/sample.so", "", *FileRoot::folder(testing::kSamples + "/debuglink"));
  ASSERT_TRUE(symbols.ok()) << symbols.message();
  EXPECT_EQ(symbols->source(), "/.debug/sample.debug");
}

TEST(ElfSymbols, PltStubsAreNamedByTheirTarget) {
  const Sample sample("stripped/sample.so");
  ASSERT_TRUE(sample.symbols.ok());
  const ElfFile file = std::move(*ElfFile::open(sample.path));
  const std::vector<PltEntry> plt = read_plt(file);
  const auto rand = std::find_if(plt.begin(), plt.end(), [](const PltEntry& e) { return e.name == "rand"; });
  ASSERT_NE(rand, plt.end());
  EXPECT_EQ((*sample).find(rand->begin + 2)->name, "rand@plt");
}

TEST(ElfSymbols, OffsetOutsideCodeHasNoName) {
  const Sample sample("whole/sample.so");
  ASSERT_TRUE(sample.symbols.ok());
  EXPECT_FALSE((*sample).find(0).has_value());
  EXPECT_FALSE((*sample).find(0x7fffffff).has_value());
  EXPECT_FALSE((*sample).find(0xffffffff).has_value());
}

TEST(ElfSymbols, ErrorsNameTheCause) {
  EXPECT_THAT(ElfSymbols::open("/no/such/file", "", FileRoot()).message(),
              ::testing::HasSubstr("No such file"));
  EXPECT_THAT(ElfSymbols::open("/tmp", "", FileRoot()).message(), ::testing::HasSubstr("not a regular file"));
  EXPECT_THAT(ElfSymbols::open("/dev/null", "", FileRoot()).message(),
              ::testing::HasSubstr("not a regular file"));
  EXPECT_THAT(ElfSymbols::open("/etc/passwd", "", FileRoot()).message(),
              ::testing::HasSubstr("not an ELF file"));
}

// The process's own libc, stripped as distributions ship it: exports are named by what dladdr-less lookup can
// check.
TEST(ElfSymbols, LibcFunctionsAreFoundWhereTheLoaderPutThem) {
  Dl_info info{};
  void* address = dlsym(RTLD_DEFAULT, "qsort");
  ASSERT_NE(dladdr(address, &info), 0);
  const auto symbols = ElfSymbols::open(std::filesystem::canonical(info.dli_fname).string(), "", FileRoot());
  ASSERT_TRUE(symbols.ok()) << symbols.message();
  const auto offset = static_cast<uint32_t>(static_cast<char*>(address) - static_cast<char*>(info.dli_fbase));
  EXPECT_EQ(symbols->find(offset)->name, "qsort");
}

TEST(ElfSymbols, VdsoOfThisKernelIsRead) {
  const auto symbols = ElfSymbols::open_vdso("");
  if (getauxval(AT_SYSINFO_EHDR) == 0) GTEST_SKIP() << "this kernel gives no vDSO";
  ASSERT_TRUE(symbols.ok()) << symbols.message();
  EXPECT_EQ(symbols->source(), "[vdso]");
  EXPECT_FALSE(ElfSymbols::open_vdso("another kernel").ok());
  const auto base = getauxval(AT_SYSINFO_EHDR);
  void* vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
  void* gettime = vdso != nullptr ? dlsym(vdso, "__vdso_clock_gettime") : nullptr;
  if (gettime == nullptr) GTEST_SKIP() << "no clock_gettime in the vDSO";
  const auto symbol = symbols->find(static_cast<uint32_t>(reinterpret_cast<uintptr_t>(gettime) - base));
  ASSERT_TRUE(symbol.has_value());
  EXPECT_THAT(symbol->name, ::testing::HasSubstr("clock_gettime"));
}

}  // namespace
}  // namespace walkabout::symbols
