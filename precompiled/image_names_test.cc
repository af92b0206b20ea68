// A whole image: its names, and what is made of an image that was cut off or damaged.
#include "precompiled/image_names.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "precompiled/test_image.h"

namespace walkabout::precompiled {
namespace {

using Data = testing::TestImage::Data;

class Named {
 public:
  explicit Named(const Data& bytes, int runtime = 10) : assembly_(Assembly::read(bytes, "/app/Made.dll")) {
    if (assembly_) names_.emplace(*assembly_, runtime, [](std::string_view) { return nullptr; });
  }

  std::string at(uint32_t rva) {
    const auto method = names_ ? names_->method_at(rva) : std::nullopt;
    if (!method) return "";
    const clr::MethodName& name = method->name;
    return name.module + "!" + name.type + "." + name.method + "(" + name.parameters + ") " + name.returns +
           " " + std::to_string((method->function.begin - testing::kCode) / 0x10);
  }
  std::string function(uint32_t index) { return at(testing::kCode + index * 0x10 + 1); }

 private:
  std::optional<Assembly> assembly_;
  std::optional<ImageNames> names_;
};

Data image() { return testing::TestImage().bytes; }

TEST(ImageNames, EveryKindOfMethod) {
  const Data bytes = image();
  Named names(bytes);
  EXPECT_EQ(names.function(0), "Made.dll!N.Plain.Run(int, N.Plain) void 0");
  EXPECT_EQ(names.function(1), "Made.dll!N.Plain.Run(int, N.Plain) void 1") << "a funclet";
  EXPECT_EQ(names.function(2), "Made.dll!N.Plain.MoveNext() bool 2");
  EXPECT_EQ(names.function(3), "Made.dll!N.Box<int>.Put(int) void 3");
  EXPECT_EQ(names.function(4), "Made.dll!N.Box<__Canon>.Put(__Canon) void 4");
  EXPECT_EQ(names.function(5), "Made.dll!N.Box<System.DateTime>.Put(System.DateTime) void 5");
  EXPECT_EQ(names.function(6), "Made.dll!N.Plain+Inner.Map<long>(long) void 6");
  EXPECT_EQ(names.at(testing::kCode), names.function(0)) << "its first byte";
  EXPECT_EQ(names.at(testing::kCode - 1), "");
  EXPECT_EQ(names.at(testing::kCode + testing::kFunctions * 0x10), "");
}

TEST(ImageNames, RuntimesBefore10DoNotSayTheClassOfSharedCode) {
  const Data bytes = image();
  Named names(bytes, 9);
  EXPECT_EQ(names.function(4), "Made.dll!N.Box<T>.Put(T) void 4");
  EXPECT_EQ(names.function(3), "Made.dll!N.Box<int>.Put(int) void 3");
}

TEST(ImageNames, AFunctionOfTwoMethodsHasNoName) {
  Data bytes = image();
  const uint8_t entry[] = {0x40, 0x15, 0x12, 3 << 2, 1, 0x3e, 3, 4 << 1 << 1};
  const auto at = std::search(bytes.begin(), bytes.end(), std::begin(entry), std::end(entry));
  ASSERT_NE(at, bytes.end());
  at[7] = 3 << 1 << 1;
  Named names(bytes);
  EXPECT_EQ(names.function(3), "");
  EXPECT_NE(names.function(2), "");
}

TEST(ImageNames, WithoutItsSignatureNothingFollowsAMethodForCertain) {
  Data bytes = image();
  const uint8_t entry[] = {0x40, 0x15, 0x12, 3 << 2, 1, 0x08, 3};
  const auto at = std::search(bytes.begin(), bytes.end(), std::begin(entry), std::end(entry));
  ASSERT_NE(at, bytes.end());
  at[1] = 0x7f;  // no element type
  Named names(bytes);
  EXPECT_EQ(names.function(3), "");
  EXPECT_EQ(names.function(1), "") << "it could be an instance's body";
  EXPECT_NE(names.function(0), "");
}

TEST(ImageNames, ArgumentsAreAsManyAsParameters) {
  Data bytes = image();
  const uint8_t entry[] = {0x40, 0x15, 0x12, 3 << 2, 1, 0x08, 3};
  const auto at = std::search(bytes.begin(), bytes.end(), std::begin(entry), std::end(entry));
  at[3] = 2 << 2;  // Plain has none, and Put is not its method
  Named names(bytes);
  EXPECT_EQ(names.function(3), "");
}

void ask_all(const Data& bytes) {
  Named names(bytes);
  for (uint32_t i = 0; i < testing::kFunctions; ++i) names.function(i);
}

TEST(ImageNames, CutAtEveryByte) {
  const Data whole = image();
  size_t named = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto end = whole.begin() + static_cast<ptrdiff_t>(size);
    const Data cut(whole.begin(), end);  // exactly these: a sanitizer sees what reads behind them
    Named names(cut);
    named += names.function(0).empty() ? 0 : 1;
  }
  EXPECT_EQ(named, 0u) << "the section is not all there";
}

TEST(ImageNames, EveryByteOfEveryKind) {
  const Data whole = image();
  for (size_t i = 0; i < whole.size(); ++i) {
    if (whole[i] == 0 && i % 16 != 0) continue;
    for (const uint8_t value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      Data bytes = whole;
      bytes[i] = value;
      ask_all(bytes);
    }
  }
}

TEST(ImageNames, ManyMutations) {
  const Data whole = image();
  std::mt19937 random(1);
  for (int round = 0; round < 3000; ++round) {
    Data bytes = whole;
    for (int i = 0; i < 8; ++i) bytes[random() % 0x800] = static_cast<uint8_t>(random());
    bytes[0] = 'M', bytes[1] = 'Z';
    ask_all(bytes);
  }
}

}  // namespace
}  // namespace walkabout::precompiled
