#include "collect/precompiled_code.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "precompiled/test_image.h"
#include "recording/decode.h"
#include "recording/stream_reader.h"
#include "wire/encode.h"

namespace walkabout::cli {
namespace {

using base::CodeId;
using base::MethodId;
using precompiled::testing::kCode;
using wire::Frame;
using wire::FrameKind;

constexpr CodeId kImage(5);
constexpr uint32_t kImageSize = 0x4000;

Frame frame(uint32_t function, uint32_t offset) {
  return Frame::in_code(FrameKind::kReadyToRun, kImage, kCode + function * 0x10 + offset);
}

// What was declared, as a reader sees it.
struct Declared : public recording::RecordVisitor {
  explicit Declared(const std::string& records) {
    recording::StreamReader reader;
    recording::Decoder decoder;
    reader.push(records);
    for (auto record = reader.next(); record.ok() && record->has_value(); record = reader.next())
      EXPECT_TRUE(decoder.decode(**record, *this).ok());
  }
  void on_method(const wire::Method& r) override { methods.push_back(r); }
  void on_method_range(const wire::MethodRange& r) override { ranges.push_back(r); }

  std::vector<wire::Method> methods;
  std::vector<wire::MethodRange> ranges;
};

class PrecompiledCodeTest : public ::testing::Test {
 protected:
  PrecompiledCodeTest() {
    std::filesystem::create_directories(folder_ + "/app");
    write(image_);
    const auto read = precompiled::PeFile::read(image_);
    module_ = {kImage, wire::ModuleKind::kReadyToRun, "/app/Made.dll", "", 0x10000, kImageSize, 0x10000};
    module_.build_id = read->identity();
    wire::Session session;
    session.runtime = ".NET 10.0.12";
    known_.on_session(session);
    wire::Method said;
    said.id = MethodId(41);
    known_.on_method(said);
  }
  ~PrecompiledCodeTest() override { std::filesystem::remove_all(folder_); }

  void write(const std::vector<uint8_t>& bytes) const {
    std::ofstream(folder_ + "/app/Made.dll", std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  bool declare_one() {
    known_.on_module(module_);
    PrecompiledCode code(known_, notes_, root_);
    return code.declare(frame(0, 4), true, &out_);
  }

  const std::string folder_ = ::testing::TempDir() + "precompiled_code_test." + std::to_string(::getpid());
  const std::vector<uint8_t> image_ = precompiled::testing::TestImage().bytes;
  StreamState known_;
  NotedCode notes_;
  symbols::FileRoot root_ = [this] {
    std::filesystem::create_directories(folder_);
    return std::move(*symbols::FileRoot::folder(folder_));
  }();
  wire::Module module_;
  std::string out_;
};

TEST_F(PrecompiledCodeTest, EachMethodAndRangeIsDeclaredOnce) {
  known_.on_module(module_);
  PrecompiledCode code(known_, notes_, root_);
  for (const uint32_t function : {0u, 1u, 0u, 3u}) {  // 1 is a funclet of 0
    EXPECT_TRUE(code.declare(frame(function, 4), true, &out_));
    EXPECT_TRUE(code.declare(frame(function, 9), false, &out_));
  }
  const Declared declared(out_);
  ASSERT_EQ(declared.methods.size(), 2u);
  EXPECT_EQ(declared.methods[0].id, MethodId(42)) << "behind those of the stream";
  EXPECT_EQ(declared.methods[0].type, "N.Plain");
  EXPECT_EQ(declared.methods[0].method, "Run");
  EXPECT_EQ(declared.methods[0].module, "Made.dll");
  EXPECT_EQ(declared.methods[1].type, "N.Box<int>");
  ASSERT_EQ(declared.ranges.size(), 3u);
  EXPECT_EQ(declared.ranges[1].method, MethodId(42));
  EXPECT_EQ(declared.ranges[1].begin, kCode + 0x10);
  EXPECT_EQ(declared.ranges[1].end, kCode + 0x20);
}

TEST_F(PrecompiledCodeTest, ACallersAddressIsThatOfItsCall) {
  known_.on_module(module_);
  PrecompiledCode code(known_, notes_, root_);
  EXPECT_TRUE(code.declare(frame(2, 0), false, &out_));
  EXPECT_EQ(Declared(out_).ranges.at(0).begin, kCode + 0x10)
      << "the call was the last of the function before";
  EXPECT_TRUE(code.declare(frame(2, 0), true, &out_));
  EXPECT_EQ(Declared(out_).ranges.at(1).begin, kCode + 0x20);
}

TEST_F(PrecompiledCodeTest, AnImageThatOnlyANoteKnows) {
  std::string note, entry;
  wire::encode(module_, note);
  const auto size = static_cast<uint32_t>(note.size());
  entry.assign(reinterpret_cast<const char*>(&size), sizeof size);
  notes_ = NotedCode(entry + note);
  PrecompiledCode code(known_, notes_, root_);
  EXPECT_TRUE(code.declare(frame(2, 4), true, &out_));
  EXPECT_EQ(Declared(out_).methods.at(0).flags, static_cast<uint32_t>(wire::MethodFlag::kIterator));
}

TEST_F(PrecompiledCodeTest, ARuntimeNobodyKnows) {
  EXPECT_TRUE(declare_one());
  known_ = StreamState();
  EXPECT_FALSE(declare_one());
}

TEST_F(PrecompiledCodeTest, AnotherBuild) {
  std::vector<uint8_t> other = image_;
  other[0x48] ^= 1;  // its time stamp
  write(other);
  EXPECT_FALSE(declare_one());
}

TEST_F(PrecompiledCodeTest, AnImageWithoutIdentity) {
  module_.build_id.clear();
  EXPECT_FALSE(declare_one());
}

TEST_F(PrecompiledCodeTest, AnotherSize) {
  ++module_.size;
  EXPECT_FALSE(declare_one());
}

TEST_F(PrecompiledCodeTest, AFileThatIsNone) {
  for (const char* const path : {"/app", "/app/absent.dll", "app/Made.dll", ""}) {
    known_ = StreamState();
    wire::Session session;
    session.runtime = ".NET 10.0.12";
    known_.on_session(session);
    module_.path = path;
    EXPECT_FALSE(declare_one()) << path;
  }
}

TEST_F(PrecompiledCodeTest, MoreMethodsThanThereAreIds) {
  wire::Method said;
  said.id = MethodId((1u << 31) - 2);
  known_.on_method(said);
  known_.on_module(module_);
  PrecompiledCode code(known_, notes_, root_);
  EXPECT_TRUE(code.declare(frame(0, 4), true, &out_));
  EXPECT_FALSE(code.declare(frame(2, 4), true, &out_));
  EXPECT_EQ(Declared(out_).ranges.size(), 1u);
}

}  // namespace
}  // namespace walkabout::cli
